// A board that does what the lines of `script.txt` say, and prints the bytes of its serial line. Argument: clock cycles a bit.
//   line N      runs up to a line feed, or for N cycles, and prints how many
//   watch N     runs until a lamp changes, or for N cycles, and prints how many
//   wait N      runs for N cycles
//   send HEX..  bytes to the board, one behind another
//   bad HEX     a byte whose stop bit is low
//   press, release   the button
//   lamps       prints what they show
#include "Vmn_board.h"
#include "receiver.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace {

Vmn_board top;
long now = 0;
Receiver receiver{};
bool fed = false;

void cycle() {
    now++;
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
    if (receiver.cycle(top.uart_tx_o)) {
        std::printf(receiver.byte >= 0x20 && receiver.byte < 0x7f ? "%c" : "<%02x>", receiver.byte);
        if (!receiver.is_framed) std::printf("(not framed)");
        fed = receiver.byte == '\n';
    }
}

void run(long cycles) {
    while (cycles-- > 0) cycle();
}

unsigned lamps() { return top.led_pass_o << 2 | top.led_fail_o << 1 | top.led_run_o; }

void send(unsigned byte, bool stop) {
    const unsigned bits = (stop ? 0x200u : 0) | byte << 1;
    for (int i = 0; i < 10; i++) {
        top.uart_rx_i = bits >> i & 1;
        run(receiver.divide);
    }
    top.uart_rx_i = 1;
    if (!stop) run(2 * receiver.divide);
}

}  // namespace

int main(int, char** argv) {
    receiver.divide = std::atoi(argv[1]);
    const bool pressed = std::atoi(argv[2]);
    top.button_i = !pressed;
    top.uart_rx_i = 1;
    std::ifstream script("script.txt");
    for (std::string text; std::getline(script, text);) {
        std::istringstream line(text);
        std::string word;
        line >> word;
        if (word == "line" || word == "wait" || word == "watch") {
            const long start = now;
            const unsigned shown = lamps();
            long cycles;
            line >> cycles;
            fed = false;
            while (cycles-- > 0 && !(word == "line" && fed) && !(word == "watch" && lamps() != shown)) cycle();
            std::printf(" %ld cycles\n", now - start);
        } else if (word == "send" || word == "bad") {
            for (unsigned byte; line >> std::hex >> byte;) send(byte, word == "send");
        } else if (word == "lamps") {
            run(4);
            std::printf("lamps %u\n", lamps());
        } else {
            top.button_i = word == "press" ? pressed : !pressed;
        }
    }
}
