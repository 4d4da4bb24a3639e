"""Runs examples that are NumPy's own text, under NumPy: writes what they must print to tests/cli/examples."""
import contextlib
import io
import os

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
for name in ("life", "monte_carlo_pi", "regression"):
    example = os.path.join(root, "examples", name + ".gpy")
    printed = io.StringIO()
    with open(example) as file, contextlib.redirect_stdout(printed):
        exec(compile(file.read(), example, "exec"), {"__name__": "__main__", "__file__": example})
    with open(os.path.join(root, "tests", "cli", "examples", name + ".txt"), "w") as file:
        file.write(printed.getvalue())
