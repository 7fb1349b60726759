// Words through mn_fifo_async between two clocks whose periods are no multiples of each other, with random pauses on both sides. Prints one
// line. Every so many words both periods and the pauses are others, and the queue is drained and reset.
//
//     bench WORDS SEED

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include "Vmn_fifo_async.h"

static uint64_t state;
static uint64_t random64() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}
// the word of a number: neighbours have no bits in common for sure
static uint32_t word(uint64_t number) { return uint32_t(number * 0x9e3779b97f4a7c15u >> 32); }

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const uint64_t words = strtoull(argv[1], nullptr, 10), section = words < 2000000 ? words / 20 + 1 : 100000;
    state = 0x2545f4914f6cdd1du + strtoull(argv[2], nullptr, 10);
    auto context = std::make_unique<VerilatedContext>();
    auto top = std::make_unique<Vmn_fifo_async>(context.get());
    uint64_t sent = 0, got = 0, full = 0, empty = 0, sections = 0;

    while (got < words) {
        // periods up to four times each other's, in units that are small beside them; pauses from none to most of the time
        const uint64_t in_half = 1000 + random64() % 3001, out_half = 1000 + random64() % 3001;
        const uint64_t pauses[] = {0, 0, 1, 8, 32, 52};  // of 64
        const uint64_t in_pause = pauses[random64() % 6], out_pause = pauses[random64() % 6];
        const uint64_t end = sent + section;
        uint64_t in_next = random64() % in_half, out_next = random64() % out_half, in_cycles = 0, out_cycles = 0;
        bool in_valid = false;
        top->in_rst_i = top->out_rst_i = 1;
        top->in_valid_i = top->out_ready_i = 0;
        // the resets end apart
        const uint64_t in_free = 32 + random64() % 32, out_free = 32 + random64() % 32;
        ++sections;
        while (got < end) {
            const bool in = in_next == out_next ? random64() & 1 : in_next < out_next;
            if (in) {
                in_next += in_half;
                top->in_clk_i = !top->in_clk_i;
                const bool taken = top->in_clk_i && top->in_valid_i && top->in_ready_o && !top->in_rst_i;
                full += top->in_clk_i && top->in_valid_i && !top->in_ready_o;
                top->eval();
                if (!top->in_clk_i) continue;
                sent += taken;
                if (taken || !in_valid) in_valid = sent < end && random64() % 64 >= in_pause;
                top->in_rst_i = ++in_cycles < in_free;
                top->in_valid_i = in_valid && !top->in_rst_i;
                top->in_data_i = word(sent);
            } else {
                out_next += out_half;
                top->out_clk_i = !top->out_clk_i;
                const bool taken = top->out_clk_i && top->out_valid_o && top->out_ready_i && !top->out_rst_i;
                empty += top->out_clk_i && !top->out_valid_o && top->out_ready_i;
                const uint32_t data = top->out_data_o;
                top->eval();
                if (!top->out_clk_i) continue;
                if (taken && (got == sent || data != word(got))) {
                    printf("FAIL: word %llu of %llu is %08x, not %08x\n", (unsigned long long)got, (unsigned long long)sent, data, word(got));
                    return 1;
                }
                got += taken;
                top->out_rst_i = ++out_cycles < out_free;
                top->out_ready_i = !top->out_rst_i && random64() % 64 >= out_pause;
                if (out_cycles > 100 * section + 100000) {
                    printf("FAIL: %llu words in, %llu out\n", (unsigned long long)sent, (unsigned long long)got);
                    return 1;
                }
            }
        }
    }
    printf("PASS: %llu words in %llu sections, %llu cycles full, %llu cycles empty\n", (unsigned long long)got, (unsigned long long)sections,
           (unsigned long long)full, (unsigned long long)empty);
    return full && empty ? 0 : 1;
}
