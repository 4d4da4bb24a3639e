"""Scans and differences along an axis."""
ALL = list("d?bhilBHILefFD")
SHAPES = "3x4 0-d 1 7 3x4F 3x4T 3x4N 3x4S 3x4B 0 0x4 4x0 2x3x4T 600".split()


def rows(row):
    for name in "cumsum cumprod nancumsum nancumprod cumulative_sum cumulative_prod diff ediff1d gradient trapezoid unwrap".split():
        kind = "m" if "prod" in name else "a"
        row(f"np.{name}(a)", SHAPES, ALL, kind, "order", 64)
        if name == "ediff1d":
            continue
        for axis in "0", "1", "-1", "None", "5":
            row(f"np.{name}(a, axis={axis})", SHAPES, ALL[::2], kind, "order", 64)
        if "cum" in name:
            for code in "fdlB":
                row(f"np.{name}(a, axis=0, dtype='{code}')", "3x4 3x4T 7", "d l e B ? F", kind, "order", 64)
            row(f"np.{name}(a, axis=0, out=np.zeros(a.shape, 'd'))", "3x4 3x4T 7", "d l f", kind, "order", 64)
        if "cumul" in name:
            row(f"np.{name}(a, axis=0, include_initial=True)", "3x4 3x4T 7 0", ALL, kind, "order", 64)
    for name in ("cumsum", "cumprod"):
        row(f"a.{name}()", SHAPES, ALL, "m")
        row(f"a.{name}(axis=0)", SHAPES, ALL[::3], "m")
        row(f"a.{name}(1, 'd')", SHAPES, ALL[::3], "m")
    for more in (", n=2", ", n=0", ", n=3, axis=0", ", prepend=0", ", append=[[1], [2], [3]]", ", axis=0, prepend=1, append=2", ", n=-1", ", n=9"):
        row(f"np.diff(a{more})", "3x4 3x4T 7", ALL, "a")
    for more in (", 2.0", ", 2, 3", ", axis=0, edge_order=2", ", [0, 1, 3], axis=0", ", [0, 1, 3, 4]", ", np.array([0., 1, 3]), 2", ", edge_order=3"):
        row(f"np.gradient(a{more})", "3x4 3x4T", "d f e l B F", "a", "order", 64)
    for more in (", dx=2", ", [0, 1, 3, 4]", ", dx=0.5, axis=0", ", x=a"):
        row(f"np.trapezoid(a{more})", "3x4 3x4T 4", "d f e l B F ?", "a", "order", 64)
    for more in (", to_end=9", ", to_begin=[1, 2]", ", to_end=[1], to_begin=0"):
        row(f"np.ediff1d(a{more})", "3x4 7 0", ALL, "a")
    for more in (", period=4", ", discont=5", ", axis=0, period=6"):
        row(f"np.unwrap(a{more})", "3x4 7", "d f e l B", "a", "order", 64)
    for edge in ("full", "same", "valid"):
        row(f"np.convolve(a, b, '{edge}')", "7,3 3,7 1,4 7N,3S 600,5 0,2 3x4,2", "dd ll ff dl ?? FF BB ee", "ab", "order", 64)
        row(f"np.correlate(a, b, '{edge}')", "7,3 3,7 1,4 7N,3S 600,5 0,2", "dd ll ff dl ?? FF BB ee", "ab", "order", 64)
