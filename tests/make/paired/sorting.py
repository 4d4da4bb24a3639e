"""Sorting, searching, counting."""
ALL = list("d?bhilBHILefFD")
SHAPES = "3x4 0-d 1 7 3x4F 3x4T 3x4N 3x4S 3x4B 0 0x4 2x3x4T 600".split()


def rows(row):
    for name in ("sort", "argsort"):
        for more in ("", ", axis=0", ", axis=None", ", axis=1", ", kind='stable'", ", stable=True", ", axis=2"):
            if name == "argsort" and "stable" not in more:
                more += ", kind='stable'"
            row(f"np.{name}(a{more})", SHAPES, ALL if more in ("", ", kind='stable'") else ALL[::3])
        row(f"(a.{name}(axis=0, kind='stable'), a)", "3x4 3x4T 3x4N 3x4S 7 0-d 3x4R", ALL)
    for more in ("1", "[0, 2]", "-1", "3", "1, axis=0", "2, axis=None"):
        row(f"np.partition(a, {more}).shape", SHAPES, ALL[::3])
        row(f"np.sort(np.partition(a, {more}), axis={'0' if 'axis=0' in more else '-1'})", "3x4 7 3x4T", ALL[::2])
        row(f"np.take(np.partition(a, {more}), 1, axis=-1)", "3x4 7 3x4T", ALL[::3]) if "axis" not in more and "1" in more and "-" not in more else None
    row("np.sort_complex(a)", "3x4 7", ALL)
    row("np.lexsort((a, b))", "7,7 3x4,3x4 0,0 3,4", "dd ll di ?? FF", "ab")
    row("np.lexsort(a)", "3x4 3x4T 7", "d l f")
    for side in ("left", "right"):
        row(f"np.searchsorted(a, b, '{side}')", "7,3x4 600,7 0,3 7,0 7, 7N,3S 3x4,3", "dd ll ff dl ld ?? FF BB bH ee", "za")
        row(f"a.searchsorted(b, side='{side}', sorter=np.argsort(a, kind='stable'))", "7,3x4 600,7", "dd ll ff", "aa")
    row("np.searchsorted(a, 2)", "7", ALL, "z")
    for right in ("", ", True"):
        row(f"np.digitize(a, b{right})", "3x4,7 ,7 0,7 7,1", "dd ll df ld BB ff", "az")
        row(f"np.digitize(a, b[::-1]{right})", "3x4,7", "dd ll df", "az")
    for text in ("np.nonzero(a)", "np.argwhere(a)", "np.flatnonzero(a)", "a.nonzero()", "np.count_nonzero(a, axis=0)", "np.where(a)", "np.where(a > 1, a, 0)", "np.where(a > 1, a, a.T.T[::-1])",
                 "np.extract(a > 1, a)", "np.extract([1, 0, 1], a)", "np.compress([True, False, True], a)", "np.compress([True, False, True], a, axis=0)", "a.compress([0, 1], axis=-1)",
                 "np.argmax(a, axis=0)", "np.argmin(a, axis=-1, keepdims=True)", "a.argmax(1)", "np.isin(a, [1, 2])", "np.isin(a, [1, 2], invert=True)", "np.select([a > 2, a > 0], [a, -a if a.dtype != bool else a], 7)",
                 "np.piecewise(a, [a > 1], [5, 7])", "np.piecewise(a, [a > 1, a < 0], [lambda x: x + 1, 3])", "np.choose(np.array([0, 1, 0, 1]), [a, a + a])", "np.place(a, a > 1, [9, 8])", "(np.place(a, a > 1, [9, 8]), a)",
                 "(np.putmask(a, a > 1, [9, 8]), a)", "(np.put(a, [0, 2], [9, 8]), a)", "(np.put(a, [0, -1], 7, mode='wrap'), a)", "(np.copyto(a, 3), a)", "(np.copyto(a, 3, where=a > 1), a)", "(np.copyto(a, a[::-1].copy()), a)",
                 "(a.fill(2), a)", "(a.put([1], 5), a)", "(np.fill_diagonal(a, 9), a)", "(np.fill_diagonal(a, [8, 9], wrap=True), a)"):
        row(text, SHAPES, ALL)
    row("np.bincount(a)", "7 0 3x4 0-d", "l i B ? d b L", "i")
    row("np.bincount(a, minlength=12)", "7 0", "l i B ?", "i")
    row("np.bincount(a, b)", "7,7 7,3 7N,7S", "ll ld li lf lD l? BB", "ib")
    for more in ("", ", 4", ", [0, 1, 2, 3]", ", range=(-2, 3)", ", density=True", ", bins='auto'", ", bins='fd'", ", bins='sturges'", ", bins='scott'", ", bins='rice'", ", bins='sqrt'", ", bins='doane'", ", bins='stone'", ", weights=np.ones(a.shape)", ", 0", ", range=(3, 1)", ", [3, 1]"):
        row(f"np.histogram(a{more})", "7 3x4 0 600", "d f l B ? e D", "a", "order", 64)
        row(f"np.histogram_bin_edges(a{more})", "7 3x4", "d f l B", "a", "order", 64) if "density" not in more else None
    row("np.histogram2d(a, b, 3)", "7,7 600,600 7,3", "dd ll df", "ab", "order", 64)
    row("np.histogram2d(a, b, [2, 3], range=[[-3, 3], [-1, 2]])", "7,7", "dd ll df", "ab", "order", 64)
    row("np.histogramdd(a, 2)[0]", "7x2 7x3", "d l f", "a", "order", 64)
    row("np.interp(a, b, b)", "3x4,7 ,7 0,7", "dd ll df ff", "az", "order", 64)
    row("np.interp(a, b, b, left=-9, right=9)", "3x4,7", "dd ll", "az", "order", 64)
    row("np.interp(a, b, b, period=9)", "3x4,7", "dd ll", "ai", "order", 64)
