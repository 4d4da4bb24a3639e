#!/usr/bin/env python3
"""Random loops over numbers of Python and NumPy, compiled and interpreted by gpy: what they leave
in their names and arrays, warn of and raise must be the same, to the last bit.

    tests/fuzz/compiled_loops.py GPY COUNT [--seed FIRST] [--jobs 2]   compares, writes what differs
    tests/fuzz/compiled_loops.py GPY --show SEED                       prints a program
"""
import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

LOOPS_PER_PROGRAM = 6
TRIED_PER_PROGRAM = 40  # of which those are taken that go beyond their first rounds
HEAD = r'''import warnings
import numpy as np


def tell(name, function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = function()
    print(name, found[-1], *(repr(each).replace("\n", "") for each in found[:-1]))
    print("   ", len(caught), sorted({str(each.message) for each in caught}))


'''
NUMPY = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32",
         "float64", "complex64", "complex128", "bool"]
FAMILIES = {  # kinds of numbers, and the operators that they have
    "ints": (["int", "int", "int", "truth", "bool"] + NUMPY[:8],
             ["+", "-", "*", "+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "/"]),
    "reals": (["int", "float", "float", "float32", "float64", "float64", "int64", "uint8", "int16"],
              ["+", "-", "*", "/", "+", "-", "*", "/", "//", "%"]),
    "complex": (["int", "float", "complex", "complex", "float64", "float32", "complex64",
                 "complex128", "int64"], ["+", "-", "*", "/", "+", "-", "*"]),
    "any": (["int", "float", "complex", "truth"] + NUMPY, ["+", "-", "*", "+", "-", "*", "/"]),
}
INTS = [0, 1, 2, 3, 5, 7, 100, 250, -1, -2, 65535, 1 << 31, (1 << 53) + 1, 1 << 62]
FLOATS = ["0.0", "-0.0", "1.5", "-2.25", "0.1", "1e-3", "3e5", "1e200", "1e300", "5e-324", "7.0"]


class Writer:
    def __init__(self, seed):
        self.pick = random.Random(seed)
        self.lines = []

    def number(self, kind):
        pick = self.pick
        if kind == "int":
            return str(pick.choice(INTS[:9] if pick.random() < 0.7 else INTS))
        if kind == "float":
            return pick.choice(FLOATS[:8] if pick.random() < 0.8 else FLOATS)
        if kind == "complex":
            return f"complex({self.number('float')}, {self.number('float')})"
        if kind == "truth":
            return pick.choice(["True", "False"])
        if kind == "bool":
            return f"np.bool_({pick.choice([0, 1])})"
        if kind.startswith("complex"):
            return f"np.{kind}({self.number('complex')})" if kind == "complex128" else \
                f"np.{kind}(complex({pick.randint(-9, 9)}.5, {pick.randint(-9, 9)}))"
        if kind.startswith("float"):
            return f"np.{kind}({self.number('float') if kind == 'float64' else pick.choice(FLOATS[:7])})"
        bits = int(kind.strip("uint"))
        top = (1 << bits) - 1 if kind[0] == "u" else (1 << bits - 1) - 1
        low = 0 if kind[0] == "u" else -top - 1
        return f"np.{kind}({pick.choice([0, 1, 2, 3, 9, top, top - 1, top // 3, low, low + 1])})"

    def kind(self):
        return self.pick.choice(self.kinds)

    def atom(self):
        pick, roll = self.pick, self.pick.random()
        if roll < 0.62:
            return pick.choice(self.names)
        if roll < 0.72:
            return self.number(pick.choice([each for each in self.kinds if each not in NUMPY]))
        if roll < 0.8:
            return f"np.{pick.choice(self.numpys)}({pick.choice(self.names + [str(pick.randint(0, 9))])})"
        return self.element()

    def element(self):
        pick = self.pick
        index = pick.choice([self.index, f"{self.index} - 1", "-1", "3", f"({self.index} * 5 + 2) % 12"])
        return f"{pick.choice(self.arrays)}[{index}]"

    def expression(self, depth=0):
        pick, roll = self.pick, self.pick.random()
        if depth > 2 or roll < 0.25:
            return self.atom()
        inner = lambda: self.expression(depth + 1)
        if roll < 0.74:
            op = pick.choice(self.operators)
            right = inner()
            if op in ("<<", ">>"):
                right = pick.choice([str(pick.randint(0, 9)), "np.uint8(3)", right])
            return f"({inner()} {op} {right})"
        if roll < 0.77:
            return f"({inner()} ** {pick.choice(['2', '3', '0', '2.0', self.atom()])})"
        if roll < 0.84:
            return pick.choice(["abs({})", "(-{})", "({}).real", "({}).imag", "({}).conjugate()",
                                "np.abs({})", "np.conj({})"] +
                               (["(~{})"] if "<<" in self.operators else ["np.sqrt({})"])).format(inner())
        if roll < 0.9:
            call = pick.choice([each for each in ("int", "float", "complex") if each in self.kinds] +
                               ["bool"] + ["np." + each for each in self.numpys])
            return f"{call}({inner()})".replace("np.bool(", "np.bool_(")
        if roll < 0.93 and "complex" not in self.kinds:
            return f"{pick.choice(['min', 'max'])}({inner()}, {inner()})"
        if roll < 0.96:
            return f"({inner()} if {self.condition(depth + 1)} else {inner()})"
        return self.condition(depth + 1)

    def condition(self, depth=0):
        pick = self.pick
        op = pick.choice(["<", "<=", ">", ">=", "==", "!="][4 if "complex" in self.kinds else 0:])
        text = f"{self.expression(depth + 1)} {op} {self.expression(depth + 1)}"
        roll = pick.random()
        if roll < 0.15:
            return f"({text} and {self.expression(depth + 1)})"
        if roll < 0.25:
            return f"(not {text})"
        return f"({text})"

    def converted(self, name):
        kind = self.kind_of[name]
        if kind in ("int", "truth", "bool") or self.pick.random() < 0.3:
            return self.expression()
        if kind in ("complex", "complex64", "complex128"):
            value = f"({self.expression()} * 0.25 + {self.expression()} * {self.number('float')})"
            return f"complex({value})" if kind == "complex" else f"np.{kind}({value})"
        return f"{kind if kind == 'float' else 'np.' + kind}({self.expression()})"

    def statement(self, margin, depth):
        pick, roll = self.pick, self.pick.random()
        pad = " " * margin
        if roll < 0.4:
            name = pick.choice(self.own)  # mostly of one type, or the loop is not compiled
            self.lines.append(f"{pad}{name} = {self.converted(name)}")
        elif roll < 0.5:
            op = pick.choice(self.operators)
            self.lines.append(f"{pad}{pick.choice(self.own)} {op}= {self.expression(1)}")
        elif roll < 0.75:
            self.lines.append(f"{pad}{self.element()} = {self.expression()}")
        elif roll < 0.9 or depth > 1:
            self.lines.append(f"{pad}if {self.condition()}:")
            self.statement(margin + 4, depth + 1)
            if pick.random() < 0.4:
                self.lines.append(f"{pad}else:")
                self.statement(margin + 4, depth + 1)
        else:
            self.lines.append(f"{pad}{self.loop_head(f'j{depth}')}")
            for _ in range(pick.randint(1, 2)):
                self.statement(margin + 4, depth + 1)

    def loop_head(self, index):
        pick = self.pick
        sources = self.arrays + self.lists
        kind = pick.choice(["range", "range", "items", "items", "enumerate", "zip"])
        if kind == "range":
            bounds = pick.choice(["12", "2, 9", "11, -1, -1", "0, 40, 5"])
            return f"for {index} in range({bounds}):"
        if kind == "items":
            name = pick.choice(["x", "y"])
            return f"for {name} in {pick.choice(sources)}:"
        if kind == "enumerate":
            return f"for {index}, {pick.choice(['x', 'y'])} in enumerate({pick.choice(sources)}):"
        return f"for x, y in zip({pick.choice(sources)}, {pick.choice(sources)}):"

    def loop(self, number):
        pick = self.pick
        self.kinds, self.operators = FAMILIES[pick.choice(["ints", "reals", "complex", "complex", "any"])]
        self.numpys = [each for each in self.kinds if each in NUMPY]
        kinds = {name: self.kind() for name in "abcd"}
        kinds["x"], kinds["y"] = self.kind(), self.kind()
        self.kind_of = kinds
        self.own, self.names = list("abcd"), list("abcdxy") + ["i"]
        self.arrays, self.lists, self.index = ["m", "n"], ["p", "q"], "i"
        self.lines = [f"def loop{number}():"]
        for name, kind in kinds.items():
            self.lines.append(f"    {name} = {self.number(kind)}")
        for name in self.arrays:
            dtype = pick.choice(self.numpys)
            step = pick.choice(["1", "0.25"]) if dtype[0] in "fc" else "1"
            self.lines.append(f"    {name} = (np.arange(12) * {step}).astype(np.{dtype})" +
                              pick.choice(["", "", "[::-1]"]))
        for name in self.lists:
            kind = pick.choice([each for each in self.kinds if each not in NUMPY + ["bool"]])
            items = ", ".join(self.number(kind) for _ in range(12))
            self.lines.append(f"    {name} = " + pick.choice([f"[{items}]", f"({items})"]))
        self.lines += ["    i = 0", "    told = None", "    try:", "        for again in range(40):",
                       "            " + self.loop_head("i")]
        for _ in range(pick.randint(2, 4)):
            self.statement(16, 0)
        self.lines += ["    except Exception as error:",
                       "        told = type(error).__name__ + ': ' + str(error)",
                       "    return a, b, c, d, x, y, i, m, n, told", "", "",
                       f"tell({number}, loop{number})", ""]
        return "\n".join(self.lines)


def program(seed, gpy):
    """Loops that have no error in the interpreter, but for the last of them."""
    writer = Writer(seed)
    loops = [writer.loop(k) for k in range(TRIED_PER_PROGRAM)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tried.gpy")
        with open(path, "w") as file:
            file.write(HEAD + "\n".join(loops))
        told = run(gpy, path, "off", folder).splitlines()
    runs = {line.split(" ", 1)[0]: line for line in told if line[:1].isdigit()}
    through = [loop for k, loop in enumerate(loops) if runs.get(str(k), "").startswith(f"{k} None")]
    return HEAD + "\n".join((through[:LOOPS_PER_PROGRAM - 1] + loops)[:LOOPS_PER_PROGRAM])


def run(gpy, path, mode, cache):
    environment = dict(os.environ, GPY_COMPILE_LOOPS=mode, GPY_CACHE_DIR=cache)
    out = subprocess.run([gpy, path], capture_output=True, text=True, timeout=600, env=environment)
    return out.stdout + out.stderr


def compare(gpy, seed, folder):
    path = os.path.join(folder, f"loops_{seed}.gpy")
    with open(path, "w") as file:
        file.write(program(seed, gpy))
    interpreted, compiled = (run(gpy, path, mode, os.path.join(folder, "cache"))
                             for mode in ("off", "at-once"))
    if interpreted == compiled:
        os.remove(path)
        return seed, None
    pairs = [each for each in zip(interpreted.splitlines(), compiled.splitlines()) if len(set(each)) > 1]
    return seed, f"{path}\n" + "\n".join(f"  interpreted {a}\n  compiled    {b}" for a, b in pairs[:4])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("gpy")
    parser.add_argument("count", type=int, nargs="?", default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int)
    options = parser.parse_args()
    if options.show is not None:
        return print(program(options.show, options.gpy))
    folder = tempfile.mkdtemp(prefix="compiled_loops_")
    found = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(compare, options.gpy, seed, folder)
                for seed in range(options.seed, options.seed + options.count)]
        for job in concurrent.futures.as_completed(jobs):
            seed, difference = job.result()
            if difference:
                found += 1
                print(f"seed {seed}: {difference}", flush=True)
    print(f"{options.count} programs of {LOOPS_PER_PROGRAM} loops, {found} differ")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
