"""Runs examples that are NumPy's own text, or are but for the name `gp`, under NumPy: writes what they must print to
tests/cli/examples."""
import contextlib
import io
import os

import numpy as np

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
for name in ("kmeans", "life", "monte_carlo_pi", "regression"):
    example = os.path.join(root, "examples", name + ".gpy")
    printed = io.StringIO()
    with open(example, encoding="utf-8") as file, contextlib.redirect_stdout(printed):
        exec(compile(file.read(), example, "exec"), {"gp": np, "__name__": "__main__", "__file__": example})
    with open(os.path.join(root, "tests", "cli", "examples", name + ".txt"), "w", encoding="utf-8") as file:
        file.write(printed.getvalue())
