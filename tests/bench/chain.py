# Expressions of several operations, where fusing them pays.
from harness import measure, np

n = 10 ** 7
x = np.linspace(0.1, 1, n)
y = np.linspace(1, 2, n)
f, g = x.astype(np.float32), y.astype(np.float32)
measure("five operations, 1e7 float64", lambda: (x - y) * (x + y) / 2 + 1)
measure("(x - y) * (x - y), 1e7 float32", lambda: (f - g) * (f - g))
measure("((x - y) ** 2).sum(), 1e7 float64", lambda: ((x - y) ** 2).sum())
measure("polynomial, 1e7 float32", lambda: 2 * f * f + 3 * f + 1)
measure("sigmoid, 1e7 float32", lambda: 1 / (1 + np.exp(-f)))
measure("standardise, 1e7 float64", lambda: (x - x.mean()) / x.std())
