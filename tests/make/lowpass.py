"""Runs examples/lowpass.gpy on NumPy, with png.py in the place of matplotlib: prints what it must print."""
import os
import sys
import types

import numpy as np

from png import read_grey

example = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/lowpass.gpy")
pyplot = types.SimpleNamespace(imread=lambda path: read_grey(path).astype(np.float32) / np.float32(255))
sys.modules["matplotlib"] = types.ModuleType("matplotlib")
sys.modules["matplotlib"].pyplot = sys.modules["matplotlib.pyplot"] = pyplot
exec(compile(open(example).read(), example, "exec"), {"gp": np, "np": np, "__file__": example, "__name__": "__main__"})
