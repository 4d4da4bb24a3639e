# What a GPU is for: large arrays at the memory's speed, and small ones at a launch's cost.
from harness import measure, np

x = np.arange(2 ** 28, dtype=np.float32)
measure("2 * x, 2^28 float32 (2.1 GB)", lambda: 2 * x)
del x
n = 10 ** 8
x = np.arange(n, dtype=np.float32)
y = np.ones(n, dtype=np.float32)
measure("(x - y) * (x - y), 1e8 float32", lambda: (x - y) * (x - y))
measure("((x - y) ** 2).sum(), 1e8 float32", lambda: ((x - y) ** 2).sum())
measure("x.sum(), 1e8 float32", lambda: x.sum())
measure("x.reshape(10000, -1).sum(axis=0)", lambda: x.reshape(10000, -1).sum(axis=0))
measure("x.reshape(10000, -1).sum(axis=1)", lambda: x.reshape(10000, -1).sum(axis=1))
measure("x.reshape(10000, -1).T.copy()", lambda: x.reshape(10000, -1).T.copy())
measure("1 / (1 + exp(-x)), 1e8 float32", lambda: 1 / (1 + np.exp(-x)))
measure("x[y > 0.5], 1e8 float32", lambda: x[y > 0.5])
measure("cumsum, 1e8 float32", lambda: y.cumsum())
measure("sort, 1e8 float32", lambda: np.sort(x))
measure("(x + y) to the host, 4e8 bytes", lambda: (x + y).get())
a = np.ones((4096, 4096), dtype=np.float32)
measure("matmul 4096 float32", lambda: a @ a)
b = np.ones((1024, 1024)) + 2000 * np.eye(1024)
measure("solve 1024 float64", lambda: np.linalg.solve(b, b))
small = np.ones(1000)
measure("x + y, 1000 elements", lambda: small + small)
measure("five operations, 1000 elements", lambda: ((small + 1) * small - 2) / 3 + small)
measure("sum, 1000 elements", lambda: small.sum())
