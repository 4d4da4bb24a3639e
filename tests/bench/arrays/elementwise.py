# One operation on every element.
from harness import measure, np

rng = np.random.RandomState(0)


def rows(n, kind="single"):
    x = np.asarray(rng.uniform(0.1, 2.0, n))
    y = np.asarray(rng.uniform(0.1, 2.0, n))
    f = x.astype(np.float32)
    i = np.asarray(rng.randint(1, 1000, n))
    j = np.asarray(rng.randint(1, 30, n))
    mask = x > 1
    for name, operation in (
        ("x + y", lambda: x + y), ("x / y", lambda: x / y), ("x < y", lambda: x < y),
        ("x * 2 float32", lambda: f * 2), ("i + j", lambda: i + j), ("i // j", lambda: i // j),
        ("i & j", lambda: i & j), ("x ** 2", lambda: x ** 2), ("maximum", lambda: np.maximum(x, y)),
        ("where", lambda: np.where(mask, x, y)), ("sqrt", lambda: np.sqrt(x)), ("abs", lambda: np.abs(x)),
        ("astype float32", lambda: x.astype(np.float32)), ("clip", lambda: np.clip(x, 0.5, 1.5)),
    ):
        measure(name, n, operation, kind)


def functions(n):
    x = np.asarray(rng.uniform(0.1, 0.9, n))
    y = np.asarray(rng.uniform(0.1, 2.0, n))
    f = x.astype(np.float32)
    z = x + 1j * y
    for name, operation in (
        ("exp", lambda: np.exp(x)), ("exp float32", lambda: np.exp(f)), ("log", lambda: np.log(x)),
        ("sin", lambda: np.sin(x)), ("tanh", lambda: np.tanh(x)), ("x ** y", lambda: x ** y),
        ("arctan2", lambda: np.arctan2(x, y)), ("hypot", lambda: np.hypot(x, y)),
        ("x % y", lambda: x % y), ("floor", lambda: np.floor(y)), ("isnan", lambda: np.isnan(x)),
        ("round(2)", lambda: np.round(x, 2)), ("complex *", lambda: z * z), ("abs complex", lambda: np.abs(z)),
        ("logaddexp", lambda: np.logaddexp(x, y)), ("cbrt", lambda: np.cbrt(x)),
        ("arcsin", lambda: np.arcsin(x)), ("sign", lambda: np.sign(x)),
    ):
        measure(name, n, operation)


for n in (10, 1000, 100_000):
    rows(n)
for n in (1000, 1_000_000):
    functions(n)
rows(10_000_000, "memory")
big = np.ones(100_000_000)
measure("x + y", 100_000_000, lambda: big + big, "memory")
measure("x * 2", 100_000_000, lambda: big * 2, "memory")
