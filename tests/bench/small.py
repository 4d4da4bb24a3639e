# Common operations on few elements, where what surrounds the loop decides: scripts/bench --small.
from harness import measure, np

BUDGET = 0.05
rng = np.random.RandomState(7)
numbers = {"a": np.float64(7.5), "b": np.float64(2.0), "i": np.int64(17), "j": np.int64(5)}


def case(name, size, operation):
    measure(f"{name}|{size}", operation, BUDGET)


def measure_arrays(n):
    x, y = rng.rand(n) + 0.5, rng.rand(n) + 0.5
    f, g = x.astype(np.float32), y.astype(np.float32)
    i, j = (x * 1000).astype(np.int64), (y * 100).astype(np.int64)
    mask = x > 1.0
    side = max(int(n ** 0.5), 2)
    m = rng.rand(side, side)
    row, column = m[0].copy(), m[:, :1].copy()
    z = x.copy()
    index = (rng.rand(30) * n).astype(np.int64)
    thirty = rng.rand(30)
    knots = np.sort(thirty)

    def add_in_place():
        np.add(z, 1e-9, out=z)
        return z

    def assign():
        z[...] = y
        return z

    def assign_slice():
        z[::2] = 1.0
        return z

    def assign_index():
        z[index] = thirty
        return z

    def subtract_at_index():
        z[index] -= thirty
        return z

    case("x + y", n, lambda: x + y)
    case("x + y, float32", n, lambda: f + g)
    case("i + j, int64", n, lambda: i + j)
    case("2 * x", n, lambda: 2 * x)
    case("x / y", n, lambda: x / y)
    case("x ** 2", n, lambda: x ** 2)
    case("-x", n, lambda: -x)
    case("x > y", n, lambda: x > y)
    case("i % 7", n, lambda: i % 7)
    case("i // 7", n, lambda: i // 7)
    case("mask & mask", n, lambda: mask & mask)
    case("np.add(z, c, out=z)", n, add_in_place)
    case("chain of 5", n, lambda: ((2 * x + 1) * x - 3) / 2)
    case("sqrt", n, lambda: np.sqrt(x))
    case("exp", n, lambda: np.exp(x))
    case("sin", n, lambda: np.sin(x))
    case("abs", n, lambda: abs(x))
    case("maximum", n, lambda: np.maximum(x, y))
    case("where", n, lambda: np.where(mask, x, y))
    case("clip", n, lambda: np.clip(x, 0.7, 1.2))
    case("round", n, lambda: np.round(x, 2))
    case("isnan", n, lambda: np.isnan(x))
    case("astype float32", n, lambda: x.astype(np.float32))
    case("sum", n, lambda: x.sum())
    case("sum, float32", n, lambda: f.sum())
    case("mean", n, lambda: x.mean())
    case("std", n, lambda: x.std())
    case("max", n, lambda: x.max())
    case("argmax", n, lambda: x.argmax())
    case("any", n, lambda: mask.any())
    case("cumsum", n, lambda: np.cumsum(x))
    case("dot", n, lambda: x.dot(y))
    case("norm", n, lambda: np.linalg.norm(x))
    case("diff", n, lambda: np.diff(x))
    case("x[::2] copied", n, lambda: x[::2].copy())
    case("x[::-1] copied", n, lambda: x[::-1].copy())
    case("x[1:] - x[:-1]", n, lambda: x[1:] - x[:-1])
    case("x[mask]", n, lambda: x[mask])
    case("nonzero", n, lambda: np.nonzero(mask)[0])
    case("take", n, lambda: x.take(index))
    case("x[30 indices]", n, lambda: x[index])
    case("x[30 indices] = y", n, assign_index)
    case("x[30 indices] -= y", n, subtract_at_index)
    case("x[...] = y", n, assign)
    case("x[::2] = 1", n, assign_slice)
    case("zeros", n, lambda: np.zeros(n))
    case("arange", n, lambda: np.arange(n))
    case("linspace", n, lambda: np.linspace(0, 1, n))
    case("copy", n, lambda: x.copy())
    case("concatenate", n, lambda: np.concatenate([x, y]))
    case("stack", n, lambda: np.stack([x, y]))
    case("sort", n, lambda: np.sort(x))
    case("argsort", n, lambda: np.argsort(x))
    case("unique", n, lambda: np.unique(i))
    case("interp", n, lambda: np.interp(x, knots, thirty))
    case("row + column", n, lambda: row + column)
    case("m.sum(axis=0)", n, lambda: m.sum(axis=0))
    case("m.sum(axis=1)", n, lambda: m.sum(axis=1))
    case("m.T copied", n, lambda: m.T.copy())
    case("m @ row", n, lambda: m @ row)


def measure_numbers():
    a, b, i, j = numbers["a"], numbers["b"], numbers["i"], numbers["j"]
    x = np.arange(10.0)
    floats = [np.float64(k) for k in range(100)]
    case("a + b, float64", 1, lambda: a + b)
    case("a % b, float64", 1, lambda: a % b)
    case("a // b, float64", 1, lambda: a // b)
    case("a ** b, float64", 1, lambda: a ** b)
    case("i % j, int64", 1, lambda: i % j)
    case("i // j, int64", 1, lambda: i // j)
    case("i & j, int64", 1, lambda: i & j)
    case("abs(a), float64", 1, lambda: abs(a))
    case("abs(i), int64", 1, lambda: abs(i))
    case("x[3]", 1, lambda: x[3])
    case("np.sqrt(a)", 1, lambda: np.sqrt(a))
    case("np.interp(3.3, x, x)", 1, lambda: np.interp(3.3, x, x))
    case("np.array of 100 float64", 1, lambda: np.array(floats))


measure_numbers()
for count in (10, 1000, 4000, 10000, 100000):
    measure_arrays(count)
