// The host stream each way: beats in their order, and answers.
struct Streams {
    // cycles that the top is reset
    static constexpr unsigned RESET = 16;
    // cycles since the last beat was taken after which it has gone through the host's registers: it is not done before
    static constexpr unsigned SETTLED = 8;
    uint64_t progress = 0;
    // beats to be sent: kind and tile, then data; `sent` are gone
    std::vector<std::pair<uint32_t, uint64_t>> beats;
    size_t sent = 0;
    // collectives of each start that was sent and not launched, and how many of the launched start are still to come
    std::deque<uint64_t> starts;
    uint64_t to_launch = 0;
    unsigned quiet = SETTLED;
    std::vector<Answer> answers;
    // requests whose answers are due, in order: of the status or of words, answers that came, answers in all
    struct Request {
        bool status;
        uint64_t came, count;
    };
    std::deque<Request> requests;
    // the first wrong answer: 0 none, 1 TID, 2 TUSER, 3 TLAST, 4 one that nobody asked for
    static constexpr uint32_t UNASKED = 4;
    uint32_t wrong = 0;
    // state of the generator of pauses on both streams; 0: none
    uint64_t pauses = 0;
    // cycles that each stream still stands still, or goes on
    unsigned turns[2] = {0, 0};
    bool open[2] = {true, true};
    // times that the answers were let go on or stand still, and those of a phase
    static constexpr unsigned PHASE = 128;
    unsigned changes = 0;
    // true if the beat that was offered has not been taken: it stays
    bool held = false;

    void queue(uint32_t kind, uint32_t tile, uint64_t data) { beats.emplace_back(kind << TILE_BITS | tile, data); }

    // Answers that the last beat asks for.
    void ask(uint32_t kind, uint64_t count) {
        if (count > 0) requests.push_back({kind == STATUS, 0, count});
    }

    // Holds an answer against the request that it belongs to.
    uint32_t judge(uint32_t tile, bool status, bool last) {
        if (requests.empty()) return UNASKED;
        Request& request = requests.front();
        const uint64_t number = request.came++;
        const bool ends = request.came == request.count;
        const uint32_t found = tile != number / (request.count / TILES) ? 1 : status != request.status ? 2 : last != ends ? 3 : 0;
        if (ends) requests.pop_front();
        return found;
    }

    // Lets each stream go on or stand still: mostly for a few cycles, at times for longer than any queue of the host holds out. One in four
    // phases takes so few answers that the queue stays full while others follow.
    void pause() {
        for (int stream = 0; stream < 2; stream++) {
            if (turns[stream]-- > 0) continue;
            pauses ^= pauses << 13, pauses ^= pauses >> 7, pauses ^= pauses << 17;
            open[stream] = !open[stream];
            turns[stream] = (pauses >> 20) % ((pauses >> 40) % 32 == 0 ? 512 : 8);
            if (stream == 1 && changes++ / PHASE % 4 == 3) turns[1] = open[1] ? 0 : (pauses >> 20) % 32;
        }
    }

    // Offers the next beat.
    void drive(Vmn_top& top) {
        if (pauses != 0) pause();
        top.m_axis_tready = open[1];
        const bool offer = (open[0] || held) && sent < beats.size();
        top.s_axis_tvalid = offer;
        if (offer) {
            top.s_axis_tdest = beats[sent].first;
            top.s_axis_tdata = beats[sent].second;
        }
    }

    // Before the clock's edge: beats that are taken with it, or the next ones.
    void before(Vmn_top& top, bool rises) {
        if (!rises) {
            drive(top);
            return;
        }
        if (top.rst_i) return;
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
            const uint32_t found = judge(top.m_axis_tid, top.m_axis_tuser, top.m_axis_tlast);
            if (wrong == 0) wrong = found;
            // there may be no end of those that nobody asked for
            if (found == UNASKED) return;
            answers.push_back({top.m_axis_tdata, top.m_axis_tid});
            progress++;
        }
    }

    void after(Vmn_top&, bool) {}

    // A collective is launched; true if it is the first of a start.
    bool launch() {
        const bool first = to_launch == 0 && !starts.empty();
        if (first) {
            to_launch = starts.front();
            starts.pop_front();
        }
        if (to_launch > 0) {
            to_launch--;
            progress++;
        }
        return first;
    }

    // A start waits in the host until all that was loaded has gone round the ring; the network is not busy before.
    bool done(const Vmn_top& top) const {
        const bool launched = starts.empty() && to_launch == 0;
        return beats.empty() && quiet == SETTLED && requests.empty() && launched && !top.busy_o;
    }

    // The status of every tile comes over the stream alone.
    bool status(const Vmn_top&, uint64_t*) const { return false; }

    static void signals(const Vmn_top& t, uint64_t* out) {
        const uint64_t values[] = {t.busy_o,        t.fault_o,       t.s_axis_tvalid, t.s_axis_tready, t.s_axis_tdest,
                                   t.s_axis_tdata,  t.m_axis_tvalid, t.m_axis_tid,    t.m_axis_tdata};
        std::memcpy(out, values, sizeof values);
    }
};
