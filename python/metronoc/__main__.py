"""`python -m metronoc`: the program itself."""

import os
import sys

from ._program import program

os.execv(program(), ["metronoc", *sys.argv[1:]])
