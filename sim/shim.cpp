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
constexpr unsigned TILE_BITS = ${ p.tile_bits }$;
// kinds of beats
constexpr unsigned LOAD = 0, START = 2, DRAIN = 3, STATUS = 4;

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

<% if let Some(tiles) = tiles %>
<% include "tile_streams.h" %>
<% else %>
<% include "host_stream.h" %>
<% endif %>

// Registers and memories begin with zero; where the simulator is built for faults, with random bits, which no result may depend on.
static VerilatedContext* begun(VerilatedContext& context) {
#ifdef MN_DISTURBED
    context.randReset(2);
    context.randSeed(1);
#endif
    return &context;
}

struct Simulation {
    VerilatedContext context;
    Vmn_top top{begun(context)};
    Channels channels[CHANNEL_TILES];
    Port receives[TILES * PORTS];
    uint64_t block[BLOCK_WORDS] = {};
    uint64_t cycle = 0;
    Streams streams;
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
        top.rst_i = 1;
        for (unsigned i = 0; i < Streams::RESET; i++) {
            edge(false);
            edge(true);
        }
        top.rst_i = 0;
        edge(false);
    }

    // Scopes are taken out of the thread's context, which may be that of a later simulation.
    ~Simulation() { Verilated::threadContextp(&context); }

    // The clock falls or rises, and streams follow.
    void edge(bool rises) {
        streams.before(top, rises);
        top.clk_i = rises;
        top.eval();
        streams.after(top, rises);
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
        const bool started = top.rootp->mn_top__DOT__go && streams.launch();
        edge(true);
        cycle++;
        edge(false);
        return started;
    }

    bool done() const { return streams.done(top); }
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

EXPORT uint64_t mn_progress(const Simulation* s) { return s->streams.progress; }

// Queues `count` beats, to which `answers` answers will come.
EXPORT void mn_queue(Simulation* s, const uint32_t* dest, const uint64_t* data, uint64_t count, uint64_t answers) {
    for (uint64_t i = 0; i < count; i++) s->streams.queue(dest[i] >> TILE_BITS, dest[i] & ((1u << TILE_BITS) - 1), data[i]);
    s->streams.ask(count > 0 ? dest[0] >> TILE_BITS : 0, answers);
    mn_guarded(mn_reason, [&] {
        s->streams.drive(s->top);
        s->top.eval();
    });
}

// Takes the oldest `count` answers, of which there must be as many.
EXPORT void mn_take(Simulation* s, uint64_t* data, uint32_t* tile, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        data[i] = s->streams.answers[i].data;
        tile[i] = s->streams.answers[i].tile;
    }
    s->streams.answers.erase(s->streams.answers.begin(), s->streams.answers.begin() + count);
}

EXPORT uint64_t mn_answers(const Simulation* s) { return s->streams.answers.size(); }

EXPORT void mn_observe(const Simulation* s, uint64_t* block) { s->observe<true>(block); }

// Pauses on all streams from now on, from a seed that is not 0.
EXPORT void mn_pause(Simulation* s, uint64_t seed) { s->streams.pauses = seed; }

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

// The first wrong answer so far: 0 none, 1 another TID, 2 another TUSER, 3 another TLAST, 4 one that nobody asked for.
EXPORT uint32_t mn_wrong(const Simulation* s) { return s->streams.wrong; }

// Signals of the top: busy, fault, then the streams'.
EXPORT void mn_signals(const Simulation* s, uint64_t* out) { Streams::signals(s->top, out); }

// The status of every tile as it is now; false if it can be asked for alone.
EXPORT uint8_t mn_status(const Simulation* s, uint64_t* out) { return s->streams.status(s->top, out); }

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
