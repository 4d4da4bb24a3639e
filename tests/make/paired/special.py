"""Special values: every ufunc with every dtype, and with pairs of special values; what errstate warns of is told."""
from paired.binary import ARITHMETIC, BITS, COMPARISONS, DIVISIONS, FLOATS
from paired.ufuncs import ANY, POSITIVE, UNIT

ALL = list("d?bhilBHILefFD")


def rows(row):
    for name in ANY + POSITIVE + UNIT:
        row(f"np.{name}(a)", ["49"], ALL, "s", "exact" if name in ("negative", "sign", "square") else "", 32)
        row(f"[np.{name}(x) for x in a]", ["14"], ALL, "s", "", 32)
    for name in ARITHMETIC + DIVISIONS + COMPARISONS + BITS + FLOATS + ["power", "left_shift", "right_shift", "divmod"]:
        row(f"np.{name}(a[:, None], a)", ["14"], "d ? b h i l B H I L e f F D", "s", "", 32)
        row(f"[np.{name}(x, y) for x in a for y in a]", ["6"], "d i B f F" , "s", "", 32)
    for text in ("np.add(a, a[::-1])", "a * 2", "a / 0", "a // 0", "a % 0", "a ** 2", "a ** -1", "a ** 0.5", "0 / a", "a - a[::-1]"):
        row(text, ["14"], ALL, "s", "", 32)
    for name in "sum prod min max mean var std cumsum cumprod argmin argmax any all ptp median nansum nanprod nanmin nanmax nanmean nanvar nanargmax nancumsum nanmedian".split():
        row(f"np.{name}(a)", ["14", "5", "1"], ALL, "s", "", 32)
    for text in ("np.sort(a)", "np.argsort(a, kind='stable')", "np.unique(a)", "np.nan_to_num(a)", "np.isclose(a, a[::-1])", "np.isclose(a, a, equal_nan=True)",
                 "np.clip(a, 0, 1)", "np.round(a)", "np.round(a, 1)", "np.isposinf(a)", "np.isneginf(a)", "np.real_if_close(a)", "np.isreal(a)", "np.iscomplex(a)", "np.angle(a)", "np.sinc(a)", "np.i0(a)",
                 "np.array_equal(a, a)", "np.array_equal(a, a, equal_nan=True)", "np.allclose(a, a)", "np.searchsorted(np.sort(a), a)",
                 "np.diff(a)", "np.histogram(a, range=(0, 1))", "np.where(a, a, 1)", "np.nonzero(a)", "np.count_nonzero(a)",
                 "np.maximum.reduce(a)", "np.fmin.reduce(a)", "np.trim_zeros(a)", "np.interp(a, [0, 1], [2, 3])", "np.unwrap(a)", "np.fix(a)"):
        row(text, ["14"], ALL, "s", "", 32)
