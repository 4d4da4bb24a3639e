"""Writes tests/lib/ufunc_values/NAME.gpy, one script a ufunc: its values on every family of dtypes,
special values included. scripts/expect then adds what NumPy gives.

    python3 tests/make/ufunc_scripts.py && scripts/expect tests/lib/ufunc_values/*.gpy
"""
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "ufunc_values")
FLOATS = "float16 float32 float64"
COMPLEX = "complex64 complex128"
INTS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64"
SPECIAL = "[0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan]"

# name: (real inputs, takes integers, takes complex, takes bool)
UNARY = {
    "negative": ("[-2.5, -1, 0, 0.5, 3]", True, True, False),
    "positive": ("[-2.5, -1, 0, 0.5, 3]", True, True, False),
    "absolute": ("[-2.5, -1, 0, 0.5, 3]", True, True, True),
    "fabs": ("[-2.5, -1, 0, 0.5, 3]", True, False, False),
    "sign": ("[-2.5, -1, 0, 0.5, 3]", True, False, False),
    "square": ("[-2.5, -1, 0, 0.5, 3]", True, True, False),
    "sqrt": ("[0, 0.25, 2, 3, 100]", True, True, False),
    "cbrt": ("[-8, -0.5, 0, 2, 27]", True, False, False),
    "reciprocal": ("[-2.5, -1, 0.5, 3, 8]", False, True, False),
    "exp": ("[-3, -0.5, 0, 1, 4.5]", True, True, False),
    "exp2": ("[-3, -0.5, 0, 1, 4.5]", True, False, False),
    "expm1": ("[-3, -0.5, 0, 1, 4.5]", True, False, False),
    "log": ("[0.1, 0.5, 1, 2, 50]", True, True, False),
    "log2": ("[0.1, 0.5, 1, 2, 50]", True, False, False),
    "log10": ("[0.1, 0.5, 1, 2, 50]", True, False, False),
    "log1p": ("[-0.5, 0, 0.1, 1, 50]", True, False, False),
    "sin": ("[-3, -0.5, 0, 1, 4.5]", True, True, False),
    "cos": ("[-3, -0.5, 0, 1, 4.5]", True, True, False),
    "tan": ("[-3, -0.5, 0, 1, 4.5]", True, True, False),
    "arcsin": ("[-1, -0.5, 0, 0.3, 1]", False, False, False),
    "arccos": ("[-1, -0.5, 0, 0.3, 1]", False, False, False),
    "arctan": ("[-3, -0.5, 0, 1, 50]", True, False, False),
    "sinh": ("[-3, -0.5, 0, 1, 4.5]", True, True, False),
    "cosh": ("[-3, -0.5, 0, 1, 4.5]", True, True, False),
    "tanh": ("[-3, -0.5, 0, 1, 4.5]", True, True, False),
    "arcsinh": ("[-3, -0.5, 0, 1, 50]", True, False, False),
    "arccosh": ("[1, 1.5, 2, 3, 50]", True, False, False),
    "arctanh": ("[-0.9, -0.5, 0, 0.3, 0.9]", False, False, False),
    "degrees": ("[-3, -0.5, 0, 1, 4.5]", True, False, False),
    "radians": ("[-180, -45, 0, 90, 720]", True, False, False),
    "floor": ("[-2.5, -1, -0.3, 0.5, 3]", True, False, True),
    "ceil": ("[-2.5, -1, -0.3, 0.5, 3]", True, False, True),
    "trunc": ("[-2.5, -1, -0.3, 0.5, 3]", True, False, True),
    "rint": ("[-2.5, -1.5, -0.3, 0.5, 3]", False, True, False),
    "isnan": ("[-2.5, 0, 3]", True, True, True),
    "isinf": ("[-2.5, 0, 3]", True, True, True),
    "isfinite": ("[-2.5, 0, 3]", True, True, True),
    "signbit": ("[-2.5, 0, 3]", True, False, False),
    "logical_not": ("[-2.5, 0, 3]", True, True, True),
    "conjugate": ("[-2.5, 0, 3]", True, True, False),
}
# name: (floats, integers, complex, bool)
BINARY = {
    "add": (True, True, True, True),
    "subtract": (True, True, True, False),
    "multiply": (True, True, True, True),
    "divide": (True, True, True, True),
    "floor_divide": (True, True, False, True),
    "remainder": (True, True, False, True),
    "fmod": (True, True, False, True),
    "power": (True, True, False, True),
    "float_power": (True, True, False, True),
    "arctan2": (True, True, False, False),
    "hypot": (True, True, False, False),
    "maximum": (True, True, True, True),
    "minimum": (True, True, True, True),
    "fmax": (True, True, False, True),
    "fmin": (True, True, False, True),
    "copysign": (True, True, False, False),
    "nextafter": (True, False, False, False),
    "greater": (True, True, True, True),
    "greater_equal": (True, True, True, True),
    "less": (True, True, True, True),
    "less_equal": (True, True, True, True),
    "equal": (True, True, True, True),
    "not_equal": (True, True, True, True),
    "logical_and": (True, True, True, True),
    "logical_or": (True, True, True, True),
    "logical_xor": (True, True, True, True),
    "bitwise_and": (False, True, False, True),
    "bitwise_or": (False, True, False, True),
    "bitwise_xor": (False, True, False, True),
    "left_shift": (False, True, False, False),
    "right_shift": (False, True, False, False),
    "gcd": (False, True, False, False),
    "lcm": (False, True, False, False),
}
# Functions whose float32 values may differ in the last bit: fewer digits where they are large.
SHORT = ("exp", "sinh", "cosh")
# Functions of complex numbers whose zeros have the sign that the library of the device gives them.
UNSIGNED_ZEROS = ("sin", "cos", "tan", "sinh", "cosh", "tanh")


def head(name):
    return f"""# Written by tests/make/ufunc_scripts.py.
# also: cupy
import numpy as np
np.set_printoptions(precision={3 if name in SHORT else 4})
np.seterr(all="ignore")
"""


def loop(dtypes, body):
    return f'for dtype in "{dtypes}".split():\n    {body}\n'


def unary_script(name, inputs, ints, complexes, bools):
    text = head(name) + f"x = np.array({inputs})\n" + loop(FLOATS, f"print(np.{name}(x.astype(dtype)))")
    text += f"print(np.{name}({SPECIAL}))\n"
    if ints:
        text += loop("int8 int16 int32 int64", f"print(repr(np.{name}(np.array([-3, -1, 0, 1, 2, 7], dtype))))"
                     if not name.startswith(("log", "sqrt", "arccosh"))
                     else f"print(repr(np.{name}(np.array([1, 2, 3, 7, 100], dtype))))")
        text += loop("uint8 uint16 uint32 uint64", f"print(repr(np.{name}(np.array([1, 2, 3, 7, 100], dtype))))"
                     if name not in ("exp", "exp2", "expm1", "sinh", "cosh")
                     else f"print(repr(np.{name}(np.array([0, 1, 2, 3, 5], dtype))))")
    if complexes:
        plus = " + 0" if name in UNSIGNED_ZEROS else ""
        text += loop(COMPLEX, f"print(np.{name}(np.array([1 + 2j, -0.5j, 2, 0.25 - 1j], dtype)){plus})")
    if bools:
        text += f"print(repr(np.{name}(np.array([False, True]))))\n"
    return text


def binary_script(name, floats, ints, complexes, bools):
    text = head(name)
    if floats:
        text += "x, y = np.array([-2.5, -1, 0.5, 3, 7.25]), np.array([2, 3, -1.5, 0.75, 2])\n"
        if name in ("power", "float_power"):
            text += "x = abs(x)\n"
        text += loop(FLOATS, f"print(np.{name}(x.astype(dtype), y.astype(dtype)))")
        text += f"print(np.{name}({SPECIAL}, 2.0))\nprint(np.{name}(2.0, {SPECIAL}))\n"
    if ints:
        pair = "[-7, -3, 0, 5, 7], dtype), np.array([2, 3, 1, 4, 1], dtype)"
        text += loop("int8 int16 int32 int64", f"print(repr(np.{name}(np.array({pair})))")
        text += loop("uint8 uint16 uint32 uint64", f"print(repr(np.{name}(np.array({pair.replace('-', '')})))")
        text += f"print(repr(np.{name}(np.array([1, 7, 3], np.int8), np.array([[2], [3]], np.uint16))))\n"
    if complexes:
        text += loop(COMPLEX, f"print(np.{name}(np.array([1 + 2j, -0.5j, 2], dtype), np.array([1 - 1j, 2, 2], dtype)))")
    if bools:
        text += f"print(repr(np.{name}(np.array([False, False, True, True]), np.array([False, True, False, True]))))\n"
    return text


def fix_bools(name, text):
    return text.replace("[False, True, False, True]", "[True, True, True, True]") if name in (
        "floor_divide", "remainder", "fmod") else text


os.makedirs(FOLDER, exist_ok=True)
for name, row in UNARY.items():
    with open(os.path.join(FOLDER, f"{name}.gpy"), "w") as file:
        file.write(unary_script(name, *row))
for name, row in BINARY.items():
    with open(os.path.join(FOLDER, f"{name}.gpy"), "w") as file:
        file.write(fix_bools(name, binary_script(name, *row)))
