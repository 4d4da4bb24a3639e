"""The modules of tests/lib/paired, which NumPy and gpy share."""
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parents[2] / "lib/paired/modules"


def module(name):
    made = type(sys)(name)
    sys.modules[name] = made
    path = FOLDER / f"{name}.gpy"
    exec(compile(path.read_text(), str(path), "exec"), made.__dict__)
    return made


operands, digest = module("operands"), module("digest")
