#!/usr/bin/env python3
"""Writes tests/unit/runtime/cpu/reductions.inc: NumPy's bits of reductions and scans.

Inputs are a formula both sides know (splitmix64 of the index), so a line holds only the operation,
the type, the shape, the axes and a hash of the result's bytes.
"""
import pathlib
import numpy as np

TYPES = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128".split()
SHAPES = [((n,), None) for n in (1, 7, 8, 9, 127, 128, 129, 1025, 8193, 1000003)]
SHAPES += [((500, 7), (0,)), ((500, 7), (1,)), ((3, 2000), (0,)), ((3, 2000), (1,)), ((1500, 1300), (0,)),
           ((1500, 1300), (1,)), ((20, 30, 40), (0,)), ((20, 30, 40), (1,)), ((20, 30, 40), (0, 2)),
           ((20, 30, 40), (1, 2)), ((20, 30, 40), (0, 1)), ((5, 3000, 4), (1,)), ((2, 3, 700), (0, 2))]
SCANS = [(s, a) for s, a in SHAPES if len(a or (0,)) == 1]


def bits(count):
    z = (np.arange(count, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def values(dtype, count):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return bits(count) % np.uint64(50) == 0
    if dtype.kind in "iu":
        return bits(count).astype(dtype)
    if dtype.kind == "c":
        return values(dtype.char.lower(), 2 * count).view(dtype)
    return ((bits(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53 - 0.5).astype(dtype)


def fnv(array):
    h = 0xCBF29CE484222325
    for byte in np.ascontiguousarray(array).tobytes():
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return h


def line(kind, name, dtype, shape, axes, result):
    axes = ",".join(map(str, axes or range(len(shape))))
    return f"{kind} {name} {dtype} {','.join(map(str, shape))} {axes} {fnv(result):016x}"


def reduce(name, x, axes):
    axis = axes if axes is None or len(axes) > 1 else axes[0]
    if name in ("argmax", "argmin"):
        if axes and len(axes) > 1:
            return None
        return getattr(np, name)(x, axis=axis)
    if name == "count_nonzero":
        return np.asarray(np.count_nonzero(x, axis=axis))
    ufunc = getattr(np, name)
    try:
        return ufunc.reduce(x, axis=axis, dtype=x.dtype)
    except TypeError:
        return ufunc.reduce(x, axis=axis) if name.startswith("logical") else None


def main():
    lines = []
    with np.errstate(all="ignore"):
        for dtype in TYPES:
            whole = values(dtype, max(int(np.prod(s)) for s, _ in SHAPES))
            for shape, axes in SHAPES:
                x = whole[: int(np.prod(shape))].reshape(shape)
                names = "add multiply maximum minimum fmax fmin argmax argmin count_nonzero logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor".split()
                if x.size > 2000 and dtype not in ("int32", "float16", "float32", "float64", "complex64"):
                    names = ["add"]
                for name in names:
                    if name == "multiply" and dtype.startswith("complex"):
                        continue  # NumPy contracts to fma where it can, gpy never does
                    result = reduce(name, x, axes)
                    if result is not None:
                        lines.append(line("reduce", name, dtype, shape, axes, result))
            for shape, axes in SCANS:
                x = whole[: int(np.prod(shape))].reshape(shape)
                if x.size > 100000:
                    continue
                for name in ("add", "multiply", "maximum"):
                    if name == "multiply" and dtype.startswith("complex"):
                        continue
                    result = getattr(np, name).accumulate(x, axis=(axes or (0,))[0], dtype=x.dtype)
                    lines.append(line("scan", name, dtype, shape, axes or (0,), result))
    target = pathlib.Path(__file__).parents[1] / "unit/runtime/cpu/reductions.inc"
    head = f"// NumPy {np.__version__}, by tests/make/reduction_table.py\n"
    target.write_text(head + 'R"(' + "\n".join(lines) + ')"\n')


main()
