# Folds, scans and statistics.
from harness import measure, np

rng = np.random.RandomState(0)
for n in (1000, 100_000, 10_000_000):
    x = np.asarray(rng.uniform(0.1, 2.0, n))
    f = x.astype(np.float32)
    i = np.asarray(rng.randint(0, 1000, n))
    mask = x > 1
    for name, operation in (
        ("sum", lambda: x.sum()), ("sum float32", lambda: f.sum()), ("sum int64", lambda: i.sum()),
        ("mean", lambda: x.mean()), ("std", lambda: x.std()), ("max", lambda: x.max()),
        ("argmax", lambda: x.argmax()), ("prod", lambda: x.prod()), ("all", lambda: mask.all()),
        ("count_nonzero", lambda: np.count_nonzero(mask)), ("cumsum", lambda: x.cumsum()),
        ("nansum", lambda: np.nansum(x)), ("nanmean", lambda: np.nanmean(x)), ("ptp", lambda: np.ptp(x)),
        ("norm", lambda: np.linalg.norm(x)), ("median", lambda: np.median(x)),
        ("percentile 10, 90", lambda: np.percentile(x, [10, 90])), ("average weighted", lambda: np.average(x, weights=x)),
    ):
        measure(name, n, operation)
    measure("dot", n, lambda: x.dot(x), "library")
for shape in ((100, 100), (3000, 3000), (100_000, 10)):
    a = np.asarray(rng.uniform(0.1, 2.0, shape))
    n = shape[0] * shape[1]
    for name, operation in (
        (f"sum axis 0, {shape[1]} columns", lambda: a.sum(axis=0)), (f"sum axis 1, {shape[1]} columns", lambda: a.sum(axis=1)),
        (f"max axis 1, {shape[1]} columns", lambda: a.max(axis=1)), (f"std axis 0, {shape[1]} columns", lambda: a.std(axis=0)),
        (f"argmin axis 1, {shape[1]} columns", lambda: a.argmin(axis=1)), (f"cumsum axis 1, {shape[1]} columns", lambda: a.cumsum(axis=1)),
        (f"median axis 1, {shape[1]} columns", lambda: np.median(a, axis=1)),
    ):
        measure(name, n, operation)
for shape in ((1000, 20), (10_000, 50)):
    a = np.asarray(rng.uniform(0.1, 2.0, shape))
    measure(f"cov of {shape[1]} columns", shape[0] * shape[1], lambda: np.cov(a, rowvar=False))
    measure(f"corrcoef of {shape[1]} columns", shape[0] * shape[1], lambda: np.corrcoef(a, rowvar=False))
