// The C face of a verilated mn_top: clocks it, feeds and empties its streams, and holds each cycle's observation block
// against the one expected. Sizes and names are those of one network; the rest is the same for all.
#include "Vmn_top.h"
#include "Vmn_top___024root.h"
#include "mn_guard.h"
#ifdef MN_UPSETS
#include "mn_upsets.h"
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

// tiles with channels, their local and global ones; tiles with receive ports
constexpr unsigned CHANNEL_TILES = ${ channels.len() }$, LOCALS = ${ locals }$, GLOBALS = ${ globals }$;
constexpr unsigned TILES = ${ receives.len() }$, PORTS = ${ receives[0].len() }$;
constexpr unsigned LOCAL_BITS = ${ local_bits }$, GLOBAL_BITS = ${ global_bits }$, PAYLOAD_BITS = ${ p.payload_bits() }$;
constexpr unsigned TILE_BITS = ${ p.tile_bits }$, START = 2;
constexpr unsigned SETTLED = 8;

constexpr unsigned words(unsigned bits) { return (bits + 63) / 64; }
constexpr unsigned LOCAL_WORDS = words(LOCAL_BITS), GLOBAL_WORDS = words(GLOBAL_BITS), RECEIVE_WORDS = words(PAYLOAD_BITS + 1);
constexpr unsigned TILE_CHANNEL_WORDS = LOCALS * LOCAL_WORDS + GLOBALS * GLOBAL_WORDS;
constexpr unsigned CHANNEL_WORDS = CHANNEL_TILES * TILE_CHANNEL_WORDS;
constexpr unsigned BLOCK_WORDS = CHANNEL_WORDS + TILES * PORTS * RECEIVE_WORDS;

// COUNT <= 64 bits of a Verilog vector from bit AT on.
template <unsigned AT, unsigned COUNT, class Vector>
inline uint64_t bits(const Vector& vector) {
    constexpr uint64_t mask = ~uint64_t{0} >> (64 - COUNT);
    if constexpr (std::is_integral_v<Vector>) {
        return (uint64_t{vector} >> AT) & mask;
    } else {
        constexpr unsigned first = AT / 32, shift = AT % 32;
        uint64_t value = uint64_t{vector[first]} >> shift;
        if constexpr (shift + COUNT > 32) value |= uint64_t{vector[first + 1]} << (32 - shift);
        if constexpr (shift + COUNT > 64) value |= uint64_t{vector[first + 2]} << (64 - shift);
        return value & mask;
    }
}

// COUNT bits from bit AT on, in words of 64.
template <unsigned AT, unsigned COUNT, class Vector>
inline void copy(uint64_t* out, const Vector& vector) {
    constexpr unsigned head = COUNT < 64 ? COUNT : 64;
    *out = bits<AT, head>(vector);
    if constexpr (COUNT > head) copy<AT + head, COUNT - head>(out + 1, vector);
}

template <unsigned BITS, class Vector, size_t... I>
inline void copy_channels(uint64_t* out, const Vector& vector, std::index_sequence<I...>) {
    (copy<I * BITS, BITS>(out + I * words(BITS), vector), ...);
}

#ifdef MN_DISTURBED
// Flips the bits of a mask in COUNT bits of a Verilog vector, from bit `at` on.
template <class Vector>
void flip(const Vector& vector, size_t at, const uint64_t* mask, size_t count) {
    Vector& changed = const_cast<Vector&>(vector);
    for (size_t i = 0; i < count; i++) {
        if (!(mask[i / 64] >> (i % 64) & 1)) continue;
        if constexpr (std::is_integral_v<Vector>) changed ^= Vector(Vector{1} << (at + i));
        else changed[(at + i) / 32] ^= 1u << ((at + i) % 32);
    }
}
#endif

using Root = Vmn_top___024root;
using Local = std::remove_reference_t<decltype(std::declval<Root&>().${ channels[0].local }$)>;
<% if let Some(global) = channels[0].global %>
using Global = std::remove_reference_t<decltype(std::declval<Root&>().${ global }$)>;
<% endif %>
<% if !receives[0].is_empty() %>
using Valid = std::remove_reference_t<decltype(std::declval<Root&>().${ receives[0][0].valid }$)>;
using Payload = std::remove_reference_t<decltype(std::declval<Root&>().${ receives[0][0].payload }$)>;
<% else %>
using Valid = uint8_t;
using Payload = uint32_t;
<% endif %>

struct Channels {
    const Local* local;
<% if globals > 0 %>
    const Global* global;
<% endif %>
};

struct Port {
    const Valid* valid;
    const Payload* payload;
};

struct Answer {
    uint64_t data;
    uint32_t tile;
};

struct Simulation {
    VerilatedContext context;
    Vmn_top top{&context};
    Channels channels[CHANNEL_TILES];
    Port receives[TILES * PORTS];
    uint64_t block[BLOCK_WORDS] = {};
    uint64_t cycle = 0, progress = 0, awaited = 0;
    // beats to be sent: dest, then data; `sent` are gone
    std::vector<std::pair<uint32_t, uint64_t>> beats;
    size_t sent = 0;
    // collectives of each start that was sent and not launched, and how many of the launched start are still to come
    std::deque<uint64_t> starts;
    uint64_t to_launch = 0;
    // cycles since the last beat was taken: it is not done before it has gone through the host's registers
    unsigned quiet = SETTLED;
    std::vector<Answer> answers;
    // state of the generator of pauses on both streams; 0: none
    uint64_t pauses = 0;
    // cycles that each stream still stands still, or goes on
    unsigned turns[2] = {0, 0};
    bool open[2] = {true, true};
    // true if the beat that was offered has not been taken: it stays
    bool held = false;
#ifdef MN_UPSETS
    std::vector<MnRegister> registers;
    std::string names;
#endif

    Simulation() {
        Root& root = *top.rootp;
        Channels* channel = channels;
<% for c in channels %>
        *channel++ = {&root.${ c.local }$<% if let Some(global) = c.global %>, &root.${ global }$<% endif %>};
<% endfor %>
        Port* port = receives;
<% for ports in receives %>
<% for port in ports %>
        *port++ = {&root.${ port.valid }$, &root.${ port.payload }$};
<% endfor %>
<% endfor %>
        top.m_axis_tready = 1;
        top.rst_i = 1;
        for (int i = 0; i < 16; i++) clock();
        top.rst_i = 0;
        settle();
    }

    // Scopes are taken out of the thread's context, which may be that of a later simulation.
    ~Simulation() { Verilated::threadContextp(&context); }

    void clock() {
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
    }

    // Lets each stream go on or stand still: mostly for a few cycles, at times for longer than any queue of the host holds out.
    void pause() {
        for (int stream = 0; stream < 2; stream++) {
            if (turns[stream]-- > 0) continue;
            pauses ^= pauses << 13, pauses ^= pauses >> 7, pauses ^= pauses << 17;
            open[stream] = !open[stream];
            turns[stream] = (pauses >> 20) % ((pauses >> 40) % 32 == 0 ? 512 : 8);
        }
    }

    // Offers the next beat and lets combinational outputs of the streams follow.
    void settle() {
        if (pauses != 0) {
            pause();
            top.m_axis_tready = open[1];
        }
        const bool offer = (open[0] || held) && sent < beats.size();
        top.s_axis_tvalid = offer;
        if (offer) {
            top.s_axis_tdest = beats[sent].first;
            top.s_axis_tdata = beats[sent].second;
        }
        top.clk_i = 0;
        top.eval();
    }

    template <bool CHANNELS>
    void observe(uint64_t* out) const {
        uint64_t* receive = out + CHANNEL_WORDS;
        if constexpr (CHANNELS) {
            for (const Channels& channel : channels) {
                copy_channels<LOCAL_BITS>(out, *channel.local, std::make_index_sequence<LOCALS>{});
<% if globals > 0 %>
                copy_channels<GLOBAL_BITS>(out + LOCALS * LOCAL_WORDS, *channel.global, std::make_index_sequence<GLOBALS>{});
<% endif %>
                out += TILE_CHANNEL_WORDS;
            }
        }
        for (const Port& port : receives) {
            const uint64_t valid = *port.valid;
            copy<0, PAYLOAD_BITS>(receive, *port.payload);
            if constexpr (RECEIVE_WORDS > words(PAYLOAD_BITS)) receive[RECEIVE_WORDS - 1] = 0;
            for (unsigned i = 0; i < RECEIVE_WORDS; i++) receive[i] &= -valid;
            receive[PAYLOAD_BITS / 64] |= valid << (PAYLOAD_BITS % 64);
            receive += RECEIVE_WORDS;
        }
    }

    // The first word from `start` on that differs; BLOCK_WORDS if none does.
    size_t difference(const uint64_t* expected, size_t start) const {
        if (std::memcmp(block + start, expected + start, (BLOCK_WORDS - start) * sizeof *block) == 0) return BLOCK_WORDS;
        while (block[start] == expected[start]) start++;
        return start;
    }

    // Ends the current cycle; true if the first collective of a start was launched in it.
    bool step() {
        bool started = false;
        if (top.rootp->mn_top__DOT__go) {
            started = to_launch == 0 && !starts.empty();
            if (started) {
                to_launch = starts.front();
                starts.pop_front();
            }
            if (to_launch > 0) to_launch--;
        }
        if (quiet < SETTLED) quiet++;
        held = top.s_axis_tvalid && !top.s_axis_tready;
        if (top.s_axis_tvalid && top.s_axis_tready) {
            const auto [dest, data] = beats[sent];
            if (dest >> TILE_BITS == START) starts.push_back(data == 0 ? 1 : data);
            quiet = 0;
            sent++;
            progress++;
            if (sent == beats.size()) {
                beats.clear();
                sent = 0;
            }
        }
        if (top.m_axis_tvalid && top.m_axis_tready) {
            answers.push_back({top.m_axis_tdata, top.m_axis_tid});
            if (awaited > 0) awaited--;
            progress++;
        }
        const bool busy = top.busy_o;
        top.clk_i = 1;
        top.eval();
        progress += busy != bool(top.busy_o);
        cycle++;
        settle();
        return started;
    }

    // A start waits in the host until all that was loaded has gone round the ring; the network is not busy before.
    bool done() const {
        const bool launched = starts.empty() && to_launch == 0;
        return beats.empty() && quiet == SETTLED && awaited == 0 && launched && !top.busy_o;
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

EXPORT uint64_t mn_cycle(const Simulation* s) { return s->cycle; }

EXPORT uint64_t mn_progress(const Simulation* s) { return s->progress; }

// Queues `count` beats, to which `answers` answers will come.
EXPORT void mn_queue(Simulation* s, const uint32_t* dest, const uint64_t* data, uint64_t count, uint64_t answers) {
    for (uint64_t i = 0; i < count; i++) s->beats.emplace_back(dest[i], data[i]);
    s->awaited += answers;
    mn_guarded(mn_reason, [&] { s->settle(); });
}

// Takes the oldest `count` answers, of which there must be as many.
EXPORT void mn_take(Simulation* s, uint64_t* data, uint32_t* tile, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        data[i] = s->answers[i].data;
        tile[i] = s->answers[i].tile;
    }
    s->answers.erase(s->answers.begin(), s->answers.begin() + count);
}

EXPORT uint64_t mn_answers(const Simulation* s) { return s->answers.size(); }

EXPORT void mn_observe(const Simulation* s, uint64_t* block) { s->observe<true>(block); }

// Pauses on both streams from now on, from a seed that is not 0.
EXPORT void mn_pause(Simulation* s, uint64_t seed) { s->pauses = seed; }

// Flips the bits of a block's channels in the registers of the current cycle; false if the simulator was not built for it.
EXPORT uint8_t mn_disturb(Simulation* s, const uint64_t* mask) {
#ifdef MN_DISTURBED
    for (Channels& channel : s->channels) {
        for (unsigned i = 0; i < LOCALS; i++, mask += LOCAL_WORDS) flip(*channel.local, i * LOCAL_BITS, mask, LOCAL_BITS);
<% if globals > 0 %>
        for (unsigned i = 0; i < GLOBALS; i++, mask += GLOBAL_WORDS) flip(*channel.global, i * GLOBAL_BITS, mask, GLOBAL_BITS);
<% endif %>
    }
    mn_guarded(mn_reason, [&] { s->top.eval(); });
    return 1;
#else
    (void)s, (void)mask;
    return 0;
#endif
}

// Registers and memories whose bits can be flipped, as lines `INSTANCE.NAME BITS ELEMENTS`; none if the simulator was not built for it.
EXPORT const char* mn_registers(Simulation* s) {
#ifdef MN_UPSETS
    s->registers = mn_registers_of(s->context);
    s->names.clear();
    for (const MnRegister& at : s->registers) {
        s->names += at.name + ' ' + std::to_string(at.bits) + ' ' + std::to_string(at.elements) + '\n';
    }
    return s->names.c_str();
#else
    (void)s;
    return "";
#endif
}

// Flips a bit of a register of `mn_registers`, in the current cycle; false if there is none.
EXPORT uint8_t mn_upset(Simulation* s, uint64_t index, uint64_t element, uint64_t bit) {
#ifdef MN_UPSETS
    if (s->registers.empty()) s->registers = mn_registers_of(s->context);
    if (index >= s->registers.size() || element >= s->registers[index].elements || bit >= s->registers[index].bits) return 0;
    mn_flip(s->registers[index], element, bit);
    mn_guarded(mn_reason, [&] { s->top.eval(); });
    return 1;
#else
    (void)s, (void)index, (void)element, (void)bit;
    return 0;
#endif
}

// busy, fault, then the two streams.
EXPORT void mn_signals(const Simulation* s, uint64_t* out) {
    const Vmn_top& t = s->top;
    const uint64_t values[] = {t.busy_o,        t.fault_o,       t.s_axis_tvalid, t.s_axis_tready, t.s_axis_tdest,
                               t.s_axis_tdata,  t.m_axis_tvalid, t.m_axis_tid,    t.m_axis_tdata};
    std::memcpy(out, values, sizeof values);
}

// Runs a cycle for each expected block; sections: 0 compares nothing, 1 the receive ports, 2 all. Returns why it ended:
// 0 all cycles are run, 1 a start was launched in the last one, 2 word *detail of the current one differs, 3 all was done with the last one,
// 4 the Verilog ended the simulation.
EXPORT uint32_t mn_run(Simulation* s, const uint64_t* const* expected, uint64_t cycles, uint32_t sections, uint64_t* ran,
                       uint64_t* detail) {
    for (uint64_t i = 0; i < cycles; i++) {
        if (sections != 0) {
            if (sections == 2) s->observe<true>(s->block);
            else s->observe<false>(s->block);
            const size_t word = s->difference(expected[i], sections == 2 ? 0 : CHANNEL_WORDS);
            if (word != BLOCK_WORDS) {
                *detail = word;
                *ran = i;
                return 2;
            }
        }
        const bool idle = s->done();
        bool started = false;
        *ran = i;
        if (*mn_reason || !mn_guarded(mn_reason, [&] { started = s->step(); })) return 4;
        *ran = i + 1;
        if (started) return 1;
        if (!idle && s->done()) return 3;
    }
    *ran = cycles;
    return 0;
}
