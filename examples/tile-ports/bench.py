"""Cores at all tiles of a network, in cocotb with cocotbext-axi: an all-to-all, checked against NumPy.

    metronoc generate examples/tile-ports/tile-ports.toml -o rtl
    python3 -m venv venv && venv/bin/pip install cocotb==2.1.0 cocotbext-axi==0.1.28 numpy
    venv/bin/python examples/tile-ports/bench.py rtl VERILATOR [COLLECTIVES]

VERILATOR is the path that `metronoc tools --json` gives for it. The simulator is built in `rtl/cocotb`.

Every core sends the words of one collective after the other and takes its results; both streams pause at random. Then one core ends a
collective too early, and its tile must say so.
"""

import os
import random
import stat
import sys
from pathlib import Path

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

SHORT = 1  # bit 0 of a tile's faults


def pauses(seed):
    """Pauses of a stream, more and fewer of them in turn."""
    rng = random.Random(seed)
    while True:
        often = rng.choice([0.0, 0.3, 0.9])
        for _ in range(rng.randrange(200)):
            yield rng.random() < often


async def start(dut, paused):
    """Resets the network, and gives the streams of all cores."""
    tiles = sum(name.startswith("m_axis_") and name.endswith("_tvalid") for name in dir(dut))
    bus = lambda prefix: AxiStreamBus.from_prefix(dut, prefix)
    sources = [AxiStreamSource(bus(f"s_axis_{tile}"), dut.clk_i, dut.rst_i) for tile in range(tiles)]
    sinks = [AxiStreamSink(bus(f"m_axis_{tile}"), dut.clk_i, dut.rst_i) for tile in range(tiles)]
    if paused:
        for seed, stream in enumerate(sources + sinks):
            stream.set_pause_generator(pauses(seed))
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    dut.rst_i.value = 1
    await ClockCycles(dut.clk_i, 64)
    dut.rst_i.value = 0
    await ClockCycles(dut.clk_i, 8)
    return sources, sinks


def frame(words, dests):
    """Words of one core for one collective, each with its destination; a frame has its bytes."""
    size = words.dtype.itemsize
    return AxiStreamFrame(words.tobytes(), tdest=[int(dest) for dest in dests for _ in range(size)])


@cocotb.test()
async def all_to_all(dut):
    collectives, words = int(os.environ["COLLECTIVES"]), int(os.environ["WORDS"])
    sources, sinks = await start(dut, paused=True)
    tiles = len(sources)
    rng = np.random.default_rng(1)
    sent = rng.integers(1 << 32, size=(collectives, tiles, tiles, words), dtype=np.uint32)
    # by definition: what node i has for node j comes to j as the word of i; a node's word for itself stays where it is
    expected = np.swapaxes(sent, 1, 2)
    others = [[other for other in range(tiles) if other != tile] for tile in range(tiles)]
    for collective in range(collectives):
        for tile, source in enumerate(sources):
            source.send_nowait(frame(sent[collective, tile, others[tile]], np.repeat(others[tile], words)))
    for collective in range(collectives):
        for tile, sink in enumerate(sinks):
            got = await sink.recv(compact=False)
            found = np.frombuffer(bytes(got.tdata), dtype=np.uint32).reshape(tiles - 1, words)
            np.testing.assert_array_equal(found, expected[collective, tile, others[tile]], f"collective {collective}, tile {tile}")
            assert list(got.tid[::4]) == list(np.repeat(others[tile], words)), f"sources at tile {tile}"
    assert all(sink.empty() for sink in sinks) and dut.fault_o.value == 0
    dut._log.info(f"{collectives} collectives of {tiles} cores agree with NumPy")


@cocotb.test()
async def a_collective_that_ends_too_early(dut):
    sources, sinks = await start(dut, paused=False)
    sources[3].send_nowait(frame(np.arange(2, dtype=np.uint32), [0, 0]))
    await ClockCycles(dut.clk_i, 100)
    faults = [int(getattr(dut, f"fault_{tile}_o").value) for tile in range(len(sources))]
    assert faults == [SHORT if tile == 3 else 0 for tile in range(len(sources))] and dut.fault_o.value == 1


def main(rtl, verilator, collectives="20"):
    from cocotb_tools.runner import get_runner

    rtl, verilator = Path(rtl).resolve(), Path(verilator).resolve()
    build = rtl / "cocotb"
    build.mkdir(exist_ok=True)
    # what cocotb takes for Verilator: it wants to be told a version, and the provisioned program its own folder
    wrapper = build / "verilator"
    visible = build / "visible.vlt"
    visible.write_text('`verilator_config\npublic_flat_rw -module "mn_top" -var "*"\n')
    wrapper.write_text(
        '#!/bin/sh\ncase "$1" in --version) echo "Verilator 5.048"; exit ;; esac\n'
        'for word; do shift; [ "$word" = --public-flat-rw ] || set -- "$@" "$word"; done\n'
        f'VERILATOR_ROOT="{verilator.parent.parent}" exec "{verilator}" "$@" "{visible}"\n'
    )
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    os.environ["PATH"] = f"{build}{os.pathsep}{os.environ['PATH']}"
    os.environ["MAKEFLAGS"] = "OPT_FAST=-O1"
    runner = get_runner("verilator")
    runner.build(
        sources=sorted((rtl / "rtl").glob("*.v")),
        hdl_toplevel="mn_top",
        build_dir=build / "build",
        build_args=["-Wno-fatal"],
        timescale=("1ns", "1ns"),
    )
    # memory images are found from the generated folder
    results = runner.test(
        test_module=Path(__file__).stem,
        hdl_toplevel="mn_top",
        build_dir=build / "build",
        test_dir=rtl,
        results_xml=str(build / "results.xml"),
        extra_env={"COLLECTIVES": collectives, "WORDS": "2", "PYTHONPATH": str(Path(__file__).parent)},
    )
    from cocotb_tools.runner import get_results

    tests, failed = get_results(results)
    sys.exit(f"{failed} of {tests} tests failed" if failed or tests != 2 else 0)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
