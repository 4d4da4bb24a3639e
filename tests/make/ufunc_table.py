#!/usr/bin/env python3
"""Writes tests/unit/runtime/ops/ufunc_{types,values}.inc: what NumPy's ufuncs give.

types: for each ufunc and each choice of input dtypes, the result's type character, or '.' where
NumPy refuses. values: NumPy's results on special and random inputs; as one hash where gpy must have
the same bits, as numbers where a few ulps are allowed.
"""
import itertools
import pathlib
import numpy as np

CODES = "?bBhHiIlLefdFD"
UNARY = """negative positive absolute fabs sign square sqrt cbrt reciprocal exp exp2 expm1 log log2 log10
log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh degrees radians floor ceil
trunc rint isnan isinf isfinite signbit logical_not invert conjugate""".split()
BINARY = """add subtract multiply divide floor_divide remainder fmod power float_power arctan2 hypot
maximum minimum fmax fmin copysign nextafter greater greater_equal less less_equal equal not_equal
logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift right_shift gcd lcm
logaddexp logaddexp2""".split()
LIBM = """sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh
arcsinh arccosh arctanh power float_power arctan2 hypot logaddexp logaddexp2""".split()
TARGET = pathlib.Path(__file__).parents[1] / "unit/runtime/ops"


def function(name):
    return np._core.umath.clip if name == "clip" else getattr(np, name)


def result_code(call, types):
    try:
        return call(*(np.ones(1, t) for t in types)).dtype.char.replace("q", "l").replace("Q", "L")
    except TypeError:
        return "."


def type_lines():
    for name in UNARY + BINARY + ["clip"]:
        arity = 1 if name in UNARY else 3 if name == "clip" else 2
        codes = (result_code(function(name), t) for t in itertools.product(CODES, repeat=arity))
        yield f"{name} {arity} {''.join(codes)}"
    condition = np.ones(1, bool)
    where = (result_code(lambda x, y: np.where(condition, x, y), t) for t in itertools.product(CODES, repeat=2))
    yield f"where 2 {''.join(where)}"


def inputs(dtype):
    rng = np.random.default_rng(7)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        special = [0, 1, 2, 3, 5, 7, 8, 13, 31, 63, 100, info.max, info.max - 1, info.min, info.min + 1, info.max // 2]
        if dtype.kind == "i":
            special += [-1, -2, -3, -7, -8, -100]
        return np.concatenate([np.array(special, dtype), rng.integers(info.min, info.max, 20, dtype, endpoint=True)])
    if dtype.kind == "f":
        info = np.finfo(dtype)
        special = [0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2, -2, 3, 10, 0.1, -2.5, 1e-3, 100, -7.25, np.inf, -np.inf,
                   np.nan, info.max, -info.max, info.tiny, info.smallest_subnormal, -info.smallest_subnormal]
        return np.concatenate([np.array(special, dtype), rng.uniform(-4, 4, 24).astype(dtype)])
    part = [0.0, -0.0, 1, -1, 0.5, -2.5, 3]
    pairs = [complex(a, b) for a in part for b in part]
    return np.concatenate([np.array(pairs, dtype), (rng.uniform(-3, 3, 24) + 1j * rng.uniform(-3, 3, 24)).astype(dtype)])


def words(array):
    """The array's bits, 64 at most a number, NaNs all alike."""
    array = np.ascontiguousarray(array)
    if array.dtype.kind == "c":
        array = array.view(array.real.dtype)
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return array.view(f"u{array.itemsize}").astype(np.uint64)


def fnv(array):
    h = 0xCBF29CE484222325
    for word in words(array).tolist():
        h = (h ^ word) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"


def same_bits(name, dtype):
    if dtype.kind == "c":
        return name not in LIBM + ["multiply", "square", "divide", "reciprocal", "absolute", "sign"]
    return name not in LIBM or name == "sqrt" or dtype.kind in "iu"


def value_lines():
    for code in CODES:
        yield f"input {code} " + " ".join(f"{w:x}" for w in words(inputs(np.dtype(code))).tolist())
    for name in UNARY + BINARY:
        for code in CODES:
            types = [t for t in function(name).types if t.split("->")[0] == code * (1 if name in UNARY else 2)]
            if not types and not (name == "divide" and code in "?bBhHiIlL"):
                continue
            if code == "e" and name in ("maximum", "minimum", "fmax", "fmin"):
                continue  # of two zeros NumPy takes the first here, of wider floats the second
            x = inputs(np.dtype(code))
            if name in BINARY:
                if not same_bits(name, x.dtype):
                    x = x[: 24 if x.dtype.kind == "f" else 40]
                x, y = np.repeat(x, len(x)), np.tile(x, len(x))
                if name == "power" and x.dtype.kind in "i":
                    y = np.where(y < 0, 0, y)
                result = function(name)(x, y)
            else:
                result = function(name)(x)
            if same_bits(name, x.dtype):
                yield f"hash {name} {code} {fnv(result)}"
            else:
                yield f"close {name} {code} " + " ".join(f"{w:x}" for w in words(result).tolist())


def write(name, lines):
    head = f"// NumPy {np.__version__}, by tests/make/ufunc_table.py\n"
    (TARGET / name).write_text(head + "".join(f'"{line}\\n"\n' for line in lines))


with np.errstate(all="ignore"):
    write("ufunc_types.inc", type_lines())
    write("ufunc_values.inc", value_lines())
