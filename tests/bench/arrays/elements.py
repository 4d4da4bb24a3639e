# Picking, moving, sorting and joining elements.
from harness import measure, np

rng = np.random.RandomState(0)
for n in (1000, 100_000, 3_000_000):
    x = np.asarray(rng.uniform(0.0, 1.0, n))
    f = x.astype(np.float32)
    i = np.asarray(rng.randint(0, n, n))
    few = np.asarray(rng.randint(0, 1000, n))
    mask = x > 0.5
    edges = np.linspace(0, 1, 101)
    target = np.zeros(n)

    def put():
        target[i] = x
        return target

    def put_mask():
        target[mask] = 1.5
        return target

    for name, operation in (
        ("x[i]", lambda: x[i]), ("x[mask]", lambda: x[mask]), ("x[::2] + 1", lambda: x[::2] + 1),
        ("x[::-1].copy()", lambda: x[::-1].copy()), ("x[i] = y", put), ("x[mask] = 1.5", put_mask),
        ("nonzero", lambda: np.nonzero(mask)[0]), ("take", lambda: np.take(x, i)),
        ("sort", lambda: np.sort(x)), ("sort float32", lambda: np.sort(f)), ("sort int64", lambda: np.sort(i)),
        ("argsort", lambda: np.argsort(x)), ("argsort stable int", lambda: np.argsort(few, kind="stable")),
        ("partition", lambda: np.partition(x, n // 2)), ("unique of 1,000", lambda: np.unique(few)),
        ("unique, inverse", lambda: np.unique(few, return_inverse=True)[1]), ("isin", lambda: np.isin(i, few)),
        ("intersect1d", lambda: np.intersect1d(i, few)),
        ("searchsorted 100", lambda: np.searchsorted(edges, x)), ("digitize", lambda: np.digitize(x, edges)),
        ("bincount", lambda: np.bincount(few)), ("bincount weights", lambda: np.bincount(few, weights=x)),
        ("histogram 100", lambda: np.histogram(x, bins=100, range=(0, 1))[0]),
        ("interp", lambda: np.interp(x, edges, edges)), ("diff", lambda: np.diff(x)), ("gradient", lambda: np.gradient(x)),
        ("concatenate", lambda: np.concatenate([x, x])), ("stack", lambda: np.stack([x, x], axis=1)),
        ("tile 3", lambda: np.tile(x, 3)), ("repeat 3", lambda: np.repeat(x, 3)), ("roll", lambda: np.roll(x, 5)),
        ("pad", lambda: np.pad(x, 3)), ("flip", lambda: np.flip(x).copy()), ("trapezoid", lambda: np.trapezoid(x)),
        ("polyval", lambda: np.polyval([1.0, 2.0, 3.0], x)), ("convolve 9", lambda: np.convolve(x, x[:9], "same")),
    ):
        measure(name, n, operation)
for n in (100, 1000, 3000):
    a = np.asarray(rng.uniform(0.0, 1.0, (n, n)))
    row = a[0].copy()
    for name, operation in (
        ("a.T.copy()", lambda: a.T.copy()), ("sort axis 1", lambda: np.sort(a, axis=1)),
        ("sort axis 0", lambda: np.sort(a, axis=0)), ("rot90", lambda: np.rot90(a).copy()),
        ("outer", lambda: np.outer(row, row)), ("tril", lambda: np.tril(a)), ("hstack", lambda: np.hstack([a, a])),
        ("a[i][:, i]", lambda: a[::2][:, ::2].copy()), ("meshgrid", lambda: np.meshgrid(row, row)[0] + 0),
        ("pad edge", lambda: np.pad(a, 2, mode="edge")), ("kron 2x2", lambda: np.kron(a, np.ones((2, 2)))),
    ):
        measure(name, n * n, operation)
