#!/usr/bin/env python3
"""Random loops over numbers of Python and NumPy, compiled and interpreted by gpy: what they leave
in their names and arrays, warn of and raise must be the same, to the last bit.

    tests/fuzz/compiled_loops.py GPY COUNT [--seed FIRST] [--jobs 2]   compares, writes what differs
    tests/fuzz/compiled_loops.py GPY --show SEED                       prints a program

Each name has one type throughout, and each expression is made for the type that is wanted, so that
most loops are compiled: how many were is told at the end. Values lie near the limits of their
types, indices at both ends of the arrays and beyond; an error ends the rounds of a loop in their
midst, and the names go on being used behind it.
"""
import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

LOOPS_PER_PROGRAM = 8
HEAD = r'''import sys, warnings
import numpy as np


def tell(name, function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = function()
    print(name, *(repr(each).replace("\n", "") for each in found))
    print("   ", len(caught), sorted({str(each.message) for each in caught}))
    print(name, str(gp.explain(function)).replace("\n", " | "), file=sys.stderr)


def grown(u, v):
    return u * 2 + v


def chosen(u, v):
    if u > v:
        return u - v
    return v


'''
SIGNED, UNSIGNED = ["int8", "int16", "int32", "int64"], ["uint8", "uint16", "uint32", "uint64"]
WHOLE = SIGNED + UNSIGNED
FLOATS, COMPLEX = ["float32", "float64"], ["complex64", "complex128"]
NUMPY = WHOLE + FLOATS + COMPLEX + ["bool"]
PYTHON = ["int", "float", "complex", "truth"]
# A name that may hold Python's numbers and NumPy's.
EITHER = {"int or int64": ("int", "int64"), "float or float64": ("float", "float64"),
          "complex or complex128": ("complex", "complex128")}
INTS = [0, 1, 2, 3, 5, 7, 100, 250, -1, -2, -7, 65535, 1 << 31, -(1 << 31), (1 << 53) + 1]
LIMITS = [(1 << 63) - 1, -(1 << 63), (1 << 62), -(1 << 62) - 1, (1 << 63) - 5, 3037000500]
REALS = ["0.0", "-0.0", "1.5", "-2.25", "0.1", "1e-3", "3e5", "7.0", "-1.0", "2.0"]
EXTREME_REALS = ["1e200", "1e300", "5e-324", "1.7e308", "9007199254740993.0", "9.3e18", "-9.3e18",
                 "3e38", "4e38", "float('inf')", "float('nan')"]
SIZE = 24


def bits_of(kind):
    return int(re.sub(r"\D", "", kind))


def limits(kind):
    bits = bits_of(kind)
    return (0, (1 << bits) - 1) if kind[0] == "u" else (-(1 << bits - 1), (1 << bits - 1) - 1)


def narrower(kind):
    """The ints that arithmetic with `kind` leaves of its type."""
    same = UNSIGNED if kind[0] == "u" else SIGNED
    out = [each for each in same if bits_of(each) <= bits_of(kind)]
    if kind[0] == "i":
        out += [each for each in UNSIGNED if bits_of(each) < bits_of(kind)]
    return out


class Writer:
    def __init__(self, seed):
        self.pick = random.Random(seed)

    # --- numbers ---

    def chance(self, share):
        return self.pick.random() < share

    def literal(self, kind):
        pick = self.pick
        if kind == "int":
            return str(pick.choice(INTS if self.chance(0.85) else LIMITS))
        if kind == "float":
            return pick.choice(REALS if self.chance(0.9) else EXTREME_REALS)
        if kind == "complex":
            return f"complex({self.literal('float')}, {self.literal('float')})"
        if kind == "truth":
            return pick.choice(["True", "False"])
        if kind == "bool":
            return f"np.bool_({pick.choice(['True', 'False'])})"
        if kind in FLOATS:
            return f"np.{kind}({pick.choice(REALS) if kind == 'float32' else self.literal('float')})"
        if kind in COMPLEX:
            return f"np.{kind}(complex({pick.choice(REALS)}, {pick.choice(REALS)}))"
        low, high = limits(kind)
        near = [low, low + 1, high, high - 1, high // 2, high // 3]
        return f"np.{kind}({pick.choice(near if self.chance(0.3) else [0, 1, 2, 3, 5, 9, 100])})"

    def names(self, kind):
        """What is there of exactly this type."""
        out = [name for name, own in self.kinds.items() if kind in EITHER.get(own, (own,))]
        if kind == "int" and self.index:
            out += [self.index] * 2
        out += [f"{name}[{self.place()}]" for name, own in self.arrays.items() if own == kind]
        if self.matrix == kind:
            out.append(f"g[{self.place(3)}, {self.place(4)}]")
        return out

    def place(self, size=SIZE):
        pick = self.pick
        inner = [name for name, own in self.kinds.items() if own in WHOLE]
        if self.chance(0.005):
            return pick.choice([str(size), str(-size - 1), f"{self.index or 0} + {size - 4}"])
        if inner and self.chance(0.1):
            return f"{pick.choice(inner)} % {size}"
        if not self.index:
            return pick.choice(["0", "-1", f"{size - 1}", f"-{size}"])
        i = self.index
        if size < SIZE:
            return pick.choice([f"{i} % {size}", f"-({i} % {size})", "0", "-1", f"{size - 1}"])
        return pick.choice([i, i, f"{i} - 1", f"-{i}", f"{i} + 1", "-1", "3",
                            f"({i} * 5 + 2) % {size}", f"{i} - {size}", f"~{i}", f"{i} // 2"])

    def expression(self, kind, depth=0):
        if kind in EITHER:
            return self.expression(self.pick.choice(EITHER[kind]), depth)
        known = self.names(kind)
        if depth > 2 or self.chance(0.22):
            return self.pick.choice(known) if known and self.chance(0.8) else self.literal(kind)
        if self.chance(0.06):
            return f"({self.expression(kind, depth + 1)} if {self.test(depth + 1)} else " \
                   f"{self.expression(kind, depth + 1)})"
        if kind in WHOLE:
            return self.numpy_int(kind, depth)
        return getattr(self, "make_" + kind)(lambda of=kind: self.expression(of, depth + 1), depth)

    def make_int(self, inner, depth):
        pick, roll = self.pick, self.pick.random()
        if roll < 0.12:  # near the limits of 64 bits
            return f"({pick.choice(LIMITS)} {pick.choice('+-+-*')} {inner()})"
        if roll < 0.5:
            return f"({inner()} {pick.choice('+-*+-*&|^')} {inner()})"
        if roll < 0.62:
            divisor = inner() if self.chance(0.1) else pick.choice([f"({inner()} | 1)", "7", "-3", "1000"])
            return f"({inner()} {pick.choice(['//', '%'])} {divisor})"
        if roll < 0.68:
            shift = pick.choice([str(pick.randint(0, 9)), "62", f"({inner()} & 7)"])
            return f"({inner()} {pick.choice(['<<', '>>'])} {shift})"
        if roll < 0.73:
            return pick.choice(["(-{})", "(~{})", "abs({})", "(+{})"]).format(inner())
        if roll < 0.78:
            return f"{pick.choice(['min', 'max'])}({inner()}, {inner()})"
        if roll < 0.82:
            return f"({inner()} ** {pick.choice(['2', '3', '0', '1'])})"
        if roll < 0.9:
            return f"int({inner(pick.choice(self.own_kinds(WHOLE + ['truth'] + (FLOATS + ['float'] if self.chance(0.2) else []))))})"
        if roll < 0.93:
            return f"({inner('truth')} + {inner()})"
        if roll < 0.96 and self.calls:
            return f"{pick.choice(['grown', 'chosen'])}({inner()}, {inner()})"
        return pick.choice(["len(m)", f"round({self.literal('float')})", f"({inner()}).real", f"({inner()}).conjugate()"])

    def make_float(self, inner, depth):
        pick, roll = self.pick, self.pick.random()
        if roll < 0.5:
            left, right = inner(), inner(pick.choice(["float", "float", "int", "truth"]))
            if self.chance(0.3):
                left, right = right, left
            op = pick.choice("+-*/+-*")
            return f"({left} {op} {self.divisor(inner) if op == '/' else right})"
        if roll < 0.56:
            return f"({inner()} {pick.choice(['//', '%'])} {self.divisor(inner)})"
        if roll < 0.64:
            return f"({inner('int')} / ({inner('int')} | 1))"
        if roll < 0.72:
            return f"float({inner(pick.choice(self.own_kinds(WHOLE + FLOATS + ['int'])))})"
        if roll < 0.78:
            return pick.choice(["(-{})", "abs({})"]).format(inner())
        if roll < 0.84:
            return f"{pick.choice(['min', 'max'])}({inner()}, {inner()})"
        if roll < 0.9:
            return f"({inner('complex')}).{pick.choice(['real', 'imag'])}"
        if roll < 0.93:
            return f"abs({inner('complex')})"
        if roll < 0.96 and self.calls:
            return f"{pick.choice(['grown', 'chosen'])}({inner()}, {inner()})"
        return f"({inner()} ** {pick.choice(['2', '3', '0.5', '-1'])})"

    def divisor(self, inner):
        """Mostly not 0."""
        return inner() if self.chance(0.15) else self.pick.choice([f"({inner()} + 1e6)", "2.5", "-3.0", "0.3"])

    def make_complex(self, inner, depth):
        pick, roll = self.pick, self.pick.random()
        if roll < 0.62:
            left, right = inner(), inner(pick.choice(["complex", "complex", "float", "int", "float64"]))
            if self.chance(0.3) and "np." not in right and not self.holds_numpys(right):
                left, right = right, left
            return f"({left} {pick.choice('+-*/+-*')} {right})"
        if roll < 0.7:
            return f"complex({inner('float')}, {inner(pick.choice(['float', 'int']))})"
        if roll < 0.78:
            return f"complex({inner(pick.choice(self.own_kinds(COMPLEX + ['float', 'int'])))})"
        if roll < 0.9:
            return pick.choice(["(-{})", "({}).conjugate()"]).format(inner())
        return f"({inner()} ** {pick.choice(['2', '3', '0', '-1', '0.5', inner('int') + ' % 4'])})"

    def holds_numpys(self, text):
        return any(own not in PYTHON and re.search(rf"\b{name}\b", text)
                   for name, own in {**self.kinds, **self.arrays, "g": self.matrix}.items())

    def make_truth(self, inner, depth):
        return self.compared("truth", inner, depth)

    def make_bool(self, inner, depth):
        if self.chance(0.2):
            return f"np.bool_({inner(self.pick.choice(self.own_kinds(NUMPY + PYTHON)))})"
        return self.compared("bool", inner, depth)

    def compared(self, kind, inner, depth):
        pick, roll = self.pick, self.pick.random()
        if kind == "truth" and roll < 0.15:
            return f"(not {inner(pick.choice(self.own_kinds(NUMPY + PYTHON)))})"
        if kind == "truth" and roll < 0.25:
            return f"bool({inner(pick.choice(self.own_kinds(NUMPY + PYTHON)))})"
        if roll < 0.35:
            return f"({inner()} {pick.choice(['and', 'or', '&', '|', '^'] if kind == 'truth' else ['and', 'or'])} {inner()})"
        pythons = ["int", "float", "truth", "int"]
        left = pick.choice(pythons if kind == "truth" else self.own_kinds(WHOLE + FLOATS))
        right = pick.choice(pythons if kind == "truth" else self.own_kinds(WHOLE + FLOATS + pythons))
        op = pick.choice(["<", "<=", ">", ">=", "==", "!="])
        if self.chance(0.1):  # an int that no float is
            number = inner("int") if kind == "truth" else inner(pick.choice(["int64", "uint64"]))
            beside = "9007199254740992.0" if kind == "truth" else "np.float64(9007199254740992.0)"
            return f"(({number} % 4 + 9007199254740990) {op} {beside})"
        if self.chance(0.15):
            left, op = ("complex" if kind == "truth" else pick.choice(COMPLEX)), pick.choice(["==", "!="])
        if kind == "truth" and self.chance(0.15):
            return f"({inner(left)} {op} {inner(right)} {'!=' if left == 'complex' else '<='} {inner(right)})"
        return f"({inner(left)} {op} {inner(right)})"

    def test(self, depth=0):
        """A condition: any number may be one."""
        roll = self.pick.random()
        if roll < 0.7:
            return self.compared(self.pick.choice(["truth", "bool"]),
                                 lambda of="truth": self.expression(of, depth + 1), depth)
        if roll < 0.85:
            return f"({self.test(depth + 1)} {self.pick.choice(['and', 'or'])} {self.test(depth + 1)})" \
                if depth < 2 else self.expression("truth", depth + 1)
        return self.expression(self.pick.choice(self.own_kinds(NUMPY + PYTHON)), depth + 1)

    def own_kinds(self, among):
        """Mostly kinds that some name has."""
        own = [each for each in list(self.kinds.values()) + list(self.arrays.values()) if each in among]
        return own if own and self.chance(0.8) else among

    def numpy_int(self, kind, depth):
        pick, roll = self.pick, self.pick.random()
        inner = lambda of=kind: self.expression(of, depth + 1)
        def other():
            if self.chance(0.3):
                low, high = limits(kind)
                far = [str(high), str(high + 1), str(low), str(low - 1)]
                return pick.choice(["1", "2", "3", "7"] if self.chance(0.97) else far)
            if self.chance(0.1):
                return inner("int") + " % 100"
            return inner(pick.choice(narrower(kind)))
        if roll < 0.5:
            left, right = inner(), other()
            if self.chance(0.3):
                left, right = right, left
            return f"({left} {pick.choice('+-*+-*&|^')} {right})"
        if roll < 0.62:
            divisor = other() if self.chance(0.1) else pick.choice([f"({inner()} | np.{kind}(1))", "3", f"np.{kind}(5)"])
            return f"({inner()} {pick.choice(['//', '%'])} {divisor})"
        if roll < 0.7:
            return f"({inner()} {pick.choice(['<<', '>>'])} {pick.choice(['1', '3', '70', 'np.uint8(2)' if kind != 'int8' else '2'])})"
        if roll < 0.78:
            return pick.choice(["(-{})", "(~{})", "abs({})", "(+{})", "({}).real", "({}).conjugate()"]).format(inner())
        if roll < 0.84:
            return f"{pick.choice(['min', 'max'])}({inner()}, {inner()})"
        if roll < 0.88:
            return f"({inner()} ** {pick.choice(['2', '3', '0'])})"
        of = pick.choice(self.own_kinds(WHOLE + ["int", "truth"]))
        whole = "" if of in WHOLE or self.chance(0.1) else f" % {min(limits(kind)[1], 1 << 40) + 1}"
        return f"np.{kind}({inner(of)}{whole})"

    def mixed(self, kind, others, inner):
        left, right = inner(), inner(self.pick.choice([kind] + self.own_kinds(others)))
        if self.chance(0.3):
            left, right = right, left
        return left, right

    def make_float32(self, inner, depth):
        return self.numpy_float("float32", ["float", "int", "int8", "uint8", "int16", "uint16"], inner)

    def make_float64(self, inner, depth):
        if self.chance(0.1):
            return f"({inner('complex128')}).{self.pick.choice(['real', 'imag'])}"
        if self.chance(0.08):
            return f"({inner(self.pick.choice(['int64', 'int32']))} / {inner('int64')})"
        return self.numpy_float("float64", ["float", "int", "float32"] + WHOLE, inner)

    def numpy_float(self, kind, others, inner):
        pick, roll = self.pick, self.pick.random()
        if roll < 0.6:
            left, right = self.mixed(kind, others, inner)
            return f"({left} {pick.choice('+-*/+-*')} {right})"
        if roll < 0.68:
            left, right = self.mixed(kind, others, inner)
            return f"({left} {pick.choice(['//', '%', '**'])} {right})"
        if roll < 0.78:
            return pick.choice(["(-{})", "abs({})", "np.abs({})", "np.floor({})", "np.sqrt(abs({}))",
                                "({}).real", "({}).conjugate()", "np.square({})"]).format(inner())
        if roll < 0.88:
            return f"{pick.choice(['min', 'max', 'np.maximum', 'np.minimum'])}({inner()}, {inner()})"
        return f"np.{kind}({inner(pick.choice(self.own_kinds(FLOATS + WHOLE + ['float', 'int'])))})"

    def make_complex64(self, inner, depth):
        return self.numpy_complex("complex64", ["complex", "float", "int", "float32"], inner)

    def make_complex128(self, inner, depth):
        return self.numpy_complex("complex128", ["complex", "float", "int", "float64", "complex64"], inner)

    def numpy_complex(self, kind, others, inner):
        pick, roll = self.pick, self.pick.random()
        if roll < 0.65:
            left, right = self.mixed(kind, others, inner)
            return f"({left} {pick.choice('+-*/+-*')} {right})"
        if roll < 0.8:
            return pick.choice(["(-{})", "({}).conjugate()", "np.conj({})"]).format(inner())
        if roll < 0.86:
            return f"({inner()} ** {pick.choice(['2', '3', '0', '1'])})"
        return f"np.{kind}({inner(pick.choice(self.own_kinds(COMPLEX + FLOATS + ['complex', 'float'])))})"

    # --- statements ---

    def line(self, margin, text):
        self.lines.append(" " * margin + text)

    def statement(self, margin, depth):
        pick, roll = self.pick, self.pick.random()
        name = pick.choice(self.own)
        kind = self.kinds[name]
        if roll < 0.38:
            self.line(margin, f"{name} = {self.bounded(kind, self.expression(kind))}")
        elif roll < 0.46:
            self.line(margin, f"{name} {self.augmented(kind)}")
        elif roll < 0.66:
            self.store(margin)
        elif roll < 0.71:
            same = [each for each in self.own if self.kinds[each] == kind]
            other = pick.choice(same)
            self.line(margin, f"{name}, {other} = {self.bounded(kind, self.expression(kind))}, {name}")
        elif roll < 0.76:
            self.line(margin, f"if {self.test()}:")
            self.line(margin + 4, pick.choice(["break", "continue", "continue"]))
        elif roll < 0.9 or depth > 1:
            self.line(margin, f"if {self.test()}:")
            self.statement(margin + 4, depth + 1)
            if self.chance(0.4):
                self.line(margin, "else:")
                self.statement(margin + 4, depth + 1)
        else:
            self.inner_loop(margin, depth)

    def bounded(self, kind, text):
        """Ints of Python's would grow from round to round."""
        if kind not in ("int", "int or int64") or not re.search(r"\*|<<|grown", text):
            return text
        modulus = self.pick.choice(["1000", "(1 << 62)", "9223372036854775808", "(1 << 64)"])
        return f"{text} % {modulus}" + (f" - {modulus} // 2" if self.chance(0.5) else "")

    def augmented(self, kind):
        if kind in EITHER:
            kind = EITHER[kind][0]
        if kind in ("truth", "bool"):
            return f"= {self.expression(kind)}"
        ops = ["+=", "-="] + (["//=", "%=", "|=", "^="] if kind in ["int"] + WHOLE else ["*=", "/="])
        return f"{self.pick.choice(ops)} {self.expression(kind, 1)}"

    def store(self, margin):
        if self.matrix and self.chance(0.25):
            return self.line(margin, f"g[{self.place(3)}, {self.place(4)}] = {self.expression(self.matrix)}")
        name, kind = self.pick.choice(list(self.arrays.items()))
        if self.chance(0.25) and kind != "bool":
            return self.line(margin, f"{name}[{self.place()}] {self.augmented(kind)}")
        given = kind if self.chance(0.7) else self.pick.choice(self.own_kinds(self.storable(kind)))
        self.line(margin, f"{name}[{self.place()}] = {self.expression(given)}")

    @staticmethod
    def storable(kind):
        if kind in COMPLEX:
            return NUMPY + PYTHON
        if kind in FLOATS:
            return WHOLE + FLOATS + ["int", "float", "truth"]
        return WHOLE + ["int", "truth"] if kind != "bool" else ["bool", "truth"]

    def inner_loop(self, margin, depth):
        pick, outer = self.pick, self.index
        roll = pick.random()
        vectors = [name for name in self.arrays if self.arrays[name] == self.kinds["x"]]
        if roll < 0.25 and vectors:
            self.line(margin, f"for x in {pick.choice(vectors)}:")
        elif roll < 0.4 and self.counter:
            k = self.counter.pop()
            self.line(margin, f"{k} = {pick.randint(0, 3)}")
            self.line(margin, "while True:")
            self.index = k
            self.line(margin + 4, f"{k} += 1")
            self.line(margin + 4, f"if {k} > {pick.randint(4, SIZE - 1)}:")
            self.line(margin + 8, "break")
        elif roll < 0.6 and self.counter:
            k = self.counter.pop()
            self.line(margin, f"{k} = 0")
            self.line(margin, f"while {k} < {pick.randint(4, SIZE)}:")
            self.index = k
            self.line(margin + 4, f"{k} += 1")
        else:
            self.index = f"j{depth}"
            self.line(margin, f"for {self.index} in range({self.bounds()}):")
        for _ in range(pick.randint(1, 2)):
            self.statement(margin + 4, depth + 1)
        self.index = outer
        if self.chance(0.1):
            self.line(margin, "else:")
            self.statement(margin + 4, 2)

    def bounds(self):
        outer = self.index or "5"
        return self.pick.choice([f"{SIZE}", "2, 9", f"{SIZE - 1}, -1, -1", f"0, {SIZE}, 5", f"{outer} % 7",
                                 f"{outer}, {SIZE}", f"-{SIZE}, 0"])

    # --- loops ---

    def items(self, name):
        """What gives the name its items: an array or a list of its type."""
        kind = self.kinds[name]
        if kind in NUMPY:
            self.sources += 1
            source = f"s{self.sources}"
            numbers = ", ".join(self.literal(kind) for _ in range(self.pick.randint(8, 150)))
            view = self.pick.choice(["", "", "[::-1]", "[1:]", "[::2]"])
            if self.chance(0.25):
                self.before.append(f"{source} = [{numbers}]")
            elif self.chance(0.4) and kind in self.arrays.values():
                return self.pick.choice([each for each in self.arrays if self.arrays[each] == kind])
            else:
                self.before.append(f"{source} = np.array([{numbers}]){view}")
            return source
        self.sources += 1
        source = f"s{self.sources}"
        numbers = [self.literal(kind) for _ in range(self.pick.choice([9, 40, 150]))]
        brackets = self.pick.choice(["[{}]", "({})", "[{}] * 60"])
        if self.chance(0.15):  # of another type in its midst
            numbers[-2] = self.literal(self.pick.choice(PYTHON))
        self.before.append(f"{source} = {brackets.format(', '.join(numbers))}")
        return source

    def head(self):
        pick, roll = self.pick, self.pick.random()
        if roll < 0.25:
            self.index = "i"
            return f"for i in range({pick.choice([f'{SIZE}', f'{SIZE - 1}, -1, -1', f'0, {SIZE + 1}', f'-{SIZE}, {SIZE}, 3'])}):"
        if roll < 0.5:
            return f"for x in {pick.choice(['', 'iter'])}({self.items('x')}):"
        if roll < 0.7:
            start = pick.choice(["", "", f", {pick.choice([5, -3, (1 << 63) - 9, -(1 << 63)])}"])
            self.index = "i"
            return f"for i, x in enumerate({self.items('x')}{start}):"
        if roll < 0.85:
            return f"for x, y in zip({self.items('x')}, {self.items('y')}):"
        self.index = "i"
        return f"for x, i, y in zip({self.items('x')}, range({self.bounds()}), {self.items('y')}):"

    def loop(self, number):
        pick = self.pick
        self.lines, self.before, self.sources = [], [], 0
        self.index, self.calls = None, self.chance(0.4)
        family = pick.choice([["int", "truth"] + pick.sample(WHOLE, 2),
                              ["float", "int", "float64", "float32"] + pick.sample(WHOLE, 1),
                              ["complex", "float", "complex64", "complex128", "float64", "int"],
                              ["int", "float", "complex", "truth"], NUMPY + PYTHON])
        kinds = [pick.choice(family + (list(EITHER) if self.chance(0.4) else [])) for _ in "abcd"]
        self.kinds = dict(zip("abcd", kinds), x=pick.choice(family), y=pick.choice(family))
        self.own = list("abcd") + (["x", "y"] if self.chance(0.4) else [])
        self.counter = ["k", "l"]
        numpys = [each for each in family if each in NUMPY] or ["int64", "float64"]
        self.arrays = {name: pick.choice(numpys) for name in "mn"}
        self.matrix = pick.choice(numpys + [None])
        head = self.head()
        margin = 16
        for _ in range(pick.randint(2, 5)):
            self.statement(margin, 0)
        body, self.lines = self.lines, []
        self.define(number, head, body)
        return "\n".join(self.lines)

    def define(self, number, head, body):
        decorated = ["@gp.compile"] if self.chance(0.3) else []
        self.lines = decorated + [f"def loop{number}():"]
        for name, kind in self.kinds.items():
            self.line(4, f"{name} = {self.literal(EITHER.get(kind, (kind,))[0])}")
        for name, kind in self.arrays.items():
            numbers = ", ".join(self.literal(kind) for _ in range(SIZE))
            self.line(4, f"{name} = np.array([{numbers}]){self.pick.choice(['', '', '[::-1]'])}")
        if self.chance(0.3):  # the same memory
            self.arrays["n"] = self.arrays["m"]
            self.line(4, f"n = m{self.pick.choice(['', '[::-1]'])}")
        if self.matrix:
            numbers = ", ".join(self.literal(self.matrix) for _ in range(12))
            self.line(4, f"g = np.array([{numbers}]).reshape({self.pick.choice(['3, 4', '4, 3).T.reshape(3, 4'])})")
        else:
            self.line(4, "g = None")
        self.line(4, "i = j0 = j1 = j2 = k = l = 0")
        self.line(4, "told = []")
        for each in self.before:
            self.line(4, each)
        self.line(4, f"for again in range({self.pick.choice([20, 40])}):")
        self.line(8, "try:")
        self.line(12, head)
        self.lines += body
        if self.chance(0.3):
            self.line(12, "else:")
            self.line(16, "told.append('all')")
        self.line(8, "except Exception as error:")
        self.line(12, "told.append(type(error).__name__ + ': ' + str(error))")
        self.line(8, "told.append((a, b, c, d, x, y, i, k))")
        if self.chance(0.5):  # back to where the types are the usual ones
            for name in "abcd":
                self.line(8, f"{name} = {self.literal(EITHER.get(self.kinds[name], (self.kinds[name],))[0])}")
        self.line(4, "return a, b, c, d, x, y, i, j0, j1, j2, k, l, m, n, g, told")
        self.lines += ["", "", f"tell({number}, loop{number})", ""]


def program(seed):
    writer = Writer(seed)
    return HEAD + "\n".join(writer.loop(k) for k in range(LOOPS_PER_PROGRAM))


def run(gpy, path, mode, cache):
    environment = dict(os.environ, GPY_COMPILE_LOOPS=mode, GPY_CACHE_DIR=cache)
    try:
        out = subprocess.run([gpy, path], capture_output=True, text=True, timeout=120, env=environment)
    except subprocess.TimeoutExpired:
        return "no end", ""
    return out.stdout + f"exit {out.returncode}", out.stderr


def compare(gpy, seed, folder):
    """What differs, and of how many loops some was compiled."""
    path = os.path.join(folder, f"loops_{seed}.gpy")
    with open(path, "w") as file:
        file.write(program(seed))
    (interpreted, failed), (compiled, told) = (run(gpy, path, mode, os.path.join(folder, "cache"))
                                               for mode in ("off", "at-once"))
    reached = sum(bool(re.search("compiled, taken|comes back", line)) for line in told.splitlines())
    if interpreted == compiled and interpreted.endswith("exit 0"):
        os.remove(path)
        return seed, None, reached
    pairs = [each for each in zip(interpreted.splitlines(), compiled.splitlines()) if len(set(each)) > 1]
    pairs = pairs or [(interpreted[-300:] + failed[-300:], compiled[-300:] + told[-300:])]
    return seed, f"{path}\n" + "\n".join(f"  interpreted {a}\n  compiled    {b}" for a, b in pairs[:4]), reached


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("gpy")
    parser.add_argument("count", type=int, nargs="?", default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int)
    options = parser.parse_args()
    if options.show is not None:
        return print(program(options.show))
    folder = tempfile.mkdtemp(prefix="compiled_loops_")
    found = reached = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(compare, options.gpy, seed, folder)
                for seed in range(options.seed, options.seed + options.count)]
        for job in concurrent.futures.as_completed(jobs):
            seed, difference, loops = job.result()
            reached += loops
            if difference:
                found += 1
                print(f"seed {seed}: {difference}", flush=True)
    print(f"{options.count} programs of {LOOPS_PER_PROGRAM} functions, {reached} of them with compiled "
          f"loops, {found} differ")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
