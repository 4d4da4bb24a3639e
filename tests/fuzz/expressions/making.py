"""Makes random expressions: from leaves upwards, each part is evaluated by NumPy when it is made."""
import random
from dataclasses import dataclass, field

import numpy as np

from expressions.shared import operands

CODES = "dddfflli?bhBHILeFD"
SHAPES = ("3x4", "3x4", "3x4F", "3x4T", "3x4N", "3x4S", "4", "3x1", "1x4", "", "2x3x4", "2x3x4T", "0x4", "7", "1", "70")
UNARY = """negative absolute square sqrt exp log sin cos tanh arctan floor ceil rint sign isnan isfinite logical_not
cbrt expm1 log1p conjugate positive reciprocal invert trunc""".split()
BINARY = """add subtract multiply divide floor_divide remainder maximum minimum fmax fmin hypot arctan2 equal less
greater_equal logical_and logical_or logical_xor bitwise_and bitwise_xor power gcd left_shift right_shift fmod not_equal logaddexp""".split()
SIGNS = "+ - * / // % == < >= & | ^ != > <= + - *".split()
REDUCTIONS = "sum mean max min prod any all std var argmax argmin ptp median count_nonzero".split()
INDICES = ("0", "-1", "1:", "::-1", "::2", "..., 0", "None", "[0, -1]", ":, ::-1", "..., None", "-1:", ":2", "[[0], [1]]", "1", "..., ::2", "(Ellipsis)")
TYPES = "dflibBFDe?hL"


@dataclass
class Part:
    """An expression, its value by NumPy, and the parts it is made of."""
    text: str
    value: object
    parts: tuple = ()
    names: frozenset = field(default_factory=frozenset)

    @property
    def depth(self):
        return 1 + max((each.depth for each in self.parts), default=0)


def leaf(rng):
    kind = rng.choice("aaabbpum")
    name = kind + rng.choice(SHAPES) + rng.choice(CODES)
    if rng.random() < 0.04:
        name = "s" + rng.choice(("3x4", "4", "7")) + rng.choice(CODES)
    return Part(f"v({name!r})", operands.operand(np, name), (), frozenset([name]))


def number(rng):
    text = rng.choice(("2", "3", "0.5", "-1", "1.5", "2.0", "True", "1j", "0", "100", "np.float32(0.25)", "np.int8(3)", "np.uint8(200)", "np.float64(3)", "np.int64(-2)", "np.float16(1.5)"))
    return Part(text, eval(text, {"np": np}))


def unary(rng, x):
    return f"np.{rng.choice(UNARY)}({x})"


def axis_of(rng, value):
    rank = np.ndim(value)
    return rng.choice((None, *range(-rank, rank))) if rank else None


def reduction(rng, x, value):
    name, axis = rng.choice(REDUCTIONS), axis_of(rng, value)
    more = f", axis={axis}" if axis is not None else ""
    if rng.random() < 0.3:
        more += ", keepdims=True"
    if rng.random() < 0.5 and name not in ("median", "ptp", "count_nonzero") and not more.startswith(", keep"):
        return f"{x}.{name}({more[2:]})"
    return f"np.{name}({x}{more})"


def moved(rng, x, value):
    rank, axis = np.ndim(value), axis_of(rng, value)
    given = f", axis={axis}" if axis is not None else ""
    last = f", axis={axis}" if axis is not None else ""
    choices = [f"{x}.T", f"{x}.ravel()", f"{x}.reshape(-1)", f"np.flip({x}{given})", f"np.roll({x}, 1{given})", f"{x}.copy()", f"np.atleast_2d({x})",
               f"np.cumsum({x}{given})", f"np.expand_dims({x}, 0)", f"np.squeeze({x})", f"np.repeat({x}, 2{given})", f"np.tile({x}, 2)",
               f"np.unique({x})", f"np.nonzero(np.atleast_1d({x}))[0]", f"np.clip({x}, -1, 2)", f"np.round({x}, 1)", f"{x}.real", f"{x}.imag", f"np.tril({x})",
               f"np.broadcast_to({x}, (2, 3, 4))", f"np.cumprod({x}{given})", f"np.diag({x})", f"np.trace({x})", f"np.argsort({x}, kind='stable'{given})", f"np.isclose({x}, 1)", f"np.nan_to_num({x})"]
    if rank:
        choices += [f"np.sort({x}{last})", f"np.diff({x})", f"np.take({x}, [0, -1]{given})", f"np.pad({x}, 1)", f"np.swapaxes({x}, 0, -1)", f"{x}[{rng.choice(INDICES)}]"] * 2
        choices += [f"{x}[{x} > 1]", f"np.sort({x}{last})[::-1]"]
    return rng.choice(choices)


def cast(rng, x, value):
    """A cast that is defined: floats become ints within the range of these."""
    code = rng.choice(TYPES)
    value = np.asarray(value)
    if np.dtype(code).kind in "iu" and value.dtype.kind in "fc":
        with np.errstate(all="ignore"):
            inside = np.isfinite(value).all() and (abs(value.real) < 100).all() and (np.dtype(code).kind == "i" or (value.real >= 0).all())
        code = code if inside else "d"
    return f"{x}.astype({code!r})"


def joined(rng, x, y, value):
    if np.ndim(value) and "v('s" not in x:  # NumPy's dot of a number is BLAS's, which leaves out zeros; its isin rounds
        more = (f"np.dot({x}, {y}.reshape(-1)[:{np.shape(value)[-1]}])", f"np.isin({x}, {y})")
        if rng.random() < 0.15:
            return rng.choice(more)
    return rng.choice((f"np.concatenate([{x}, {y}])", f"np.concatenate([{x}, {y}], axis=-1)", f"np.stack([{x}, {y}])", f"np.where({x} > 1, {x}, {y})",
                       f"np.where({x}, {y}, 0)", f"np.hstack([{x}, {y}])", f"np.matmul({x}, {y}.T)", f"np.outer({x}, {y})", f"np.append({x}, {y})",
                       f"np.broadcast_arrays({x}, {y})[0]", f"np.searchsorted(np.sort({x}, axis=None), {y})", f"np.add.outer({x}, {y})", f"np.array_equal({x}, {y})",
                       f"np.clip({x}, None, {y})", f"np.add({x}, {y}, where=np.asarray({x} > 0), out=np.zeros(np.broadcast_shapes({x}.shape, {y}.shape), np.result_type({x}, {y})))", f"np.union1d({x}, {y})", f"np.interp(np.real({x}), [0, 1, 2], [1, 3, 2])"))


def composed(rng, x, y):
    kind = rng.random()
    if kind < 0.2:
        return unary(rng, x.text), (x,)
    if kind < 0.5:
        left, right = (x, y) if rng.random() < 0.8 else (x, number(rng)) if rng.random() < 0.5 else (number(rng), x)
        return f"({left.text} {rng.choice(SIGNS)} {right.text})", (left, right)
    if kind < 0.6:
        return f"np.{rng.choice(BINARY)}({x.text}, {y.text})", (x, y)
    if kind < 0.7:
        return reduction(rng, x.text, x.value), (x,)
    if kind < 0.85:
        return moved(rng, x.text, x.value), (x,)
    if kind < 0.9:
        return cast(rng, x.text, x.value), (x,)
    return joined(rng, x.text, y.text, x.value), (x, y)


def evaluated(text, names):
    with np.errstate(all="ignore"):
        return eval(text, {"np": np, "v": lambda name: operands.operand(np, name)})


def made(rng):
    """An expression of some parts; parts that fail are left out, but for a few."""
    pool = [leaf(rng) for _ in range(3)]
    for _ in range(rng.randint(1, 5)):
        x, y = rng.choice(pool[-2:]), rng.choice(pool)
        text, parts = composed(rng, x, y)
        names = frozenset().union(*[each.names for each in parts])
        try:
            value = evaluated(text, names)
        except Exception:
            if rng.random() < 0.05:
                return Part(text, None, parts, names)
            continue
        if np.size(value) > 500 or len(text) > 400 or not hasattr(value, "dtype") or value.dtype.kind not in "?biufc":
            continue
        pool.append(Part(text, value, parts, names))
    return pool[-1] if pool[-1].parts else made(rng)


def batch(seed, count):
    rng = random.Random(seed)
    return [made(rng) for _ in range(count)]
