"""The other yardstick of the lockstep's speed: the same D3(4,4), clocked and compared by cocotb. Run by hand:

    metronoc generate examples/d3-4-4.toml -o rtl
    python3 -m venv venv && venv/bin/pip install cocotb==2.1.0
    venv/bin/python benches/cocotb_lockstep.py rtl VERILATOR [COLLECTIVES]

VERILATOR is the path that `metronoc tools --json` gives for it. It is built and run in `rtl/cocotb`.

It does what a test bench in Python would do. The stream is fed by its handshake: random words for all, one start. Then, in
every cycle, what the lockstep compares is read and held against what it was one collective before, which went out with the
same words: first the channel registers of all tiles alone, then the receive ports with them. At the end the words are
drained and held against what was sent. Time is taken over the compared cycles, without building, loading and draining.
"""

import os
import random
import re
import stat
import sys
import time
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge

LOAD, START, DRAIN = 0, 2, 3


async def send(dut, beats):
    """Feeds beats (tdest, tdata), each until it is taken."""
    dut.s_axis_tvalid.value = 1
    for dest, data in beats:
        dut.s_axis_tdest.value = dest
        dut.s_axis_tdata.value = data
        while True:
            await ReadOnly()
            taken = dut.s_axis_tready.value == 1
            await RisingEdge(dut.clk_i)
            if taken:
                break
    dut.s_axis_tvalid.value = 0


def receive_ports(nodes):
    """The valid bit and the word of every receive port."""
    cabinets, _, routers = (1 + max(int(node._name.split("_")[i]) for node in nodes) for i in (2, 3, 4))
    endpoints = [node.u_tile.u_endpoint for node in nodes]
    blocks = [endpoint.gen_local[x] for endpoint in endpoints for x in range(1, routers)]
    blocks += [endpoint.gen_global[gamma] for endpoint in endpoints for gamma in range(cabinets)]
    return [(block.u_receive.valid_q, block.u_receive.data_q) for block in blocks]


@cocotb.test()
async def compare(dut):
    period, collectives = int(os.environ["PERIOD"]), int(os.environ["COLLECTIVES"])
    assert collectives > 0, "no collectives, no speed"
    nodes = [getattr(dut.u_network, name) for name in os.environ["NODES"].split()]
    tiles = len(nodes)
    kind = lambda number: number << len(dut.s_axis_tdest) - 3
    channels = [port for node in nodes for port in (node.u_tile.local_o, node.u_tile.global_o)]
    words = [[random.getrandbits(32) for _ in range(tiles)] for _ in range(tiles)]

    Clock(dut.clk_i, 10, unit="ns").start()
    dut.s_axis_tvalid.value = 0
    dut.m_axis_tready.value = 1
    dut.rst_i.value = 1
    await ClockCycles(dut.clk_i, 16)
    dut.rst_i.value = 0
    await send(dut, [(kind(LOAD) | t, word) for t in range(tiles) for word in words[t]])
    await send(dut, [(kind(START), 2 * collectives + 100)])

    # the first collective goes out into an empty network: wait until its successor runs
    await ClockCycles(dut.clk_i, 2 * period + 64)
    for what, ports in ("channel registers", []), ("channel registers and receive ports", receive_ports(nodes)):

        def shown():
            return [channel.value for channel in channels] + [data.value if valid.value else None for valid, data in ports]

        expected = []
        for _ in range(period):
            await RisingEdge(dut.clk_i)
            await ReadOnly()
            expected.append(shown())
        assert any(value for row in expected for value in row), "nothing moves"
        begin = time.perf_counter()
        for cycle in range(collectives * period):
            await RisingEdge(dut.clk_i)
            await ReadOnly()
            assert shown() == expected[cycle % period], f"another value in cycle {cycle}"
        seconds = time.perf_counter() - begin
        cycles = collectives * period
        dut._log.info(f"{what}: {cycles} cycles in {seconds:.1f} s, {cycles / seconds:.0f} cycles/s")

    await RisingEdge(dut.clk_i)
    await send(dut, [(kind(DRAIN), 0)])
    received = []
    while len(received) < tiles * tiles:
        await ReadOnly()
        if dut.m_axis_tvalid.value == 1:
            received.append(int(dut.m_axis_tdata.value))
        await RisingEdge(dut.clk_i)
    assert received == [words[source][tile] for tile in range(tiles) for source in range(tiles)]
    assert dut.fault_o.value == 0


def main(rtl, verilator, collectives="100"):
    from cocotb_tools.runner import get_runner

    rtl, verilator = Path(rtl).resolve(), Path(verilator).resolve()
    build = rtl / "cocotb"
    build.mkdir(exist_ok=True)
    # What cocotb takes for Verilator: it wants to be told a version, and the provisioned program its own folder. Of the
    # design only what is read is made visible; all of it, as cocotb asks for, takes half an hour to compile and is slower.
    visible = build / "visible.vlt"
    observed = (Path(__file__).parent.parent / "sim" / "observe.vlt").read_text()
    visible.write_text(observed + 'public_flat_rw -module "mn_top" -var "*"\n')
    wrapper = build / "verilator"
    wrapper.write_text(
        '#!/bin/sh\ncase "$1" in --version) echo "Verilator 5.048"; exit ;; esac\n'
        'for word; do shift; [ "$word" = --public-flat-rw ] || set -- "$@" "$word"; done\n'
        f'VERILATOR_ROOT="{verilator.parent.parent}" exec "{verilator}" "$@" "{visible}"\n'
    )
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    os.environ["PATH"] = f"{build}{os.pathsep}{os.environ['PATH']}"
    period = re.search(r"\.ROWS\((\d+)\)", (rtl / "rtl" / "mn_top.v").read_text()).group(1)
    nodes = re.findall(r"mn_node (u_node_\w+)", (rtl / "rtl" / "mn_network.v").read_text())
    runner = get_runner("verilator")
    flags = ["--output-split-cfuncs", "500", "-O3", "--no-assert", "--x-assign", "fast", "--x-initial", "fast", "-Wno-fatal"]
    os.environ["MAKEFLAGS"] = "OPT_FAST=-O3"  # as for the lockstep
    runner.build(
        sources=sorted((rtl / "rtl").glob("*.v")),
        hdl_toplevel="mn_top",
        build_dir=build / "build",
        build_args=flags,
        timescale=("1ns", "1ns"),
    )
    # memory images are found from the generated folder
    runner.test(
        test_module=Path(__file__).stem,
        hdl_toplevel="mn_top",
        build_dir=build / "build",
        test_dir=rtl,
        results_xml=str(build / "results.xml"),
        extra_env={"PERIOD": period, "COLLECTIVES": collectives, "NODES": " ".join(nodes), "PYTHONPATH": str(Path(__file__).parent)},
    )


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
