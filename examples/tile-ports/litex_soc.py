"""The network as a LiteX core, with stream endpoints for every tile; and a SoC whose bus reaches all tiles.

    metronoc generate examples/tile-ports/tile-ports.toml -o rtl
    python3 -m venv venv && venv/bin/pip install litex==2024.12 migen==0.10.0 numpy
    venv/bin/python examples/tile-ports/litex_soc.py rtl [COLLECTIVES]

`Network` is what a design takes: `sinks[n]` takes the words of tile n, `sources[n]` gives its results. The SoC has no processor: its Wishbone bus
is at its pins, where a bench in Icarus Verilog does what a driver would do, an all-to-all of random words over the registers of each tile. NumPy
compares.
"""

import subprocess
import sys
from pathlib import Path

from litex.build.generic_platform import Pins
from litex.build.xilinx import XilinxPlatform
from litex.gen import LiteXModule
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import stream, wishbone
from litex.soc.interconnect.csr import CSRField, CSRStatus, CSRStorage
from migen import C, ClockDomain, ClockSignal, If, Instance, ResetSignal, Signal
from network import Ports

RESET_CYCLES = 64  # that the network needs


class Network(LiteXModule):
    """`mn_top` of the folder `rtl`. `sinks[n]` takes the words of the core at tile n, `sources[n]` gives its results. `dest` of a word is the tile
    to which it goes, `id` of a result the tile that sent it, `last` ends a collective. `ready` rises when the network has left reset."""

    def __init__(self, platform, rtl):
        self.network = network = Ports(rtl)
        bits, tiles, tile = network.data_bits, network.tiles, max(network.tile_bits, 1)
        self.sinks = [stream.Endpoint([("data", bits), ("dest", tile)]) for _ in range(tiles)]
        self.sources = [stream.Endpoint([("data", bits), ("id", tile)]) for _ in range(tiles)]
        self.faults = [Signal(8) for _ in range(tiles)]
        self.busy, self.fault_order, self.fault, self.ready = Signal(), Signal(), Signal(), Signal()
        count = Signal(max=RESET_CYCLES + 1)
        self.comb += self.ready.eq(count == RESET_CYCLES)
        self.sync += If(~self.ready, count.eq(count + 1))
        ports = {
            "i_clk_i": ClockSignal("sys"),
            "i_rst_i": ResetSignal("sys") | ~self.ready,
            "o_busy_o": self.busy,
            "o_fault_order_o": self.fault_order,
            "o_fault_o": self.fault,
        }
        for n, (sink, source) in enumerate(zip(self.sinks, self.sources)):
            s, m = f"s_axis_{n}_t", f"m_axis_{n}_t"
            ports |= {
                f"i_{s}valid": sink.valid, f"o_{s}ready": sink.ready, f"i_{s}data": sink.data,
                f"i_{s}keep": C((1 << bits // 8) - 1, bits // 8), f"i_{s}last": sink.last,
                f"o_{m}valid": source.valid, f"i_{m}ready": source.ready, f"o_{m}data": source.data,
                f"o_{m}keep": Signal(bits // 8), f"o_{m}last": source.last,
                f"o_fault_{n}_o": self.faults[n],
            }  # fmt: skip
            if network.bits(f"{s}dest"):
                ports[f"i_{s}dest"] = sink.dest
            if network.bits(f"{m}id"):
                ports[f"o_{m}id"] = source.id
        self.specials += Instance("mn_top", **ports)
        for file in network.sources:
            platform.add_source(str(file))


class Tile(LiteXModule):
    """Registers of a tile. A write to `word` sends that word with `dest` and `last` as they stand; a read of `result` takes the next result. `state`
    says whether there is room for a word, and what stands in `result`."""

    def __init__(self, sink, source, fault, depth=16):
        bits, tile = len(sink.data), len(sink.dest)
        self._next = CSRStorage(name="next", fields=[CSRField("dest", size=tile), CSRField("last", size=1, offset=16)])
        self._word = CSRStorage(bits, name="word")
        self._state = CSRStatus(
            name="state",
            fields=[
                CSRField("room", size=1), CSRField("valid", size=1), CSRField("last", size=1),
                CSRField("fault", size=8, offset=8), CSRField("id", size=tile, offset=16),
            ],
        )  # fmt: skip
        self._result = CSRStatus(bits, name="result")
        self.words = words = stream.SyncFIFO([("data", bits), ("dest", tile)], depth)
        self.results = results = stream.SyncFIFO([("data", bits), ("id", tile)], depth)
        self.comb += [
            words.sink.valid.eq(self._word.re),
            words.sink.data.eq(self._word.storage),
            words.sink.dest.eq(self._next.fields.dest),
            words.sink.last.eq(self._next.fields.last),
            words.source.connect(sink),
            source.connect(results.sink),
            self._state.fields.room.eq(words.sink.ready),
            self._state.fields.valid.eq(results.source.valid),
            self._state.fields.last.eq(results.source.last),
            self._state.fields.id.eq(results.source.id),
            self._state.fields.fault.eq(fault),
            self._result.status.eq(results.source.data),
            results.source.ready.eq(self._result.we),
        ]


PINS = [("clk", 0, Pins("X")), ("rst", 0, Pins("X")), ("ready", 0, Pins("X"))]


class Soc(SoCMini):
    """A SoC without a processor: its Wishbone bus is at its pins."""

    def __init__(self, rtl):
        platform = XilinxPlatform("", PINS)
        super().__init__(platform, clk_freq=int(100e6), ident="", ident_version=False, cpu_type=None, with_timer=False)
        self.cd_sys = ClockDomain()
        self.comb += [self.cd_sys.clk.eq(platform.request("clk")), self.cd_sys.rst.eq(platform.request("rst"))]
        self.network = Network(platform, rtl)
        self.comb += platform.request("ready").eq(self.network.ready)
        for n in range(self.network.network.tiles):
            setattr(self, f"tile{n}", Tile(self.network.sinks[n], self.network.sources[n], self.network.faults[n]))
        bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        platform.add_extension(bus.get_ios("wb"))
        self.comb += bus.connect_to_pads(platform.request("wb"), mode="slave")
        self.bus.add_master(name="pins", master=bus)


# A driver in Verilog: lines {tile, operation, value} of a file, 0 to send a word once there is room, 1 to set `next`, 2 to print the next result
# once there is one.
BENCH = """
`timescale 1ns / 1ns
module bench;
    reg clk = 0, rst = 1, cyc = 0, we = 0;
    always #5 clk = !clk;
    reg [29:0] adr = 0;
    reg [31:0] dat_w = 0, value;
    wire [31:0] dat_r;
    wire ack, ready;
    soc u_soc (
        .clk(clk), .rst(rst), .ready(ready), .wb_adr(adr), .wb_dat_w(dat_w), .wb_dat_r(dat_r), .wb_sel(4'hf), .wb_cyc(cyc), .wb_stb(cyc),
        .wb_ack(ack), .wb_we(we), .wb_cti(3'd0), .wb_bte(2'd0), .wb_err()
    );
    task transfer(input [31:0] address, input write, input [31:0] data);
        begin
            @(negedge clk);
            adr = address >> 2; we = write; dat_w = data; cyc = 1;
            @(posedge clk);
            while (!ack) @(posedge clk);
            value = dat_r;
            @(negedge clk);
            cyc = 0;
        end
    endtask
    reg [71:0] steps [0:STEPS-1];
    integer n, tries;
    reg [31:0] base, state;
    initial begin
        $readmemh("litex/steps.hex", steps);
        repeat (8) @(negedge clk);
        rst = 0;
        while (!ready) @(negedge clk);
        for (n = 0; n < STEPS; n = n + 1) begin
            base = steps[n][63:32];
            tries = 0;
            state = 0;
            while (steps[n][71:64] != 1 && !state[steps[n][71:64] / 2] && tries < 2000) begin
                transfer(base + STATE, 0, 0);
                state = value;
                tries = tries + 1;
            end
            if (tries == 2000) begin $display("stopped: step %0d, state %h", n, state); $finish; end
            case (steps[n][71:64])
                0: transfer(base + WORD, 1, steps[n][31:0]);
                1: transfer(base + NEXT, 1, steps[n][31:0]);
                default: begin transfer(base + RESULT, 0, 0); $display("%h %h", state, value); end
            endcase
        end
        $finish;
    end
endmodule
"""
SEND, SET, GET = range(3)


def main(rtl, collectives="3"):
    import numpy as np
    from litex.soc.integration.builder import Builder

    rtl, collectives = Path(rtl).resolve(), int(collectives)
    folder = rtl / "litex"
    soc = Soc(rtl)
    tiles = soc.network.network.tiles
    words = soc.network.network.words_to_send // (tiles - 1)
    builder = Builder(soc, output_dir=str(folder), compile_software=False, compile_gateware=False)
    builder.build(build_name="soc", run=False)

    csr = soc.csr_regions
    bases = [csr[f"tile{n}"].origin for n in range(tiles)]
    offsets = {register.name: 4 * n for n, register in enumerate(csr["tile0"].obj)}
    rng = np.random.default_rng(1)
    sent = rng.integers(1 << 32, size=(collectives, tiles, tiles, words), dtype=np.uint64)
    others = [[other for other in range(tiles) if other != tile] for tile in range(tiles)]
    steps = []
    for c in range(collectives):
        for n in range(tiles):
            for to in others[n]:
                for w in range(words):
                    last = (to, w) == (others[n][-1], words - 1)
                    steps += [(SET, n, to | last << 16), (SEND, n, sent[c, n, to, w])]
        steps += [(GET, n, 0) for n in range(tiles) for _ in range((tiles - 1) * words)]
    (folder / "steps.hex").write_text("".join(f"{what:02x}{bases[n]:08x}{value:08x}\n" for what, n, value in steps))
    bench = BENCH
    for name, number in {"STEPS": len(steps), **{name.upper(): at for name, at in offsets.items()}}.items():
        bench = bench.replace(name, str(number))
    (folder / "bench.v").write_text(bench)
    verilog = folder / "gateware/soc.v"
    files = [folder / "bench.v", verilog, *soc.network.network.sources]
    subprocess.run(["iverilog", "-g2005", "-s", "bench", "-o", folder / "bench.vvp", *files], check=True)
    # memory images are found from the generated folder
    said = subprocess.run(["vvp", "-n", folder / "bench.vvp"], cwd=rtl, capture_output=True, text=True, check=True).stdout.splitlines()
    said = [line for line in said if not line.startswith("WARNING")]
    if len(said) != collectives * tiles * (tiles - 1) * words or any(line.startswith("stopped") for line in said):
        sys.exit("\n".join(said[-3:]))
    found = np.array([[int(part, 16) for part in line.split()] for line in said], dtype=np.uint64)
    found = found.reshape(collectives, tiles, tiles - 1, words, 2)
    for c in range(collectives):
        for n in range(tiles):
            state, word = found[c, n, ..., 0], found[c, n, ..., 1]
            # by definition: what node i has for node j comes to j as the word of i
            np.testing.assert_array_equal(word, sent[c, others[n], n, :], f"collective {c}, tile {n}")
            assert (state >> 16 == np.array(others[n])[:, None]).all(), f"sources at tile {n}"
            lasts = (state >> 2 & 1).reshape(-1)
            assert lasts.sum() == 1 and lasts[-1] and (state >> 8 & 255 == 0).all(), f"TLAST and faults at tile {n}"
    print(f"{collectives} collectives over the bus of a LiteX SoC with {tiles} tiles agree with NumPy")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
