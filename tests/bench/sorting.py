# Order, search, choice and counting from a thousand to ten million elements.
from harness import measure, np

rng = np.random.RandomState(7)


def measure_all(n):
    x = rng.rand(n)
    i = (x * 1e9).astype(np.int64)
    labels = (x * 1000).astype(np.int64)
    f = x.astype(np.float32)
    h = (x * 60000 - 30000).astype(np.int16)
    rows = x.reshape(-1, 100)
    mask = x > 0.5
    rare = x > 0.99
    some = rng.rand(1000)
    ascending = np.sort(x)
    table = np.sort(some)
    thirds = np.arange(0, 1000, 3)

    def sort_in_place():
        y = x.copy()
        y.sort()
        return y

    def case(name, operation):
        measure(f"{name} {n:.0e}", operation)

    case("sort float64", lambda: np.sort(x))
    case("sort int64", lambda: np.sort(i))
    case("sort float32", lambda: np.sort(f))
    case("sort int16", lambda: np.sort(h))
    case("sort stable", lambda: np.sort(x, kind="stable"))
    case("sort sorted", lambda: np.sort(ascending))
    case("sort rows of 100", lambda: np.sort(rows, axis=1))
    case("sort axis 0", lambda: np.sort(rows, axis=0))
    case("a.sort()", sort_in_place)
    case("argsort float64", lambda: np.argsort(x))
    case("argsort float32", lambda: np.argsort(f))
    case("argsort int64", lambda: np.argsort(i))
    case("argsort labels", lambda: np.argsort(labels))
    case("argsort stable", lambda: np.argsort(x, kind="stable"))
    case("unique float64", lambda: np.unique(x))
    case("unique labels", lambda: np.unique(labels))
    case("unique counts", lambda: np.unique(labels, return_counts=True)[1])
    case("unique inverse", lambda: np.unique(i, return_inverse=True)[1])
    case("partition", lambda: np.partition(x, n // 2))
    case("argpartition", lambda: np.argpartition(x, n // 2))
    case("median", lambda: np.median(x))
    case("median axis 0", lambda: np.median(rows, axis=0))
    case("median axis 1", lambda: np.median(rows, axis=1))
    case("percentile", lambda: np.percentile(x, [5, 50, 95]))
    case("histogram of 50", lambda: np.histogram(x, 50)[0])
    case("histogram edges", lambda: np.histogram(x, table)[0])
    case("bincount", lambda: np.bincount(labels))
    case("repeat", lambda: np.repeat(x, 3))
    case("isin int64", lambda: np.isin(labels, thirds))
    case("isin float64", lambda: np.isin(x, some))
    case("searchsorted in 1000", lambda: np.searchsorted(table, x))
    if n < 10 ** 7:  # NumPy takes 13 s for that
        case("searchsorted random", lambda: np.searchsorted(ascending, x))
    case("searchsorted sorted", lambda: np.searchsorted(ascending, ascending))
    case("x[mask]", lambda: x[mask])
    case("x[mask] float32", lambda: f[mask])
    case("x[mask] of few", lambda: x[rare])
    def put(where, values):
        y[where] = values
        return y

    def add_at(values):
        np.add.at(sums, labels, values)
        return sums

    y = x.copy()
    sums = np.zeros(1000)
    order = np.argsort(x)
    case("x[order] = y", lambda: put(order, x))
    case("x[repeated] = y", lambda: put(labels, x))
    case("add.at", lambda: add_at(x))
    case("add.at of one number", lambda: add_at(1.0))
    case("bincount of weights", lambda: np.bincount(labels, x))
    case("nonzero", lambda: np.nonzero(mask)[0])
    case("nonzero of few", lambda: np.nonzero(rare)[0])


for count in (1000, 10000, 100000, 1000000, 10000000):
    measure_all(count)
