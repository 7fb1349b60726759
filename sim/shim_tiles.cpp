// The tile form of the co-simulation: one Verilated node as often as the network has tiles. Every output of a node is a
// register, so a cycle is: give each node what its neighbours' registers show, clock it, and note what its own show next.
// Which registers are whose inputs, and how many cycles later, comes from the topology, by the caller.
//
// Sizes come as MN_LOCAL_PORTS, MN_GLOBAL_PORTS and, in 64-bit words of a port, MN_LOCAL_WORDS, MN_GLOBAL_WORDS, MN_RECEIVE_WORDS.

#include "Vmn_node_probe.h"
#include "Vmn_node_probe___024root.h"
#include "mn_guard.h"
#include "verilated.h"

#include <algorithm>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr size_t PORTS = MN_LOCAL_PORTS + MN_GLOBAL_PORTS;
constexpr size_t CHANNEL_WORDS = MN_LOCAL_PORTS * MN_LOCAL_WORDS + MN_GLOBAL_PORTS * MN_GLOBAL_WORDS;
constexpr size_t RECEIVE_WORDS = PORTS * MN_RECEIVE_WORDS;
constexpr uint8_t ANSWER = 0xc;  // {valid, kind 4}

using Model = Vmn_node_probe;

// Verilator keeps wide ports in 32-bit words, lowest first; so do blocks on a little-endian machine.
// Nodes without receive ports have no such output.
template <typename T>
constexpr size_t receive_bytes() {
    if constexpr (requires(T model) { model.receives_o; }) return sizeof(T::receives_o);
    else return 0;
}
static_assert(sizeof(Model::channels_o) == CHANNEL_WORDS * 8 && receive_bytes<Model>() == RECEIVE_WORDS * 8);
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

// A rising clock edge. Verilator's note of the last clock is reset by hand where it has the known name, which saves the
// evaluation of the falling edge, in which nothing happens.
template <typename T>
void rise(T& model) {
    if constexpr (requires { model.rootp->__Vtrigprevexpr___TOP__clk_i__0; }) {
        model.rootp->__Vtrigprevexpr___TOP__clk_i__0 = 0;
    } else {
        model.clk_i = 0;
        model.eval();
    }
    model.clk_i = 1;
    model.eval();
}

}  // namespace

extern "C" {

// What all tiles are given in one cycle. Tile t's flit carries words[t * stride]. With `only` a tile, that one alone is given a flit.
struct mn_drive {
    const uint64_t* words;
    uint64_t stride;
    uint32_t only;  // UINT32_MAX: all
    uint8_t flit;  // {valid, kind}
    uint8_t go, go_buffer, go_swap, go_version;
};

// Register that an input port shows: the first word of it in a block, and the cycles by which the port is late.
struct mn_feeder {
    uint32_t word, late;
};

// How many tiles show the end of a collective and faults, how many answers came, how many came that nobody waits for, and in how many
// parts the Verilog ended the simulation.
struct mn_shown {
    uint32_t done, faults, answers, strays, stopped;
};
}

namespace {

// Copies the rows of a table, lowest word first, on a little-endian machine. False if there are too few.
template <typename T>
bool copy_rows(T& table, const uint64_t*& rows, uint64_t& words) {
    constexpr size_t ROWS = sizeof table / sizeof table[0], WORDS = (sizeof table[0] + 7) / 8;
    if (words < ROWS * WORDS) return false;
    for (size_t i = 0; i < ROWS; i++) std::memcpy(&table[i], rows + i * WORDS, sizeof table[i]);
    rows += ROWS * WORDS;
    words -= ROWS * WORDS;
    return true;
}

// Constants and tables of a tile that has them from outside; counters have no table. False if sizes do not fit.
template <typename T>
bool place_in(T& model, const uint64_t* constants, uint64_t constant_words, const uint64_t* rows, uint64_t row_words) {
    if constexpr (requires { model.place_i; }) {
        if (constant_words * 8 < sizeof model.place_i) return false;
        std::memcpy(&model.place_i, constants, sizeof model.place_i);
    }
    if constexpr (requires { model.rootp->mn_node_probe__DOT__u_node__DOT__u_program__DOT__u_table__DOT__mem; }) {
        if (!copy_rows(model.rootp->mn_node_probe__DOT__u_node__DOT__u_program__DOT__u_table__DOT__mem, rows, row_words)) return false;
    }
    // a tile of slot tables, in read-only memory or not
    if constexpr (requires { model.rootp->mn_node_probe__DOT__u_node__DOT__u_endpoint__DOT__u_program__DOT__gen_rom__DOT__u_places__DOT__mem; }) {
        auto& root = *model.rootp;
        if constexpr (requires { root.mn_node_probe__DOT__u_node__DOT__u_endpoint__DOT__u_program__DOT__gen_rom__DOT__gen_table__DOT__u_table__DOT__mem; }) {
            if (!copy_rows(root.mn_node_probe__DOT__u_node__DOT__u_endpoint__DOT__u_program__DOT__gen_rom__DOT__gen_table__DOT__u_table__DOT__mem, rows, row_words)) return false;
        } else {
            if (!copy_rows(root.mn_node_probe__DOT__u_node__DOT__u_endpoint__DOT__u_program__DOT__gen_rom__DOT__gen_loops__DOT__u_loops__DOT__u_table__DOT__mem, rows, row_words)) return false;
            if (!copy_rows(root.mn_node_probe__DOT__u_node__DOT__u_endpoint__DOT__u_program__DOT__gen_rom__DOT__gen_loops__DOT__u_loops__DOT__u_loops__DOT__mem, rows, row_words)) return false;
        }
        if (!copy_rows(root.mn_node_probe__DOT__u_node__DOT__u_endpoint__DOT__u_program__DOT__gen_rom__DOT__u_places__DOT__mem, rows, row_words)) return false;
    }
    if constexpr (requires { model.rootp->mn_node_probe__DOT__u_node__DOT__u_endpoint__DOT__u_program__DOT__gen_ram__DOT__u_places__DOT__mem; }) {
        auto& root = *model.rootp;
        if (!copy_rows(root.mn_node_probe__DOT__u_node__DOT__u_endpoint__DOT__u_program__DOT__gen_ram__DOT__u_table__DOT__mem, rows, row_words)) return false;
        if (!copy_rows(root.mn_node_probe__DOT__u_node__DOT__u_endpoint__DOT__u_program__DOT__gen_ram__DOT__u_places__DOT__mem, rows, row_words)) return false;
    }
    return row_words == 0;
}

// Coordinates of a tile that has them as inputs.
template <typename T>
void label_in(T& model, const uint32_t* label) {
    if constexpr (requires { model.c_i; }) {
        model.c_i = label[0];
        model.d_i = label[1];
        model.p_i = label[2];
    }
}

// Receive ports of a tile that has some.
template <typename T>
void receives_of(const T& model, uint64_t* block) {
    if constexpr (requires { model.receives_o; }) std::memcpy(block, &model.receives_o, RECEIVE_WORDS * 8);
}

struct Tile {
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Model> model;
    uint64_t answered = 0;
};

class Network {
  public:
    Network(uint32_t count, const mn_feeder* feeders, const uint32_t* labels, uint32_t threads)
        : tiles(count), feeders(feeders, feeders + count * PORTS), parts(threads), sync(threads) {
        uint32_t late = 0;
        for (const auto& feeder : this->feeders) late = std::max(late, feeder.late);
        blocks.assign(late + 2, std::vector<uint64_t>(count * (CHANNEL_WORDS + RECEIVE_WORDS)));
        for (uint32_t t = 0; t < count; t++) {
            Tile& tile = tiles[t];
            tile.context = std::make_unique<VerilatedContext>();
            tile.model = std::make_unique<Model>(tile.context.get(), "");
            tile.model->tile_i = t;
            label_in(*tile.model, labels + 3 * t);
            tile.model->rst_i = 1;
        }
        for (uint32_t part = 1; part < threads; part++) workers.emplace_back([this, part] { work(part); });
    }

    ~Network() {
        drive = nullptr;
        if (!workers.empty()) sync.arrive_and_wait();
        for (auto& worker : workers) worker.join();
        mn_text unheard;
        for (auto& tile : tiles) mn_guarded(unheard, [&] { tile.model->final(); });
    }

    void reset(bool on) {
        for (auto& tile : tiles) tile.model->rst_i = on;
    }

    // The constants of a tile and the rows of its program, if the simulated tile has them from outside. A row is in as many 64-bit
    // words as it needs. False if sizes do not fit.
    bool place(uint32_t t, const uint64_t* constants, uint64_t constant_words, const uint64_t* rows, uint64_t row_words) {
        return place_in(*tiles[t].model, constants, constant_words, rows, row_words);
    }

    void collect(uint64_t* out, uint64_t each) {
        answers = out;
        limit = each;
        for (auto& tile : tiles) tile.answered = 0;
    }

    mn_shown cycle(const mn_drive& with) {
        drive = &with;
        if (!workers.empty()) sync.arrive_and_wait();
        run(0);
        if (!workers.empty()) sync.arrive_and_wait();
        at = (at + 1) % blocks.size();
        mn_shown all = {};
        for (auto& part : parts) {
            all.done += part.shown.done;
            all.faults += part.shown.faults;
            all.answers += part.shown.answers;
            all.strays += part.shown.strays;
            all.stopped += part.shown.stopped;
            if (part.shown.stopped) std::memcpy(mn_reason, part.reason, sizeof mn_reason);
        }
        return all;
    }

    const uint64_t* block() const { return blocks[at].data(); }

  private:
    struct alignas(64) Part {
        mn_shown shown;
        mn_text reason;
    };

    std::vector<Tile> tiles;
    std::vector<mn_feeder> feeders;
    std::vector<std::vector<uint64_t>> blocks;  // this cycle's at `at`, the coming one's behind it, then those of the past from the oldest on
    size_t at = 0;
    std::vector<Part> parts;
    std::barrier<> sync;
    std::vector<std::thread> workers;
    const mn_drive* drive = nullptr;
    uint64_t* answers = nullptr;
    uint64_t limit = 0;

    void work(uint32_t part) {
        for (;;) {
            sync.arrive_and_wait();
            if (!drive) return;
            run(part);
            sync.arrive_and_wait();
        }
    }

    // Clocks one of the equal parts of the tiles.
    void run(uint32_t part) {
        auto& [shown, reason] = parts[part];
        shown = {};
        if (!mn_guarded(reason, [&] { clock(part, shown); })) shown.stopped = 1;
    }

    void clock(uint32_t part, mn_shown& shown) {
        const size_t begin = tiles.size() * part / parts.size(), end = tiles.size() * (part + 1) / parts.size();
        uint64_t* const next = blocks[(at + 1) % blocks.size()].data();
        for (size_t t = begin; t < end; t++) {
            Tile& tile = tiles[t];
            Model& model = *tile.model;
            gather(t, reinterpret_cast<char*>(&model.channels_i));
            const uint8_t flit = drive->only == UINT32_MAX || drive->only == t ? drive->flit : 0;
            model.flit_i = flit;
            model.data_i = flit ? drive->words[t * drive->stride] : 0;
            model.go_i = drive->go;
            model.go_buffer_i = drive->go_buffer;
            model.go_swap_i = drive->go_swap;
            model.go_version_i = drive->go_version;
            rise(model);
            std::memcpy(&next[t * CHANNEL_WORDS], &model.channels_o, CHANNEL_WORDS * 8);
            receives_of(model, &next[tiles.size() * CHANNEL_WORDS + t * RECEIVE_WORDS]);
            shown.done += model.done_o;
            shown.faults += model.fault_o;
            if (model.flit_o == ANSWER) {
                if (answers && model.tile_o == t && tile.answered < limit) {
                    answers[t * limit + tile.answered++] = model.data_o;
                    shown.answers++;
                } else {
                    shown.strays++;
                }
            }
        }
    }

    // The inputs of a tile: port for port, the registers of the neighbour whose port leads here, as they were when the words set out.
    void gather(size_t t, char* inputs) const {
        const mn_feeder* from = &feeders[t * PORTS];
        for (size_t port = 0; port < PORTS; port++) {
            const size_t bytes = 8 * (port < MN_LOCAL_PORTS ? MN_LOCAL_WORDS : MN_GLOBAL_WORDS);
            const auto& block = blocks[(at + blocks.size() - from[port].late) % blocks.size()];
            std::memcpy(inputs, &block[from[port].word], bytes);
            inputs += bytes;
        }
    }
};

}  // namespace

#define MN_API extern "C" __attribute__((visibility("default")))

// A network of `count` tiles in reset. `feeders`: for each tile and input port the register that it shows; `labels`: c, d and p of each
// tile that has such inputs.
MN_API void* mn_tiles_new(uint32_t count, const mn_feeder* feeders, const uint32_t* labels, uint32_t threads) {
    *mn_reason = 0;
    return new Network(count, feeders, labels, threads);
}

MN_API void mn_tiles_delete(void* network) { delete static_cast<Network*>(network); }

MN_API void mn_tiles_reset(void* network, uint8_t on) { static_cast<Network*>(network)->reset(on); }

MN_API uint8_t mn_tiles_place(void* network, uint32_t tile, const uint64_t* constants, uint64_t constant_words, const uint64_t* rows,
                              uint64_t row_words) {
    return static_cast<Network*>(network)->place(tile, constants, constant_words, rows, row_words);
}

// Answers of tile t go to out[t * each ..]; `out` must stay until the next call.
MN_API void mn_tiles_collect(void* network, uint64_t* out, uint64_t each) { static_cast<Network*>(network)->collect(out, each); }

// Runs one cycle.
MN_API void mn_tiles_cycle(void* network, const mn_drive* drive, mn_shown* shown) {
    *shown = static_cast<Network*>(network)->cycle(*drive);
}

// The observation block of the current cycle; it moves with every cycle.
MN_API const uint64_t* mn_tiles_block(void* network) { return static_cast<Network*>(network)->block(); }
