#!/usr/bin/env python3
"""Writes tests/lib/paired/*.gpy: expressions, and what NumPy gives for them, as tokens of modules/digest.gpy.

    tests/make/paired_cases.py [FAMILY...] [--whole FOLDER]

The families are the modules of paired/: each has `rows(row)`, which calls row(text, shapes, codes, kinds, ...)."""
import argparse
import importlib
import operator
import pathlib
import sys
import warnings

import numpy as np

TARGET = pathlib.Path(__file__).parents[1] / "lib/paired"
FAMILIES = ("ufuncs", "binary", "special", "casts", "reductions", "scans", "sorting", "sets", "shapes", "joining",
            "indexing", "products", "linear", "transforms", "statistics", "creation", "methods", "mistakes")
CASES_A_FILE = 1500
# NumPy says in which order results lie in memory for these; for the others only what is a view is told.
WITH_ORDER = ("ufuncs", "binary", "casts", "shapes")
HEAD = """# Written by tests/make/paired_cases.py.
{0}import operator
import sys
import numpy as np
sys.path.append(sys.path[0] + "/modules")
from table import check


def cases(t):
"""
TAIL = """

print(check(cases, np))  # expect: 0 differ
print(check(cases, gp))  # expect: 0 differ
"""


def module(name):
    """A module that the scripts share."""
    path = TARGET / "modules" / f"{name}.gpy"
    made = type(sys)(name)
    sys.modules[name] = made
    exec(compile(path.read_text(), str(path), "exec"), made.__dict__)
    return made


operands, digest = module("operands"), module("digest")


def crossed(shapes, codes, whole):
    """Every shape with the first code, and every code with a shape; of the whole set, every code with the first shape too."""
    pairs = [(shape, codes[0]) for shape in shapes]
    pairs += [(shapes[(3 * k + 1) % len(shapes)], code) for k, code in enumerate(codes)]
    if whole:
        pairs += [(shapes[0], code) for code in codes]
    return dict.fromkeys(pairs)


class Family:
    def __init__(self, name, whole):
        self.rows, self.with_order, self.whole = [], name in WITH_ORDER, whole

    def __call__(self, text, shapes="-", codes="-", kinds="a", options="order", slack=16):
        """Shapes and codes are lists, an item of which is for all operands: "3x4,4" and "df"."""
        options = options if self.with_order else options.replace("order", "view")
        shapes, codes = (each.split() if isinstance(each, str) else each for each in (shapes, codes))
        pairs = crossed(shapes, codes, self.whole)
        call = eval(f"lambda np, {', '.join('abc'[:len(kinds)])}: {text}" if shapes != ["-"] else f"lambda np: {text}")
        lines = [self.line(call, shape, code, kinds, options) for shape, code in pairs]
        self.rows.append((text, kinds if shapes != ["-"] else "", options, slack, lines))

    def line(self, call, shape, code, kinds, options):
        if shape == "-":
            names = []
        else:
            parts = [""] * len(kinds) if shape == "0-d" else shape.split(",")
            names = [kind + part.replace("0-d", "") + c for kind, part, c in zip(kinds, parts, code, strict=True)]
        found = digest.outcome(np, call, [operands.operand(np, name) for name in names], options)
        return " ".join([",".join(names) or "-", *map(digest.written, found)])


def row_text(text, kinds, options, slack, lines):
    parameters = ", ".join(["np", *"abc"[:len(kinds)]])
    more = (f", {options!r}" if options != "order" or slack != 16 else "") + (f", {slack}" if slack != 16 else "")
    quoted = repr(text).replace("\\\\", "\\")
    return f"    t(lambda {parameters}: {text},\n      {quoted}, r'''\n" + "\n".join(lines) + f"\n'''{more})\n"


def files(rows):
    """Rows in portions of about as many cases."""
    portion, count = [], 0
    for row in rows:
        if count + len(row[4]) > CASES_A_FILE and portion:
            yield portion, count
            portion, count = [], 0
        portion.append(row)
        count += len(row[4])
    yield portion, count


def write(family, folder, whole):
    made = Family(family, whole)
    importlib.import_module(f"paired.{family}").rows(made)
    for old in folder.glob(f"{family}_*.gpy"):
        old.unlink()
    for number, (portion, count) in enumerate(files(made.rows), 1):
        # Sums of the largest and the smallest numbers depend on the order in which they are added.
        text = HEAD.format("# not under: tile\n" if family == "special" else "") + "".join(row_text(*row) for row in portion) + TAIL
        (folder / f"{family}_{number}.gpy").write_text(text)
    print(f"{family}: {sum(len(row[4]) for row in made.rows)} cases")


def main():
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=" ".join(FAMILIES))
    parser.add_argument("--whole", metavar="FOLDER", type=pathlib.Path, help="twice as many cases, into a folder of their own")
    options = parser.parse_args()
    for family in options.families or FAMILIES:
        write(family, options.whole or TARGET, options.whole is not None)


if __name__ == "__main__":
    main()
