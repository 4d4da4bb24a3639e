"""Reductions: dtypes, shapes, axes, keepdims, out, where, initial, dtype."""
ALL = list("d?bhilBHILefFD")
SHAPES = "3x4 0-d 1 7 3x4F 3x4T 3x4N 3x4S 3x4B 0 0x4 4x0 2x3x4 2x3x4T 2x3x4N 1x1 600 40x50T".split()
PLAIN = "sum prod min max any all mean argmin argmax ptp count_nonzero amin amax".split()
SPREAD = "var std median".split()
NANS = "nansum nanprod nanmin nanmax nanmean nanvar nanstd nanmedian nanargmin nanargmax".split()


def rows(row):
    for name in PLAIN + SPREAD + NANS:
        for more in ("", ", axis=0", ", axis=1", ", axis=-1", ", axis=(0, 1)", ", axis=()", ", axis=None", ", keepdims=True", ", axis=0, keepdims=True", ", axis=(2, 0)", ", axis=(0, 0)"):
            if "axis=(" in more and "arg" in name:
                continue
            few = more not in ("", ", axis=0", ", axis=1")
            row(f"np.{name}(a{more})", SHAPES, ALL[::3] if few else ALL, "p" if "prod" in name else "a", "order", 64)
    for name in "sum prod min max any all mean argmin argmax var std ptp".split():
        if name != "ptp":
            row(f"a.{name}()", SHAPES, ALL, "a", "order", 64)
            row(f"a.{name}(axis=1)", SHAPES, ALL[::2], "a", "order", 64)
            row(f"a.{name}(0)", SHAPES, ALL[::3], "a", "order", 64)
            row(f"a[()].{name}()", "0-d", ALL, "a")
    for name in "sum prod mean var std".split():
        for code in "fdeilBFD?":
            row(f"np.{name}(a, dtype='{code}')", "3x4", "d l e B F ?", "p", "order", 64)
    for name in "sum prod min max mean any all var std median argmax".split():
        row(f"np.{name}(a, axis=0, out=np.zeros(4))", "3x4 3x4T 3x4N", "d f l ? D", "p", "order", 64)
        row(f"np.{name}(a, axis=0, out=np.zeros(4, 'i'))", "3x4", "d f l ?", "p", "order", 64)
        row(f"np.{name}(a, axis=0, out=np.zeros(3))", "3x4", "d l", "p")
        row(f"np.{name}(a, out=np.zeros(()))", "3x4", "d l", "p")
    for name in "sum prod min max mean any all var std".split():
        where = ", initial=2" if name in ("min", "max") else ""
        for mask in ("a > 2", "False", "np.array([True, False, True, False])", "a > 100"):
            row(f"np.{name}(a, where={mask}{where})", "3x4 3x4T 2x3x4", "d f l B ? e F", "p", "order", 64)
            row(f"np.{name}(a, axis=-1, where={mask}{where})", "3x4 3x4F 2x3x4T", "d f l", "p", "order", 64)
    for name in "sum prod min max".split():
        row(f"np.{name}(a, initial=3)", SHAPES, ALL, "p", "order", 64)
        row(f"np.{name}(a, axis=0, initial=3)", SHAPES, ALL[::3], "p", "order", 64)
    for name in "var std nanvar nanstd".split():
        row(f"np.{name}(a, ddof=1)", SHAPES, ALL[::2], "p", "order", 64)
        row(f"np.{name}(a, axis=0, ddof=1.5)", SHAPES, ALL[::3], "p", "order", 64)
    for name in "var std".split():
        row(f"np.{name}(a, correction=1)", "3x4 7", ALL[::3], "p", "order", 64)
        row(f"np.{name}(a, axis=0, mean=np.mean(a, axis=0, keepdims=True))", "3x4 7", ALL[::3], "p", "order", 64)
    for q in ("50", "[25, 75]", "0", "100", "[[10, 20], [30, 40]]", "120", "33.3"):
        for more in ("", ", axis=0", ", axis=1", ", keepdims=True", ", axis=(0, 1)", ", axis=0, keepdims=True"):
            row(f"np.percentile(a, {q}{more})", "3x4 7 3x4T 2x3x4 0-d 0x4 1", "d f e l B ? D", "a", "order", 64)
    for method in ("inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen weibull linear median_unbiased normal_unbiased "
                   "lower higher midpoint nearest").split():
        row(f"np.quantile(a, [0.1, 0.35, 0.5, 0.9], method='{method}')", "7 3x4", "d f l B e", "a", "order", 64)
        row(f"np.nanquantile(a, 0.3, axis=0, method='{method}')", "7 3x4", "d f l", "a", "order", 64)
        row(f"np.quantile(a, 0.35, axis=0, method='{method}')", "3x4 3x4T", "d f l", "a", "order", 64)
    for w in ("None", "[1, 2, 3]", "a", "[0, 0, 0]", "[1, 2]"):
        row(f"np.average(a, axis=0, weights={w})", "3x4 3x4T 3", "d f l ? F", "p", "order", 64)
        row(f"np.average(a, axis=0, weights={w}, returned=True)", "3x4 3", "d f l", "p", "order", 64)
    row("np.average(a)", SHAPES, ALL, "p", "order", 64)
