"""Writes how NumPy prints arrays and scalars, and how Python prints floats, for the tests of
runtime/text. A line is a case; fields are separated by '|', newlines written as backslash n."""
import random
import warnings

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")
FOLDER = "tests/unit/runtime/text"
TYPES = [np.dtype(c) for c in "?bBhHiIlLefdFD"]
rng = np.random.default_rng(2024)
dice = random.Random(2024)

DEFAULTS = dict(precision=8, threshold=1000, edgeitems=3, linewidth=75, suppress=False, nanstr="nan",
                infstr="inf", sign="-", floatmode="maxprec")


def escape(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def random_bits(t, count):
    bits = rng.integers(0, 256, count * t.itemsize, dtype=np.uint8)
    values = bits.view(t)
    return (bits & 1).view(t) if t.kind == "b" else values


REALS = [
    lambda n: rng.standard_normal(n),
    lambda n: rng.integers(-5, 6, n) * 1.0,
    lambda n: rng.integers(-500, 600, n) / 100,
    lambda n: rng.integers(0, 9, n) * 10.0 ** rng.integers(-6, 7, n),
    lambda n: rng.standard_normal(n) * 10.0 ** rng.integers(-30, 30),
    lambda n: rng.standard_normal(n) * 10.0 ** rng.integers(-3, 4),
    lambda n: 2.0 ** rng.integers(-40, 40, n),
    lambda n: rng.random(n) * 1e-4,
    lambda n: 10.0 ** rng.integers(-5, 9) + rng.random(n),
    lambda n: 1 - 10.0 ** rng.integers(-17, 0, n),
    lambda n: np.zeros(n),
    lambda n: rng.integers(-3, 3, n) * 0.0,
    lambda n: rng.random(n).round(3),
    lambda n: rng.random(n) * rng.choice([9.99999995, 99.5, 999.5, 9999.5, 99999995.0]),
]


def reals(n):
    values = np.asarray(dice.choice(REALS)(n), float)
    if n and dice.random() < 0.25:
        special = [np.nan, np.inf, -np.inf]
        for _ in range(dice.randint(1, n)):
            values[dice.randrange(n)] = dice.choice(special)
    return values


def elements(t, n):
    if dice.random() < 0.1:
        return random_bits(t, n)
    if t.kind == "b":
        return rng.integers(0, 2, n).astype(bool)
    if t.kind in "iu":
        top = min(10 ** dice.randint(0, 19), np.iinfo(t).max)
        low = -top if t.kind == "i" and dice.random() < 0.6 else 0
        return rng.integers(low, top, n, dtype=t, endpoint=True)
    if t.kind == "c":
        return (reals(n) + 1j * np.where(np.isnan(reals(n)), 0, reals(n))).astype(t)
    return reals(n).astype(t)


def shape():
    return dice.choice([(), (1,), (2,), (3,), (4,), (5,), (7,), (10,), (20,), (2, 3), (3, 1), (1, 1), (3, 3), (2, 2, 2),
                        (4, 12), (1, 2, 1, 3), (0,), (0, 3), (2, 0), (3, 0, 2), (0, 0), (2, 1, 2, 1, 2)])


def options():
    chosen = dict(DEFAULTS)
    if dice.random() < 0.45:
        return chosen
    wild = dict(precision=lambda: dice.choice([0, 1, 2, 3, 4, 6, 10, 16, 17, 20]), threshold=lambda: dice.choice([0, 2, 5, 8]),
                edgeitems=lambda: dice.choice([0, 1, 2, 3]), linewidth=lambda: dice.choice([1, 10, 20, 40, 60, 132]),
                suppress=lambda: True, nanstr=lambda: dice.choice(["NaN", "not a number", "-"]),
                infstr=lambda: dice.choice(["Inf", "infinity"]), sign=lambda: dice.choice("+ "),
                floatmode=lambda: dice.choice(["fixed", "unique", "maxprec_equal"]))
    for key in dice.sample(sorted(wild), dice.choice([1, 1, 2, 3])):
        chosen[key] = wild[key]()
    return chosen


def option_text(o):
    short = dict(precision="p", threshold="t", edgeitems="e", linewidth="l", suppress="s", nanstr="n", infstr="i", sign="g",
                 floatmode="f")
    return "".join(f"{short[k]}{int(v) if k == 'suppress' else v};" for k, v in o.items() if v != DEFAULTS[k])


def shape_text(s):
    return ",".join(map(str, s))


def printed(a, o):
    with np.printoptions(**o):
        return escape(repr(a)), escape(str(a))


def array_case(out, a, o):
    print("data", a.dtype.name, shape_text(a.shape), option_text(o), a.tobytes().hex(), *printed(a, o), sep="|", file=out)


def range_case(out, t, s, start, step, order, o):
    """Too large to store: element i is start + i * step, its axes reversed if `order` is F."""
    n = int(np.prod(s))
    a = (start + step * np.arange(n)).astype(t).reshape(s)
    if order == "F":
        a = a.T
    print("range", a.dtype.name, shape_text(s), option_text(o), f"{start!r},{step!r},{order}", *printed(a, o), sep="|", file=out)


with open(f"{FOLDER}/array_cases.inc", "w") as out:
    print('R"cases(', end="", file=out)
    for _ in range(150):
        for t in TYPES:
            s = shape()
            a = elements(t, int(np.prod(s))).reshape(s)
            if t.kind in "fc" or dice.random() < 0.35:
                array_case(out, a, options())
    for _ in range(60):
        for t in [np.dtype(c) for c in "efd"]:
            array_case(out, elements(t, dice.choice([1, 3, 6])), options())
    for t in TYPES:
        for s in [(1001,), (2000,), (40, 50), (1000, 1000), (3, 400), (400, 3), (11, 12, 13), (2, 6, 2, 50), (1, 1, 2000)]:
            if t.kind == "b" or dice.random() < 0.45:
                o = options()
                o["threshold"] = DEFAULTS["threshold"] if dice.random() < 0.8 else 100000
                if np.prod(s) < 100000:
                    o["edgeitems"] = dice.choice([0, 1, 2, 3, 3, 3, 4, 6])
                if o["threshold"] == 100000:
                    s = (dice.choice([11, 30]),)
                step = dice.choice([1, 1, 3]) if t.kind in "biu" else dice.choice([1.0, 0.5, 0.1, -1e-3, 1e5])
                start = 0 if t.kind in "bu" else dice.choice([0, -5, 2])
                range_case(out, t, s, start, step, dice.choice("CCF"), o)
    print(')cases"', file=out)


def scalar_values(t):
    if t.kind == "b":
        return [np.False_, np.True_]
    values = list(elements(t, 12)) + list(random_bits(t, 12))
    if t.kind in "iu":
        return values + [np.iinfo(t).min, np.iinfo(t).max]
    for _ in range(12):
        values += list(elements(t, 4))
    edges = [0.0, -0.0, 1e-4, 9.9999e-5, 999.0, 1e3, 999999.0, 1e6, 1e15, 9999999999999998.0, 1e16, 1e17, 5e-324, 0.1, 1 / 3,
             65504.0, 1.7976931348623157e308, 6e-8, 2.0**-44, 1e22, 1e23, 123456789.0, np.nan, np.inf, -np.inf]
    values += edges
    if t.kind == "c":
        values += [complex(x, y) for x in edges[::3] for y in edges[::4]]
    return values


with open(f"{FOLDER}/number_cases.inc", "w") as out:
    print('R"cases(', end="", file=out)
    for t in TYPES:
        for value in scalar_values(t):
            x = np.asarray(value).astype(t)[()]
            print("scalar", t.name, x.tobytes().hex(), str(x), repr(x), sep="|", file=out)
    doubles = [float(x) for x in scalar_values(np.dtype(float))] + [float(x) for x in random_bits(np.dtype(float), 200)]
    for x in doubles:
        print("float", np.float64(x).tobytes().hex(), repr(x), sep="|", file=out)
    for bits in range(0, 0x7C00, 37):
        x = np.uint16(bits).view(np.float16)
        print("scalar", "float16", x.tobytes().hex(), str(x), repr(x), sep="|", file=out)
    for k in range(-1074, 1024, 5):
        x = np.ldexp(1.0, k)
        for digits in (15, 16):
            s = np.format_float_scientific(x, precision=digits, min_digits=digits, unique=True)
            print("scientific", x.tobytes().hex(), digits, s, sep="|", file=out)
    for k in (-645, -569, -499, 149, 740, 890, 956, 966):  # where the interval of a power of two tells
        x = np.ldexp(1.0, k)
        s = np.format_float_scientific(x, precision=15, min_digits=15, unique=True)
        print("scientific", x.tobytes().hex(), 15, s, sep="|", file=out)
    print(')cases"', file=out)
