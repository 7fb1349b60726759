"""Ports of a generated network, from its `component.xml`; for wrappers in other languages."""

import re
import xml.etree.ElementTree as xml
from pathlib import Path

IPXACT = "{http://www.accellera.org/XMLSchema/IPXACT/1685-2014}"


class Ports:
    """Ports of `mn_top` in the folder `rtl`, by name: its direction "in" or "out" and its bits."""

    def __init__(self, rtl):
        self.rtl = Path(rtl).resolve()
        self.of = {}
        for port in xml.parse(self.rtl / "component.xml").iter(f"{IPXACT}port"):
            high = port.find(f".//{IPXACT}left")
            direction = port.find(f".//{IPXACT}direction").text
            self.of[port.find(f"{IPXACT}name").text] = (direction, 1 if high is None else int(high.text) + 1)
        names = [re.fullmatch(r"s_axis_(\d+)_tvalid", name) for name in self.of]
        self.tiles = len(list(filter(None, names)))
        if not self.tiles:
            raise SystemExit(f"{rtl}: tiles have no streams: write `interface = \"axi-stream\"` in `[endpoint]`")
        if "clk_0_i" in self.of:
            raise SystemExit(f"{rtl}: tiles have clocks of their own, and this wrapper has one clock")
        self.data_bits = self.bits("s_axis_0_tdata")
        self.tile_bits = max(self.bits("s_axis_0_tdest"), self.bits("m_axis_0_tid"))

    def bits(self, name):
        """Bits of a port; 0 if there is no such port."""
        return self.of.get(name, (None, 0))[1]

    @property
    def words_to_send(self):
        """Words that the core at tile 0 sends in a collective."""
        return int(re.search(r"(\d+) words? to send", (self.rtl / "rtl/mn_top.v").read_text())[1])

    @property
    def sources(self):
        """Files of the Verilog."""
        return [self.rtl / line for line in (self.rtl / "filelist.f").read_text().split()]
