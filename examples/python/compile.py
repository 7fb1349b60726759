"""metronoc from Python: compile, simulate and co-simulate, with NumPy as the judge.

The cells (`# %%`) run one by one in editors that know them, or all by `python compile.py`.
"""

# %% A specification: all-to-all on 18 routers, words of 16 bits
import numpy as np

import metronoc

SPEC = """
format = 1
[network]
topology = "swapped-dragonfly"
k = 2
m = 3
[router]
payload_bits = 16
"""
d3 = metronoc.compile(SPEC)
print(d3.verdict)
assert d3.cycles == max(d3.bounds.values()) == 12

# %% The schedule: every transfer, cycle by cycle
schedule = d3.schedule()
assert schedule["format"] == "metronoc-schedule/1"
print(len(schedule["transfers"]), "transfers")

# %% The Verilog, in memory
verilog = d3.verilog()
print(sum(text.count("\n") for text in verilog.values()), "lines in", len(verilog), "files")
assert "module mn_top" in verilog["rtl/mn_top.v"]

# %% Simulation: an all-to-all is a transpose
rng = np.random.default_rng(1)
sent = rng.integers(1 << 16, size=(18, 18), dtype=np.uint16)
received = d3.simulate(sent)
assert received.dtype == sent.dtype
np.testing.assert_array_equal(received, sent.T)

# %% The same words through the Verilog, in lockstep with the model
np.testing.assert_array_equal(d3.cosim(sent), sent.T)

# %% A product of matrices
product = metronoc.compile(
    """
format = 1
network = { topology = "swapped-dragonfly", k = 2, m = 2 }
collective = { kind = "matrix-matrix", signed = true }
"""
)
a, b = rng.integers(-100, 100, size=(2, 4, 4), dtype=np.int16)
np.testing.assert_array_equal(product.simulate(a=a, b=b), a.astype(int) @ b)

# %% Cycles over the size of the network
for m in range(2, 7):
    size = metronoc.compile(SPEC.replace("m = 3", f"m = {m}"))
    print(f"D3(2,{m}): {size.cycles} cycles, bound {max(size.bounds.values())}")
    assert size.cycles >= max(size.bounds.values())

# %% Errors show the line of the specification
try:
    metronoc.compile(SPEC.replace("k = 2", "q = 2"))
except metronoc.MetronocError as error:
    print(error)
    assert error.exit_code == 3 and 5 in [diagnostic["line"] for diagnostic in error.errors]
else:
    raise AssertionError("`q` is no key of a network")
