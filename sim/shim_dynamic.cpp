// The C face of a verilated POPS without a schedule: clocks it, offers packets to its streams, takes what comes out, writes both down, and
// holds each cycle's observation block against the one expected. Sizes come from the compiler's command line.
#include "Vmn_top.h"
#include "Vmn_top___024root.h"
#include "mn_guard.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <type_traits>
#include <vector>

namespace {

constexpr unsigned D = MN_D, G = MN_G, W = MN_W, DB = MN_DB, GB = MN_GB;
constexpr int L = MN_L;
constexpr unsigned N = D * G, PB = DB + GB, COUPLERS = G * G;
constexpr unsigned OUTPUTS = 2 * COUPLERS, READY = OUTPUTS + 2 * N, BLOCK_WORDS = READY + (N + 63) / 64;

constexpr uint64_t mask(unsigned count) { return ~uint64_t{0} >> (64 - count); }

// COUNT <= 64 bits of a Verilog vector from bit `at` on.
template <unsigned COUNT, class Vector>
inline uint64_t get(const Vector& vector, unsigned at) {
    if constexpr (std::is_integral_v<Vector>) {
        return (uint64_t{vector} >> at) & mask(COUNT);
    } else {
        const unsigned first = at / 32, shift = at % 32;
        uint64_t value = uint64_t{vector[first]} >> shift;
        if (shift + COUNT > 32) value |= uint64_t{vector[first + 1]} << (32 - shift);
        if (shift + COUNT > 64) value |= uint64_t{vector[first + 2]} << (64 - shift);
        return value & mask(COUNT);
    }
}

// Sets them.
template <unsigned COUNT, class Vector>
inline void set(Vector& vector, unsigned at, uint64_t value) {
    if constexpr (std::is_integral_v<Vector>) {
        vector = static_cast<Vector>((uint64_t{vector} & ~(mask(COUNT) << at)) | (value & mask(COUNT)) << at);
    } else {
        for (unsigned done = 0; done < COUNT;) {
            const unsigned word = (at + done) / 32, shift = (at + done) % 32;
            const unsigned count = COUNT - done < 32 - shift ? COUNT - done : 32 - shift;
            const uint32_t bits = static_cast<uint32_t>(mask(count)) << shift;
            vector[word] = (vector[word] & ~bits) | (static_cast<uint32_t>(value >> done) << shift & bits);
            done += count;
        }
    }
}

// What is said of a word: valid, last, two numbers.
constexpr uint64_t about(uint64_t last, uint64_t high, uint64_t low) { return uint64_t{1} << 63 | last << 62 | high << 16 | low; }

// How a packet breaks the contract of its stream: not; s_axis_tlast is low with its last word, high with its first and not the last; no processor
// has the name of its destination, and it is dropped.
enum Breach : uint32_t { NONE, NO_LAST, EARLY_LAST, NOWHERE };

struct Packet {
    uint64_t cycle;
    uint32_t dest, breach;
    uint64_t words[L];
};

// Something that happened at a stream: a packet's first word was taken (kind 0), or a word came out (kind 1).
struct Event {
    uint64_t cycle, word;
    uint32_t kind, processor, from, last;
};

struct Source {
    std::deque<Packet> packets;
    // the word of the first packet that is offered; -1 for none
    int word = -1;
};

struct Simulation {
    VerilatedContext context;
    Vmn_top top{&context};
    Source sources[N];
    std::vector<Event> events;
    uint64_t block[BLOCK_WORDS] = {};
    uint64_t cycle = 0;
    // The cycle in which the first word that breaks a contract was taken; NEVER. fault_o is high from the second cycle behind it on: it was not,
    // or high before.
    static constexpr uint64_t NEVER = ~uint64_t{0};
    uint64_t broken = NEVER;
    bool misreported = false;

    Simulation() {
        top.rst_i = 1;
        for (int i = 0; i < 16; i++) clock();
        top.rst_i = 0;
    }

    void clock() {
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
    }

    // A packet is begun with when its time has come, and none from cycle `end` on.
    void offer(uint64_t end, const uint64_t* ready) {
        for (unsigned i = 0; i < N; i++) {
            Source& source = sources[i];
            if (source.word < 0 && !source.packets.empty() && source.packets.front().cycle <= cycle && cycle < end) source.word = 0;
            set<1>(top.s_axis_tvalid, i, source.word >= 0);
            set<1>(top.m_axis_tready, i, ready[i / 64] >> (i % 64));
            if (source.word < 0) continue;
            const Packet& packet = source.packets.front();
            set<W>(top.s_axis_tdata, i * W, packet.words[source.word]);
            set<PB>(top.s_axis_tdest, i * PB, packet.dest);
            const bool last = source.word == L - 1;
            set<1>(top.s_axis_tlast, i, packet.breach == NO_LAST ? 0 : last || (packet.breach == EARLY_LAST && source.word == 0));
        }
        top.clk_i = 0;
        top.eval();
    }

    void observe(uint64_t* out) const {
        const auto& root = *top.rootp;
        for (unsigned i = 0; i < COUPLERS; i++, out += 2) {
            const bool valid = get<1>(root.mn_top__DOT__u_network__DOT__heard_valid, i);
            out[0] = valid ? get<W>(root.mn_top__DOT__u_network__DOT__heard_data, i * W) : 0;
            out[1] = valid ? about(get<1>(root.mn_top__DOT__u_network__DOT__heard_last, i),
                                   get<DB>(root.mn_top__DOT__u_network__DOT__heard_dest, i * DB),
                                   get<DB>(root.mn_top__DOT__u_network__DOT__heard_source, i * DB))
                           : 0;
        }
        for (unsigned i = 0; i < N; i++, out += 2) {
            const bool valid = get<1>(top.m_axis_tvalid, i);
            const uint64_t from = get<PB>(top.m_axis_tid, i * PB);
            out[0] = valid ? get<W>(top.m_axis_tdata, i * W) : 0;
            out[1] = valid ? about(get<1>(top.m_axis_tlast, i), from >> DB, from & mask(DB)) : 0;
        }
        for (unsigned i = 0; i < N; i++) {
            if (i % 64 == 0) out[i / 64] = 0;
            out[i / 64] |= get<1>(top.s_axis_tready, i) << (i % 64);
        }
    }

    // Ends the current cycle.
    void step() {
        if (top.fault_o != (broken != NEVER && cycle > broken + 1)) misreported = true;
        for (unsigned i = 0; i < N; i++) {
            Source& source = sources[i];
            if (source.word >= 0 && get<1>(top.s_axis_tready, i)) {
                const uint32_t breach = source.packets.front().breach;
                if (source.word == 0 && breach != NOWHERE) events.push_back({cycle, 0, 0, i, 0, 0});
                if (breach != NONE && source.word == (breach == NO_LAST ? L - 1 : 0)) broken = std::min(broken, cycle);
                if (++source.word == L) {
                    source.packets.pop_front();
                    source.word = -1;
                }
            }
            if (get<1>(top.m_axis_tvalid, i) && get<1>(top.m_axis_tready, i)) {
                const auto from = static_cast<uint32_t>(get<PB>(top.m_axis_tid, i * PB));
                const auto last = static_cast<uint32_t>(get<1>(top.m_axis_tlast, i));
                events.push_back({cycle, get<W>(top.m_axis_tdata, i * W), 1, i, from, last});
            }
        }
        top.clk_i = 1;
        top.eval();
        cycle++;
    }
};

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT uint64_t mn_block_words() { return BLOCK_WORDS; }

// A simulation; none if it ends itself while it begins.
EXPORT Simulation* mn_new() {
    Simulation* s = nullptr;
    *mn_reason = 0;
    mn_guarded(mn_reason, [&] { s = new Simulation; });
    return s;
}

EXPORT void mn_delete(Simulation* s) { delete s; }

// Whether fault_o was ever high without a broken contract, or low behind one.
EXPORT uint32_t mn_misreported(const Simulation* s) { return s->misreported; }

// Whether a contract was broken.
EXPORT uint32_t mn_broken(const Simulation* s) { return s->broken != Simulation::NEVER; }

// Packets of a processor that were offered and are not gone.
EXPORT uint64_t mn_pending(const Simulation* s, uint32_t processor) { return s->sources[processor].packets.size(); }

// Adds a packet of L words to a processor's.
EXPORT void mn_offer(Simulation* s, uint32_t processor, uint64_t cycle, uint32_t dest, uint32_t breach, const uint64_t* words) {
    Packet packet{cycle, dest, breach, {}};
    std::memcpy(packet.words, words, sizeof packet.words);
    s->sources[processor].packets.push_back(packet);
}

// Takes the oldest events, `most` of them or as many as there are; tells how many.
EXPORT uint64_t mn_events(Simulation* s, Event* out, uint64_t most) {
    const uint64_t count = most < s->events.size() ? most : s->events.size();
    std::copy_n(s->events.begin(), count, out);
    s->events.erase(s->events.begin(), s->events.begin() + count);
    return count;
}

EXPORT void mn_observe(const Simulation* s, uint64_t* block) { s->observe(block); }

// Runs so many cycles. `expected` has a block for each, which is compared from word `from` on, BLOCK_WORDS for nothing; `ready` has a bit
// for each processor. Stops before the end of a cycle whose block differs, or in which the Verilog ends the simulation. Tells how many were
// run.
EXPORT uint64_t mn_run(Simulation* s, const uint64_t* expected, uint64_t from, const uint64_t* ready, uint64_t cycles, uint64_t end) {
    uint64_t i = 0;
    mn_guarded(mn_reason, [&] {
        for (; i < cycles; i++) {
            s->offer(end, ready + i * ((N + 63) / 64));
            if (from < BLOCK_WORDS) {
                s->observe(s->block);
                const uint64_t* wanted = expected + i * BLOCK_WORDS;
                if (std::memcmp(s->block + from, wanted + from, (BLOCK_WORDS - from) * sizeof *wanted) != 0) return;
            }
            s->step();
        }
    });
    return i;
}
