"""The `metronoc` program of the package, and its errors."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence


class MetronocError(Exception):
    """Failure of a metronoc command.

    `str(error)` is the text of all diagnostics as the command line shows them, with the lines of the specification.
    """

    exit_code: int
    """Exit code of the command; negative for a signal."""
    errors: List[Dict[str, Any]]
    """Diagnostics: `message` and `help`, and `file`, `line` and `column` where they are about the specification."""

    def __init__(self, rendered: str, exit_code: int, errors: Sequence[Dict[str, Any]] = ()):
        super().__init__(rendered)
        self.exit_code = exit_code
        self.errors = list(errors)

    def __reduce__(self):
        return type(self), (str(self), self.exit_code, self.errors)


def program() -> str:
    """Path of the program: of `$METRONOC`, of this environment, or from PATH.

    Raises FileNotFoundError if it is nowhere.
    """
    name = "metronoc" + (sysconfig.get_config_var("EXE") or "")
    named = os.environ.get("METRONOC")
    if named:
        found = shutil.which(named)
        if found is None:
            raise FileNotFoundError(f"METRONOC={named} is no program")
        return found
    own = Path(__file__).resolve().parent
    user = "nt_user" if os.name == "nt" else "posix_user"
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", vars={"base": sys.base_prefix}),
        # pip install --target, and --prefix
        own.parent / "bin",
        own.parents[3] / "bin" if len(own.parents) > 3 else None,
        sysconfig.get_path("scripts", scheme=user),
    ]
    for folder in folders:
        if folder and os.access(Path(folder, name), os.X_OK):
            return str(Path(folder, name))
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"{name} is in none of {[str(f) for f in folders if f]}, and not on PATH")
    return found


def run(args: Sequence[str], stdin: Optional[str] = None, folder: Optional[str] = None) -> str:
    """Runs a command in a folder; its standard output.

    Raises MetronocError with the diagnostics if it fails.
    """
    done = subprocess.run(
        [program(), *args, "--quiet", "--color", "never"],
        input=None if stdin is None else stdin.encode(),
        stdin=subprocess.DEVNULL if stdin is None else None,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        check=False,
    )
    said = done.stdout.decode(errors="replace")
    if done.returncode == 0:
        return said
    rendered = done.stderr.decode(errors="replace").strip()
    shown = f"metronoc {args[0]} ended with exit code {done.returncode}" + (f"\n{said}" if said else "")
    raise MetronocError(rendered or shown, done.returncode, _errors(said))


def _errors(said: str) -> List[Dict[str, Any]]:
    """Diagnostics of the last JSON object of a standard output; a failed result may stand before them."""
    decoder, at, errors = json.JSONDecoder(), 0, []
    while at < len(said):
        try:
            value, at = decoder.raw_decode(said, at)
        except ValueError:
            break
        if isinstance(value, dict):
            errors = value.get("errors", errors)
        while at < len(said) and said[at].isspace():
            at += 1
    return errors
