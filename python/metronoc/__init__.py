"""metronoc: conflict-free schedules, Verilog and simulation of a collective on a topology.

>>> import metronoc
>>> d3 = metronoc.compile('''
... format = 1
... network = { topology = "swapped-dragonfly", k = 2, m = 3 }
... ''')
>>> d3.cycles, max(d3.bounds.values())
(12, 12)

Every call runs the `metronoc` program of this package with `--json`.
"""

from ._compiled import Compiled, compile
from ._program import MetronocError, program

__all__ = ["Compiled", "MetronocError", "compile", "program"]
