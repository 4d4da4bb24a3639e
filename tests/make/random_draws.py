"""Writes draws of NumPy's generators: a line is one seeded generator and the steps it takes, each
step with the number of elements, a checksum over them and the first three. Fields are
separated by '|', parts of a step by ' '."""
import random

import numpy as np

OUT = "tests/unit/runtime/random/draw_cases.inc"
dice = random.Random(7)
INTS = [np.dtype(c) for c in "?bBhHiIlL"]


def words(values):
    """Elements as 64-bit words, zero-extended."""
    a = np.ascontiguousarray(np.atleast_1d(values))
    return a.view(f"u{a.itemsize}").astype(np.uint64)


def checksum(values):
    w = words(values)
    odd = np.arange(w.size, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    return int(np.sum(w * odd, dtype=np.uint64))


def outcome(values):
    w = words(values)
    return f"{w.size} {checksum(values)} {','.join(str(int(x)) for x in w[:3])}"


def weights(n):
    w = np.arange(n) % 7 + 1.0
    w[n // 2] = 0
    return w / w.sum()


def size(limit=2000):
    return dice.choice([0, 1, 2, 3, 5, 17, 100, dice.randint(1, limit)])


def bounds(t):
    low, high = (0, 1) if t.kind == "b" else (int(np.iinfo(t).min), int(np.iinfo(t).max))
    a = dice.choice([low, 0, 1, dice.randint(low, high)])
    span = dice.choice([0, 1, 2, 5, 100, 255, 256, 1000, 65535, 65536, 2**31, 2**32 - 1, 2**32, 2**40, 2**62, 2**63, high - low,
                        dice.randint(0, high - low)])
    return a, min(a + span, high)


def real_pair():
    return dice.choice([(0.0, 1.0), (-1.5, 2.25), (10.0, 10.5), (3.0, 1e6), (-1e-3, 1e-3), (100.0, 100.0)])


def shuffled(rng, n):
    a = np.arange(n)
    rng.shuffle(a)
    return a


def choice_args(n_limit=300):
    pop = dice.choice([1, 2, 5, 40, 300, 10001, 20000])
    replace = dice.random() < 0.4
    count = size(500) if replace else min(pop, dice.choice([0, 1, 3, pop // 3, pop]))
    return pop, count, replace


def generator_step(g):
    kind = dice.choice(["random", "uniform", "normal", "standard_normal", "standard_exponential", "exponential", "inverse",
                        "integers", "integers", "integers", "shuffle", "permutation", "choice", "weighted"])
    f = dice.choice(["float64", "float32"])
    if kind == "random":
        n = size()
        return f"random {f}", g.random(n, dtype=f)
    if kind in ("standard_normal", "standard_exponential"):
        n = size(20000)
        return f"{kind} {f}", getattr(g, kind)(n, dtype=f)
    if kind == "inverse":
        return f"inverse {f}", g.standard_exponential(size(), dtype=f, method="inv")
    if kind == "uniform":
        low, high = real_pair()
        return f"uniform {low} {high}", g.uniform(low, high, size())
    if kind == "normal":
        loc, scale = real_pair()
        return f"normal {loc} {scale}", g.normal(loc, scale, size())
    if kind == "exponential":
        scale = dice.choice([0.0, 1.0, 2.5])
        return f"exponential {scale}", g.exponential(scale, size())
    if kind == "integers":
        t = dice.choice(INTS)
        low, high = bounds(t)
        return f"integers {t.name} {low} {high}", g.integers(low, high, size(), dtype=t, endpoint=True)
    if kind in ("shuffle", "permutation"):
        n = size()
        return f"{kind} {n}", shuffled(g, n) if kind == "shuffle" else g.permutation(n)
    pop, count, replace = choice_args()
    order = dice.random() < 0.7
    if kind == "choice":
        return f"choice {pop} {count} {int(replace)} {int(order)}", g.choice(pop, count, replace, shuffle=order)
    if not replace:
        count = min(count, max(pop - 1, 0), 200)
    if pop == 1:
        pop = 2
    return f"weighted {pop} {count} {int(replace)}", g.choice(pop, count, replace, p=weights(pop))


def legacy_step(r):
    kind = dice.choice(["random", "uniform", "standard_normal", "normal", "standard_exponential", "exponential", "integers",
                        "integers", "shuffle", "permutation", "choice", "weighted"])
    if kind == "random":
        return "random float64", r.random_sample(size())
    if kind == "uniform":
        low, high = real_pair()
        return f"uniform {low} {high}", r.uniform(low, high, size())
    if kind == "normal":
        loc, scale = real_pair()
        return f"normal {loc} {scale}", r.normal(loc, scale, size())
    if kind == "standard_normal":
        return "standard_normal float64", r.randn(size())
    if kind == "standard_exponential":
        return "standard_exponential float64", r.standard_exponential(size())
    if kind == "exponential":
        scale = dice.choice([0.0, 1.0, 2.5])
        return f"exponential {scale}", r.exponential(scale, size())
    if kind == "integers":
        t = dice.choice(INTS)
        low, high = bounds(t)
        return f"integers {t.name} {low} {high}", r.randint(low, high + 1, size(), dtype=t)
    if kind in ("shuffle", "permutation"):
        n = size()
        return f"{kind} {n}", shuffled(r, n) if kind == "shuffle" else r.permutation(n)
    pop, count, replace = choice_args()
    if kind == "choice":
        return f"choice {pop} {count} {int(replace)} 1", r.choice(pop, count, replace)
    if not replace:
        count = min(count, max(pop - 1, 0), 200)
    if pop == 1:
        pop = 2
    return f"weighted {pop} {count} {int(replace)}", r.choice(pop, count, replace, p=weights(pop))


def line(out, what, seed, rng, step, steps):
    fields = [what, seed]
    for _ in range(steps):
        name, values = step(rng)
        fields.append(f"{name} -> {outcome(values)}")
    print("|".join(fields), file=out)


def seed_words(seed):
    parts = seed if isinstance(seed, list) else [seed]
    split = []
    for p in parts:
        split.append(p & 0xFFFFFFFF)
        while p >> 32:
            p >>= 32
            split.append(p & 0xFFFFFFFF)
    return ",".join(map(str, split))


SEEDS = [0, 1, 42, 12345, 2**32 - 1, 2**32, 2**64 - 1, 2**100 + 17, 2**200 + 5, [1, 2, 3], [0], [5, 6, 7, 8, 9, 10],
         [2**40, 1]]

with open(OUT, "w") as out:
    print('R"cases(', end="", file=out)
    for seed in SEEDS:
        for _ in range(12):
            line(out, "pcg64", seed_words(seed), np.random.default_rng(seed), generator_step, 6)
        for _ in range(3):
            line(out, "mt19937", seed_words(seed), np.random.Generator(np.random.MT19937(seed)), generator_step, 4)
    for seed in [0, 1, 42, 12345, 2**32 - 1, 987654321]:
        for _ in range(15):
            line(out, "legacy", str(seed), np.random.RandomState(seed), legacy_step, 6)
    for seed in [[1], [1, 2, 3], list(range(700)), [2**32 - 1, 0, 7]]:
        for _ in range(4):
            line(out, "legacy_array", ",".join(map(str, seed)), np.random.RandomState(seed), legacy_step, 4)
    for seed in [3, 2**70, [1, 2, 3, 4, 5]]:
        s = np.random.SeedSequence(seed)
        for child in s.spawn(3):
            line(out, "spawned", seed_words(seed) + f";{child.spawn_key[0]}", np.random.default_rng(child), generator_step, 2)
    # Long runs reach the rare branches of the ziggurats.
    for kind in ("standard_normal", "standard_exponential"):
        for t in ("float64", "float32"):
            values = getattr(np.random.default_rng(99), kind)(1_000_000, dtype=t)
            print("|".join(["pcg64", "99", f"{kind} {t} -> {outcome(values)}"]), file=out)
    print(')cases"', file=out)
