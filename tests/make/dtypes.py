"""Writes what NumPy and ml_dtypes say of the dtypes: names, promotion, casting, casts of single
numbers."""
import sys
import warnings

import ml_dtypes
import numpy as np

warnings.simplefilter("ignore")
FOLDER = "tests/unit/runtime/core"
NUMPYS = [np.dtype(c) for c in "?bBhHiIlLefdFD"]
TYPES = NUMPYS + [np.dtype(ml_dtypes.bfloat16)]
SWAPPED = [np.dtype(c).newbyteorder() for c in "hIldFD"]
NAMES = """bool bool_ bool8 int8 i1 b byte b1 ? uint8 u1 B ubyte int int_ long l q p n P N intp uintp
uint ulong longlong ulonglong intc uintc short ushort half single double float float_ complex complex_
csingle cdouble f F d D e <f8 >f8 =f8 |b1 |i1 >i1 >b1 |f8 <b1 f2 f4 c8 c16 u2 u4 u8 i16 <i8 >c16 F8
Float64 f1 c4 i0 h H i I L Q int128 int0 < > f8x 8f x float6 float646 >d >b""".split()


def name_of(t):
    return t.name if t.isnative else t.str


def promoted(a, b):
    try:
        return np.promote_types(a, b).name
    except TypeError:
        return "-"


def dtype_or_none(text):
    try:
        t = np.dtype(text)
    except TypeError:
        return "-"
    return name_of(t) if t.newbyteorder("=") in NUMPYS else "-"


def numbers(t):
    if t.kind == "b":
        return ["0", "1"]
    if t.kind in "iu":
        edge = np.iinfo(t)
        return [str(v) for v in sorted({edge.min, edge.max, 0, 1, 77, edge.max // 3})]
    reals = ["0.0", "-0.0", "1.5", "-2.75", "65519.0", "65520.0", "100000.0", "3e9", "-3e9", "1e19", "1e20",
             "1e-5", "6e-8", "2.9802322387695312e-08", "2.99e-8", "nan", "inf", "-inf", "0.1", "300.7", "1e300", "1e-300",
             "1.00048828125", "1.00048828126", "1.0014648437500001", "6.1e-05", "1e-7"]
    return [r for r in reals if t.kind != "c" or "n" not in r]


def hex_bytes(value, t):
    return np.asarray(value, t).tobytes().hex()


with open(f"{FOLDER}/dtype_cases.inc", "w") as out:
    print('R"cases(', end="", file=out)
    for text in NAMES:
        print("name", text, dtype_or_none(text), file=out)
    for a in TYPES + SWAPPED:
        print("descr", name_of(a), a.str, a.char, a.itemsize, a.kind, file=out)
        for b in TYPES + SWAPPED:
            print("promote", name_of(a), name_of(b), promoted(a, b), file=out)
            castings = ["no", "equiv", "safe", "same_kind", "unsafe"]
            print("cast", name_of(a), name_of(b), *(int(np.can_cast(a, b, c)) for c in castings), file=out)
    print(')cases"', file=out)

with open(f"{FOLDER}/scalar_cases.inc", "w") as out:
    print('R"cases(', end="", file=out)
    for a in TYPES:
        for text in numbers(a):
            value = np.array(int(text) if a.kind in "biu" else float(text)).astype(a)
            for b in TYPES:
                # A vector of float to uint32 out of range differs from a single one (AVX), so
                # single numbers are what is stored.
                print(a.name, hex_bytes(value, a), b.name, hex_bytes(value[()].astype(b), b), file=out)
    print(')cases"', file=out)
