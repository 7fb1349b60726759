// Receiver of a board's serial line, by the clock of the board.
#pragma once

struct Receiver {
    int divide;              // clock cycles a bit
    int bit = -1;            // number of the bit that comes, from the start bit on; -1 between bytes
    int timer = 0;           // cycles up to its middle
    unsigned byte = 0;       // bits of the byte that have come
    bool is_framed = true;   // its start bit is low, and its stop bit high

    // A cycle with this level of the line; true if a byte ends in it.
    bool cycle(bool line) {
        if (bit < 0) {
            if (!line) {
                bit = 0;
                timer = divide / 2;
            }
            return false;
        }
        if (--timer != 0) return false;
        timer = divide;
        if (bit == 0) is_framed = !line;
        if (bit >= 1 && bit <= 8) byte = byte >> 1 | (line ? 0x80u : 0);
        if (bit++ != 9) return false;
        is_framed &= line;
        bit = -1;
        return true;
    }
};
