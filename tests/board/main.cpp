// A board with its serial line: bytes from standard input go to the line, bytes from the line to standard output.
// Argument: clock cycles a bit. Ends with standard input if a second argument is `host`, else at the first line feed; with `high` the
// button is high when pressed.
#include "Vmn_board.h"
#include "receiver.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <poll.h>
#include <unistd.h>

int main(int argc, char** argv) {
    const int divide = std::atoi(argv[1]);
    const bool host = argc > 2 && std::strcmp(argv[2], "host") == 0;
    const bool high = argc > 2 && std::strcmp(argv[2], "high") == 0;
    Vmn_board top;
    std::deque<uint8_t> bytes;
    Receiver receiver{divide};
    int tx_bits = 0, tx_timer = 0;
    unsigned shift = 0;
    top.button_i = !high;  // not pressed
    top.uart_rx_i = 1;
    for (uint64_t cycle = 0; host || cycle < 20000000; ++cycle) {
        if (host && cycle % 1000 == 0) {
            pollfd in = {0, POLLIN, 0};
            // An idle board may as well wait.
            const bool idle = bytes.empty() && tx_bits == 0 && receiver.bit < 0;
            while (poll(&in, 1, idle && cycle % 100000 == 0 ? 1 : 0) > 0) {
                uint8_t byte;
                if (read(0, &byte, 1) != 1) return 0;
                bytes.push_back(byte);
            }
        }
        if (tx_bits == 0 && !bytes.empty()) {
            shift = 0x200u | bytes.front() << 1;
            bytes.pop_front();
            tx_bits = 10;
            tx_timer = 0;
        }
        if (tx_bits > 0) {
            top.uart_rx_i = shift & 1;
            if (++tx_timer == divide) {
                tx_timer = 0;
                shift >>= 1;
                if (--tx_bits == 0) top.uart_rx_i = 1;
            }
        }
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
        if (receiver.cycle(top.uart_tx_o)) {
            std::putchar(static_cast<int>(receiver.byte));
            std::fflush(stdout);
            if (!host && receiver.byte == '\n') return 0;
        }
    }
    std::puts("no line");
    return 1;
}
