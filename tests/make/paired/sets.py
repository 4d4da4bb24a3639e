"""Sets of an array's elements."""
ALL = list("d?bhilBHILefFD")


def rows(row):
    shapes = "7 3x4 0-d 0 1 3x4T 3x4N 600".split()
    row("np.unique(a)", shapes, ALL)
    for more in ("return_index", "return_inverse", "return_counts", "return_index=True, return_inverse=True, return_counts"):
        row(f"np.unique(a, {more}=True)", shapes, ALL)
        row(f"np.unique(a, {more}=True, axis=0)", "3x4 7 0x4 7x2 3x4T", "d l ? F B", "m")
    row("np.unique(a, axis=1)", "3x4 3x4T 4x0 7", "d l f", "m")
    row("np.unique(a, equal_nan=False)", "14", "d f D", "s")
    for name in "unique_values unique_counts unique_inverse unique_all".split():
        row(f"np.{name}(a) if '{name}' != 'unique_values' else np.sort(np.unique_values(a))", shapes, ALL)
    pairs = "7,7 3x4,3 ,3 0,3 0,0 7N,4S".split()
    codes = "dd ll df di ?? BB bH FF ee Ll lL".split()
    for name in "intersect1d union1d setdiff1d setxor1d isin".split():
        row(f"np.{name}(a, b)", pairs, codes, "ab")
        if name != "union1d":
            row(f"np.{name}(a, b, assume_unique=True)", "4,3", ["dd", "ll", "ff", "bb"], "ii")
    row("np.intersect1d(a, b, return_indices=True)", pairs, codes, "ab")
    for kind in ("sort", "table"):
        row(f"np.isin(a, b, kind='{kind}')", pairs, codes, "ab")
        row(f"np.isin(a, b, kind='{kind}', invert=True)", pairs, codes, "ab")
