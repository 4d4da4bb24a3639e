# Three operations and more, as programs write them.
from harness import measure, np

rng = np.random.RandomState(0)
for n in (10, 1000, 100_000, 1_000_000, 10_000_000):
    x = np.asarray(rng.uniform(0.1, 2.0, n))
    y = np.asarray(rng.uniform(0.1, 2.0, n))
    f, g = x.astype(np.float32), y.astype(np.float32)
    for name, operation in (
        ("2 * x * x + 3 * x + 1", lambda: 2 * x * x + 3 * x + 1),
        ("((x + 1) * y - 2) / 3", lambda: ((x + 1) * y - 2) / 3),
        ("1 / (1 + exp(-x))", lambda: 1 / (1 + np.exp(-x))),
        ("sqrt(x * x + y * y)", lambda: np.sqrt(x * x + y * y)),
        ("sqrt(f * f + g * g) float32", lambda: np.sqrt(f * f + g * g)),
        ("((x - y) ** 2).sum()", lambda: ((x - y) ** 2).sum()),
        ("(x - x.mean()) / x.std()", lambda: (x - x.mean()) / x.std()),
        ("where(x > 1, x * 2, y - 1)", lambda: np.where(x > 1, x * 2, y - 1)),
        ("exp(-x * x / 2) / 2.5066", lambda: np.exp(-x * x / 2) / 2.5066),
        ("sin(x) * cos(y) + x * y", lambda: np.sin(x) * np.cos(y) + x * y),
        ("(x > 0.5) & (y < 1.5) & (x < y)", lambda: (x > 0.5) & (y < 1.5) & (x < y)),
    ):
        measure(name, n, operation, "expression")
for n in (100, 1000, 3000):
    a = np.asarray(rng.uniform(0.1, 2.0, (n, n)))
    row, column = a[0].copy(), a[:, :1].copy()
    for name, operation in (
        ("softmax of rows", lambda: np.exp(a - a.max(axis=1, keepdims=True)) / np.exp(a - a.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)),
        ("(a - row) * column + 1", lambda: (a - row) * column + 1),
        ("heat: mean of four neighbours", lambda: 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])),
        ("standardised columns", lambda: (a - a.mean(axis=0)) / a.std(axis=0)),
    ):
        measure(name, n * n, operation, "expression")
