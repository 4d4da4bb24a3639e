"""Ufuncs of one operand: every dtype, shapes and orders, out=, where=, dtype=."""
ALL = list("d?bhilBHILefFD")
SHAPES = "3x4 0-d 0 1 7 3x4F 3x4T 3x4N 3x4S 3x4B 0x4 2x3x4T 3x4R 600".split()
ANY = """negative positive absolute fabs sign square sqrt cbrt exp exp2 expm1 sin cos tan arctan sinh cosh tanh
arcsinh degrees radians deg2rad rad2deg floor ceil trunc rint isnan isinf isfinite signbit logical_not invert conjugate spacing
bitwise_count modf frexp isnat""".split()
POSITIVE = "log log2 log10 log1p reciprocal arccosh".split()
UNIT = "arcsin arccos arctanh".split()
EXACT = set("""negative positive fabs sign square floor ceil trunc rint isnan isinf isfinite signbit logical_not invert
conjugate spacing bitwise_count modf frexp""".split())


def rows(row):
    for names, kind in ((ANY, "a"), (POSITIVE, "p"), (UNIT, "u")):
        for name in names:
            options = "order exact" if name in EXACT else "order"
            row(f"np.{name}(a)", SHAPES, ALL, kind, options)
            row(f"np.{name}(a, out=np.zeros(a.shape, 'd'))", "3x4 0-d 3x4T", "d e f i ? D", kind)
            row(f"np.{name}(a, where=a > 1, out=a.copy())", "3x4 7 3x4F", "d f i", kind)
            row(f"np.{name}(a, dtype='f')", "3x4", "d e f b l ? D", kind)
            row(f"np.{name}(a, order='F')", "3x4 3x4T 2x3x4", "d", kind)
    row("np.abs(a[()])", "0-d", ALL)
    for text in ("-a", "+a", "abs(a)", "~a"):
        row(text, "3x4 0-d 3x4N", ALL)
        row(text.replace("a", "a[()]") if text != "abs(a)" else "abs(a[()])", "0-d", ALL)
