"""A specification, compiled."""

import json
import os
import re
import tempfile
from functools import cached_property
from pathlib import Path
from typing import Any, Dict, List, Optional, Union

import numpy as np

from ._program import run


def compile(source: Union[str, "os.PathLike[str]"], *, seed: Optional[int] = None) -> "Compiled":
    """Schedules a specification and proves the schedule.

    `source` is the text of a specification (TOML), or the path of one or of a schedule. A string is text if it has
    a line break or an `=`. Files that a text names are looked up from the working folder. `seed` replaces the
    specification's.

    Raises MetronocError for a bad specification, with the lines that are wrong, and where there is no schedule.
    """
    return Compiled(source, seed)


class Compiled:
    """A specification with its proved schedule. Made by `compile`."""

    def __init__(self, source: Union[str, "os.PathLike[str]"], seed: Optional[int] = None):
        is_text = isinstance(source, str) and re.search(r"[\n=]", source) is not None
        # a later change of the working folder does not matter
        self._folder = os.getcwd()
        self._text = source if is_text else None
        self._spec = "-" if is_text else str(Path(os.fspath(source)).absolute())
        self._seed = [] if seed is None else ["--seed", str(seed)]
        self.check: Dict[str, Any] = json.loads(self._run("check", "--json"))
        """Output of `metronoc check --json`."""

    def __repr__(self) -> str:
        return f"<metronoc.Compiled {self.check.get('network')}: {self.algorithm}, {self.cycles} cycles>"

    @property
    def cycles(self) -> int:
        """Clock cycles from the first channel to the last."""
        return self.check["cycles"]

    @property
    def bounds(self) -> Dict[str, int]:
        """Lower bounds in clock cycles, by name."""
        return {name: bound for name, bound in self.check["bounds"].items() if isinstance(bound, (int, float))}

    @property
    def algorithm(self) -> Optional[str]:
        """Name of the schedule's algorithm."""
        return self.check.get("algorithm")

    @cached_property
    def verdict(self) -> str:
        """Verdict of the check, for people: as `metronoc check` prints it."""
        return self._run("check")

    def schedule(self) -> Dict[str, Any]:
        """Every transfer, in the form metronoc-schedule/1."""
        return json.loads(self._run("schedule", "--format", "json"))

    def verilog(self) -> Dict[str, str]:
        """Verilog and the files beside it: relative path → text."""
        with tempfile.TemporaryDirectory(prefix="metronoc-") as work:
            folder = Path(work, "rtl")
            files = json.loads(self._run("generate", "-o", str(folder), "--json"))["files"]
            return {name: Path(folder, name).read_text(encoding="utf-8") for name in files}

    def simulate(self, data: Any = None, *, a: Any = None, b: Any = None) -> np.ndarray:
        """Array that comes out of the schedule, cycle by cycle in software.

        `data` has the collective's shape, of unsigned integers; `a` and `b` are the operands of a product of matrices,
        `a` alone that of a transpose. Raises MetronocError for another shape or type, and if a word that comes out is
        wrong.
        """
        return self._through("simulate", {"data": data, "a": a, "b": b})

    def cosim(self, data: Any = None, *, a: Any = None, b: Any = None) -> np.ndarray:
        """Array that comes out of the Verilog, in lockstep with the software model: every channel in every cycle.

        Takes what `simulate` takes. Verilator is installed at the first call. Raises MetronocError at the first
        difference.
        """
        return self._through("cosim", {"data": data, "a": a, "b": b})

    def _through(self, command: str, arrays: Dict[str, Any]) -> np.ndarray:
        given = {name: array for name, array in arrays.items() if array is not None}
        if not given:
            raise TypeError(f"{command} takes an array, or the operands a and b of a product")
        with tempfile.TemporaryDirectory(prefix="metronoc-") as work:
            options: List[str] = []
            for name, array in given.items():
                file = Path(work, f"{name}.npy")
                np.save(file, np.ascontiguousarray(array), allow_pickle=False)
                options += [f"--{name}", str(file)]
            out = Path(work, "out.npy")
            self._run(command, *options, "--out", str(out), "--json")
            return np.load(out, allow_pickle=False)

    def _run(self, command: str, *args: str) -> str:
        return run([command, self._spec, *self._seed, *args], self._text, self._folder)
