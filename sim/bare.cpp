// The yardstick of the lockstep's speed: a program that clocks a Verilated mn_top and does nothing else.
//
// Its first argument is a file of beats, lines of `tdest tdata`, which it feeds into the host stream. Then it reads numbers
// of cycles from standard input, one a line, and answers each with the nanoseconds that so many cycles took; it fails if
// the network has nothing to do after them.
#include "Vmn_top.h"
#include "verilated.h"

#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>

int main(int argc, char** argv) {
    std::FILE* beats = argc > 1 ? std::fopen(argv[1], "r") : nullptr;
    if (!beats) return 2;
    VerilatedContext context;
    Vmn_top top{&context};
    const auto clock = [&top] {
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
    };

    top.m_axis_tready = 1;
    top.rst_i = 1;
    for (int i = 0; i < 16; i++) clock();
    top.rst_i = 0;
    top.s_axis_tvalid = 1;
    std::uint64_t dest, data;
    while (std::fscanf(beats, "%" SCNu64 " %" SCNu64, &dest, &data) == 2) {
        top.s_axis_tdest = dest;
        top.s_axis_tdata = data;
        for (bool taken = false; !taken;) {
            top.clk_i = 0;
            top.eval();
            taken = top.s_axis_tready;
            top.clk_i = 1;
            top.eval();
        }
    }
    top.s_axis_tvalid = 0;

    std::uint64_t cycles;
    while (std::scanf("%" SCNu64, &cycles) == 1) {
        const auto begin = std::chrono::steady_clock::now();
        for (std::uint64_t i = 0; i < cycles; i++) clock();
        const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
        if (!top.busy_o) return 1;
        std::printf("%" PRId64 "\n", std::int64_t{took.count()});
        std::fflush(stdout);
    }
    return 0;
}
