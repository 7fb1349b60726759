// The C face of a board's netlist, as it was recovered from a bitstream: a host at the other end of its serial line.
#include "Vmn_board.h"
#include "mn_guard.h"

#include <cstdint>
#include <deque>

namespace {

struct Board {
    VerilatedContext context;
    Vmn_board top{&context};
    // clock cycles a bit, with their fraction: the host has a clock of its own
    double bit;
    uint64_t cycle = 0;
    std::deque<uint8_t> received;
    int bits = -1;      // of the byte that comes: start bit 0; -1 without one
    double sample = 0;  // cycle of the next bit's middle
    unsigned value = 0;

    void clock() {
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
        ++cycle;
        if (bits < 0) {
            if (!top.uart_tx_o) {
                bits = 0;
                sample = cycle + bit / 2;
            }
        } else if (cycle >= sample) {
            sample += bit;
            if (bits >= 1 && bits <= 8) value = value >> 1 | (top.uart_tx_o ? 0x80u : 0);
            if (bits++ == 9) {
                bits = -1;
                // as a serial port does, without a byte whose stop bit is low
                if (top.uart_tx_o) received.push_back(static_cast<uint8_t>(value));
            }
        }
    }

    void send(uint8_t byte) {
        const unsigned line = 0x200u | unsigned{byte} << 1;
        const double begin = static_cast<double>(cycle);
        for (int i = 0; i < 10; i++) {
            top.uart_rx_i = line >> i & 1;
            while (static_cast<double>(cycle) < begin + bit * (i + 1)) clock();
        }
    }
};

}  // namespace

#define MN_API extern "C" __attribute__((visibility("default")))

// A board that was just configured, its button at a level.
MN_API void* mn_board_new(double bit, uint8_t button) {
    Board* board = new Board;
    board->bit = bit;
    board->top.button_i = button;
    board->top.uart_rx_i = 1;
    return board;
}

MN_API void mn_board_delete(void* handle) { delete static_cast<Board*>(handle); }

MN_API uint64_t mn_board_cycle(void* handle) { return static_cast<Board*>(handle)->cycle; }

// Runs a number of cycles; false if the simulation has ended itself.
MN_API uint8_t mn_board_wait(void* handle, uint64_t cycles) {
    Board& board = *static_cast<Board*>(handle);
    return mn_guarded(mn_reason, [&] {
        for (uint64_t i = 0; i < cycles; i++) board.clock();
    });
}

// Sends bytes; false if the simulation has ended itself.
MN_API uint8_t mn_board_send(void* handle, const uint8_t* bytes, uint64_t count) {
    Board& board = *static_cast<Board*>(handle);
    return mn_guarded(mn_reason, [&] {
        for (uint64_t i = 0; i < count; i++) board.send(bytes[i]);
    });
}

// Takes the next byte: its value; 256 if none came in so many cycles, 257 if the simulation has ended itself.
MN_API uint32_t mn_board_receive(void* handle, uint64_t cycles) {
    Board& board = *static_cast<Board*>(handle);
    const bool ran = mn_guarded(mn_reason, [&] {
        for (uint64_t i = 0; i < cycles && board.received.empty(); i++) board.clock();
    });
    if (!ran) return 257;
    if (board.received.empty()) return 256;
    const uint8_t byte = board.received.front();
    board.received.pop_front();
    return byte;
}

MN_API void mn_board_forget(void* handle) { static_cast<Board*>(handle)->received.clear(); }
