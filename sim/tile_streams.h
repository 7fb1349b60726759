// The streams of all tiles: words of cores, and their results. Requests are answered as the host stream answers them.
struct Core {
    // words that it sends and gets in a collective; destinations and sources of these words, if they have one
    uint32_t given, results;
    const uint32_t *dests, *sources;
    // words to be sent, and the number of the first of them in its collective; results in their order, and those of launched collectives that
    // are still to come
    std::deque<uint64_t> words, got;
    uint32_t at = 0, got_at = 0;
    uint64_t due = 0;
    // true if a word is offered: it stays until it is taken
    bool offers = false;
    // results with another TID or TLAST than theirs, and results of no collective
    bool wrong_id = false, wrong_last = false, unasked = false;
    // faults by name; late and full ones count up to the last start only, since later times of starts have no words
    uint32_t faults = 0;
    // the core's clock, if it has one: it changes with an overflow of the phase, which grows with each edge of the network's; true if it rises now
    uint32_t phase = 0, rate = 1 << 16;
    bool clock = false, rises = false;
    // cycles that the streams to and from the tile still stand still, or go on
    unsigned turns[2] = {0, 0};
    bool open[2] = {true, true};
};

struct Streams {
    static constexpr unsigned RESET = 128;
    // cycles after which a fault of a tile is at its output
    static constexpr unsigned SETTLED = 64;
    static constexpr bool OWN_CLOCKS = ${ tiles.own_clocks }$;
    static constexpr uint64_t PERIOD = ${ tiles.period }$;
    static constexpr uint32_t LATE = 0x30;
    uint64_t progress = 0;
    std::vector<Core> cores;
    // drains and readings of the status, in order; starts that are to come
    std::deque<unsigned> requests;
    uint64_t starts = 0, waited = 0;
    // cycles since anything moved
    unsigned quiet = 0;
    std::vector<Answer> answers;
    uint64_t pauses = 0;
    // answers are made here, and are never wrong
    static constexpr uint32_t wrong = 0;

    Streams() {
        static const uint32_t tags[] = {${ tiles.tags }$};
<% for core in tiles.cores %>
        cores.push_back({${ core.given }$, ${ core.results }$, <% if let Some(at) = core.dests %>tags + ${ at }$<% else %>nullptr<% endif %>, <% if let Some(at) = core.sources %>tags + ${ at }$<% else %>nullptr<% endif %>});
<% endfor %>
        // from a quarter of the network's frequency up to it; all of it where times of starts do not wait
        for (size_t n = 0; OWN_CLOCKS && PERIOD == 0 && n < cores.size(); n++) cores[n].rate = (1 << 14) + 12289u * (2 * n + 1) % 49153;
    }

    void queue(uint32_t kind, uint32_t tile, uint64_t data) {
        if (kind == LOAD) cores[tile].words.push_back(data);
        if (kind == START) starts += data == 0 ? 1 : data;
        if (kind == DRAIN || kind == STATUS) requests.push_back(kind);
    }

    // Answers are made here, all of a request at once.
    void ask(uint32_t, uint64_t) {}

    // Lets each stream of a core go on or stand still.
    void pause(Core& core) {
        for (int stream = 0; stream < 2; stream++) {
            if (core.turns[stream]-- > 0) continue;
            pauses ^= pauses << 13, pauses ^= pauses >> 7, pauses ^= pauses << 17;
            core.open[stream] = !core.open[stream];
            core.turns[stream] = (pauses >> 20) % ((pauses >> 40) % 32 == 0 ? 128 : 8);
        }
    }

    // True if the core's stream is to be valid.
    bool offer(Core& core) {
        if (pauses != 0) pause(core);
        core.offers = core.offers || (core.open[0] && !core.words.empty());
        return core.offers;
    }

    void sent(Core& core) {
        core.words.pop_front();
        core.at = core.at + 1 == core.given ? 0 : core.at + 1;
        core.offers = false;
        quiet = 0;
        progress++;
    }

    void got(Core& core, uint64_t data, bool last, uint32_t id) {
        // there may be no end of them
        core.unasked |= core.due == 0;
        if (core.due == 0) return;
        core.due--;
        core.wrong_last |= last != (core.got_at + 1 == core.results);
        core.wrong_id |= core.sources && id != core.sources[core.got_at];
        core.got_at = core.got_at + 1 >= core.results ? 0 : core.got_at + 1;
        core.got.push_back(data);
        quiet = 0;
        progress++;
    }

    // Inputs of all cores whose clock has risen, or of all.
    void drive(Vmn_top& top, bool all = true) {
<% for core in tiles.cores %>
        if (Core& core = cores[${ core.index }$]; all || core.rises) {
            top.s_axis_${ core.index }$_tvalid = offer(core);
            if (core.offers) {
                top.s_axis_${ core.index }$_tdata = core.words.front();
                top.s_axis_${ core.index }$_tkeep = ${ tiles.keep }$u;
                top.s_axis_${ core.index }$_tlast = core.at + 1 == core.given;
<% if tiles.has_dests %>
                top.s_axis_${ core.index }$_tdest = core.dests[core.at];
<% endif %>
            }
            top.m_axis_${ core.index }$_tready = core.open[1];
        }
<% endfor %>
    }

    // Before an edge of the network's clock: clocks that rise, and what they take.
    void before(Vmn_top& top, bool rises) {
        for (Core& core : cores) {
            core.rises = rises;
            if constexpr (OWN_CLOCKS) {
                core.phase += core.rate;
                const bool changes = core.phase >> 16;
                core.phase &= 0xffff;
                core.clock ^= changes;
                core.rises = changes && core.clock;
            }
        }
<% for core in tiles.cores %>
        if (Core& core = cores[${ core.index }$]; !top.rst_i) {
            if (core.rises && top.s_axis_${ core.index }$_tvalid && top.s_axis_${ core.index }$_tready) sent(core);
            if (core.rises && top.m_axis_${ core.index }$_tvalid && top.m_axis_${ core.index }$_tready) {
                got(core, top.m_axis_${ core.index }$_tdata, top.m_axis_${ core.index }$_tlast, <% if tiles.has_sources %>top.m_axis_${ core.index }$_tid<% else %>0<% endif %>);
            }
            core.faults |= top.fault_${ core.index }$_o & (starts > 0 ? 0xff : 0xff & ~LATE);
        }
<% if tiles.own_clocks %>
        top.clk_${ core.index }$_i = cores[${ core.index }$].clock;
<% endif %>
<% endfor %>
        if (!rises || top.rst_i) return;
        if (quiet < SETTLED) quiet++;
        if (top.busy_o) quiet = 0;
        // a start is waited for, up to two times the period
        progress += starts > 0 && waited++ < 2 * PERIOD;
        answer(top);
    }

    void after(Vmn_top& top, bool) { drive(top, false); }

    bool launch() {
        waited = 0;
        if (starts == 0) return false;
        starts--;
        for (Core& core : cores) core.due += core.results;
        progress++;
        return true;
    }

    // True if nothing is to be sent or started.
    bool idle(const Vmn_top& top) const {
        bool empty = true;
        for (const Core& core : cores) empty &= core.words.empty();
        return empty && starts == 0 && quiet == SETTLED && !top.busy_o;
    }

    uint64_t status_of(const Vmn_top& top, const Core& core) const {
        const bool order = &core == &cores.back() && top.fault_order_o;
        return uint64_t{1} << 60 | uint64_t{order} << 61 | uint64_t{core.faults} << 32 | uint64_t{core.wrong_id} << 40 |
            uint64_t{core.wrong_last} << 41;
    }

    // The status of every tile as it is now.
    bool status(const Vmn_top& top, uint64_t* out) const {
        for (const Core& core : cores) *out++ = status_of(top, core);
        return true;
    }

    // Answers the next request, if it can be.
    void answer(const Vmn_top& top) {
        constexpr unsigned RESULTS = ${ tiles.words_a_tile }$, DATA_BITS = ${ p.data_bits }$;
        if (requests.empty()) return;
        if (requests.front() == DRAIN) {
            for (const Core& core : cores) if (core.got.size() < core.results) return;
            for (Core& core : cores) {
                for (unsigned i = 0; i < RESULTS; i++) {
                    const bool there = i < core.results;
                    reply(there ? core.got.front() : 0, &core - cores.data());
                    if (there) core.got.pop_front();
                }
            }
        } else {
            if (!idle(top)) return;
            for (const Core& core : cores) {
                // a result that no request asked for is a fault, too
                const uint64_t status = status_of(top, core) | uint64_t{core.unasked || !core.got.empty()} << 42;
                for (unsigned at = 0; at < 64; at += DATA_BITS) {
                    reply(DATA_BITS < 64 ? status >> at & ((uint64_t{1} << DATA_BITS % 64) - 1) : status, &core - cores.data());
                }
            }
        }
        requests.pop_front();
    }

    void reply(uint64_t data, size_t tile) {
        answers.push_back({data, uint32_t(tile)});
        progress++;
    }

    bool done(const Vmn_top& top) const { return requests.empty() && idle(top); }

    static void signals(const Vmn_top& t, uint64_t* out) {
        out[0] = t.busy_o;
        out[1] = t.fault_o;
    }
};
