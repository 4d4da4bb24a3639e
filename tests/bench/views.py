# Neighbours and borders: views whose elements start anywhere in memory.
from harness import measure, np

n = 10 ** 8
x = np.ones(n, dtype=np.float32)
measure("x[1:] - x[:-1], 1e8 float32", lambda: x[1:] - x[:-1])
measure("x[2:] - 2 * x[1:-1] + x[:-2], 1e8 float32", lambda: x[2:] - 2 * x[1:-1] + x[:-2])
measure("x[1:] * 2, 1e8 float32", lambda: x[1:] * 2)
measure("x[1:].sum(), 1e8 float32", lambda: x[1:].sum())
m = x[:9999 * 9999].reshape(9999, 9999)
measure("m + 1, 9999 by 9999 float32", lambda: m + 1)
measure("m.sum(axis=1), 9999 by 9999 float32", lambda: m.sum(axis=1))
measure("five-point stencil, 9999 by 9999 float32",
        lambda: m[1:-1, 1:-1] + m[:-2, 1:-1] + m[2:, 1:-1] + m[1:-1, :-2] + m[1:-1, 2:])
d = np.ones(n // 2)
measure("d[1:] - d[:-1], 5e7 float64", lambda: d[1:] - d[:-1])
b = np.ones(n, dtype=np.uint8)
measure("b[1:] + b[:-1], 1e8 uint8", lambda: b[1:] + b[:-1])
measure("b[3:].max(), 1e8 uint8", lambda: b[3:].max())
h = np.ones(n, dtype=np.float16)
measure("h[1:] - h[:-1], 1e8 float16", lambda: h[1:] - h[:-1])
flags = b > 0
measure("flags & flags, 1e8 bool", lambda: flags & flags)
measure("where(flags, x, 0), 1e8", lambda: np.where(flags, x, np.float32(0)))
measure("flags.sum(), 1e8 bool", lambda: flags.sum())
