# Arrays from nothing, and random ones.
from harness import measure, np

for n in (10, 1000, 100_000, 10_000_000):
    for name, operation in (
        ("zeros", lambda: np.zeros(n)), ("ones", lambda: np.ones(n)), ("full", lambda: np.full(n, 2.5)),
        ("arange", lambda: np.arange(n)), ("linspace", lambda: np.linspace(0, 1, n)),
    ):
        measure(name, n, operation)
for n in (1000, 1_000_000):
    rng = np.random.default_rng(1)
    state = np.random.RandomState(1)
    x = np.arange(n)
    for name, operation in (
        ("random", lambda: rng.random(n)), ("standard_normal", lambda: rng.standard_normal(n)),
        ("integers", lambda: rng.integers(0, 1000, n)), ("exponential", lambda: rng.exponential(1.0, n)),
        ("uniform", lambda: rng.uniform(-1.0, 1.0, n)), ("gamma", lambda: rng.gamma(2.0, 1.0, n)),
        ("poisson", lambda: rng.poisson(5.0, n)), ("binomial", lambda: rng.binomial(10, 0.3, n)),
        ("beta", lambda: rng.beta(2.0, 3.0, n)), ("RandomState.rand", lambda: state.rand(n)),
        ("RandomState.randn", lambda: state.randn(n)),
    ):
        measure(name, n, operation)
    if np.__name__ == "numpy":
        for name, operation in (
            ("permutation", lambda: rng.permutation(n)), ("choice with p", lambda: rng.choice(4, n, p=[0.1, 0.2, 0.3, 0.4])),
        ):
            measure(name, n, operation)
