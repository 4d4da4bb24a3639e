"""Ufuncs of two operands: pairs of dtypes, broadcasting, orders, scalars, out=, where=, methods of ufuncs."""
SHAPES = "3x4,3x4 3x4,4 3x4,3x1 4,3x1 ,3x4 3x4, , 1,7 3x4F,3x4F 3x4T,3x4 3x4N,3x4S 3x4B,3x4F 0x4,4 0x4,3x4 2x3x4T,4 600,600 3,4".split()
SAME = [2 * c for c in "d?bhilBHILefFD"]
MIXED = "df de dl fi eb lL iI hH bB ?b ?d Bb Ll Hf If id Fd Ff Dl FD Fi ef ?e Bi lh".split()
ARITHMETIC = "add subtract multiply maximum minimum fmax fmin".split()
DIVISIONS = "divide floor_divide remainder fmod".split()
COMPARISONS = "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor".split()
BITS = "bitwise_and bitwise_or bitwise_xor gcd lcm".split()
FLOATS = "arctan2 hypot logaddexp logaddexp2 copysign nextafter heaviside float_power".split()
OPERATORS = "+ - * / // % ** & | ^ << >> == != < <= > >=".split()

NAMES = dict(zip("+ - * / // % ** & | ^ << >>".split(), "add sub mul truediv floordiv mod pow and or xor lshift rshift".split()))


def rows(row):
    for name in ARITHMETIC + COMPARISONS + BITS:
        row(f"np.{name}(a, b)", SHAPES, SAME + MIXED, "ab", "order exact")
    for name in DIVISIONS:
        row(f"np.{name}(a, b)", SHAPES, SAME + MIXED, "ap", "order")
    for name in FLOATS:
        row(f"np.{name}(a, b)", SHAPES, SAME + MIXED, "pp" if name == "float_power" else "ab")
    for name in ("power", "left_shift", "right_shift", "ldexp"):
        row(f"np.{name}(a, b)", SHAPES, SAME + MIXED, "am")
    row("np.divmod(a, b)", SHAPES, SAME + MIXED, "ap")
    for sign in OPERATORS:
        second = "m" if sign in "** << >>" else "p"
        row(f"a {sign} b", "3x4,3x4 3x4T,3x4F 0x4,4 ,", SAME[:9] + SAME[10:] + MIXED[:8], "a" + second)
        row(f"a[()] {sign} b[()]", [","], SAME + MIXED, "a" + second)
        for scalar in ("2", "2.5", "True", "2j", "-1", "300"):
            row(f"a {sign} {scalar}", "3x4", "d i B e F ? L b", "a")
            row(f"{scalar} {sign} a", "3x4", "d i B e F ?", "p" if sign in "// %" else "m")
        row(f"a {sign} [1, 2, 3, 4]", "3x4 4", "d i", "a")
    for name in ARITHMETIC[:3] + DIVISIONS + ["power"]:
        row(f"np.{name}(a, b, out=np.zeros((3, 4), 'f'))", "3x4,3x4 3x4,4", "dd ff ee ii ll FF ??", "ap")
        row(f"np.{name}(a, b, out=np.zeros((3, 4), 'i'))", "3x4,3x4", "dd ff ii ll bb", "ap")
        row(f"np.{name}(a, b, dtype='f')", "3x4,3x4", "dd ff ee ii ll FF ?? lf", "ap")
        row(f"np.{name}(a, b, casting='no')", "3x4,3x4", "dd df il ii", "ap")
        row(f"np.{name}(a, b, dtype='i', casting='unsafe')", "3x4,3x4", "dd ff ii", "ap")
        row(f"np.{name}(a, b, where=b > 4, out=np.ones((3, 4)))", "3x4,3x4 3x4,4 3x4F,3x4", "dd ff ii", "ap")
        row(f"np.{name}(a, b, order='F')", "3x4,3x4", "dd", "ap")
        row(f"np.{name}(a, b, order='C')", "3x4F,3x4F", "dd", "ap")
    for name in ARITHMETIC + BITS + DIVISIONS + COMPARISONS + ["power", "hypot", "logaddexp", "arctan2"]:
        for more in ("", ", axis=1", ", axis=None", ", keepdims=True", ", axis=(0, 1)", ", dtype='d'", ", axis=-1, keepdims=True", ", initial=1",
                     ", where=a > 1, initial=2"):
            row(f"np.{name}.reduce(a{more})", "3x4 3x4T 0x4 2x3x4 ", "d l ? B f", "p", "view")
        for more in ("", ", axis=1", ", dtype='d'", ", axis=-1"):
            row(f"np.{name}.accumulate(a{more})", "3x4 3x4T 3x4N 0x4 7", "d l ? B f", "p", "view")
        row(f"np.{name}.outer(a, b)", "3,4 3x4,2 ,3 0,3", "dd ll df ?? Bb", "pp", "view")
        row(f"np.{name}.reduceat(a, [0, 2, 1])", "7 3x4 3x4T", "d l B f", "p", "view")
        row(f"np.{name}.reduceat(a, [0, 2], axis=1)", "3x4 3x4T", "d l f", "p", "view")
        row(f"(np.{name}.at(a, [0, 2, 0], 2), a)", "7 3x4 3x4T 3x4N", "d l B f e", "p")
    for sign, name in NAMES.items():
        row(f"operator.i{name}(a, b)", "3x4,3x4 3x4T,4 3x4,", SAME + MIXED, "am" if sign in "** << >>" else "ap")
