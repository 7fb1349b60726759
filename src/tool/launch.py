"""Starts an entry point of the private environment.

Usage: launch.py SHIM MODULE:FUNCTION [ARGUMENT...]

Independent of the interpreter's own packages (run it with `-I`) and of where the environment is.
"""

import importlib
import os
import sys
from pathlib import Path

# Folder of the shared runtime, beside this bundle's own; filled in at installation.
RUNTIME = "@RUNTIME@"

bundle = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(bundle / "site"), str(bundle.parent / RUNTIME / "site")]

# Compiled WebAssembly lives and dies with the bundle that it belongs to.
os.environ["YOWASP_CACHE_DIR"] = str(bundle / "wasm")
# A user's own mounts would take the working folder out of the tool's sight.
os.environ.pop("YOWASP_MOUNT", None)

module, function = sys.argv[2].split(":")
sys.argv = [sys.argv[1], *sys.argv[3:]]
getattr(importlib.import_module(module), function)()
