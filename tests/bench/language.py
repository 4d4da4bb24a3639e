# The language itself, no arrays.
from harness import measure


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def loop(n):
    total = 0
    for i in range(n):
        if i % 3 == 0:
            total += i
    return total


def words(n):
    counts = {}
    for i in range(n):
        key = f"k{i % 100}"
        counts[key] = counts.get(key, 0) + 1
    return counts


measure("fib(20)", lambda: fib(20))
measure("loop of 100,000", lambda: loop(100000))
measure("list comprehension of 100,000", lambda: [i * i for i in range(100000)])
measure("dict of words, 20,000", lambda: words(20000))
measure("sort 50,000", lambda: sorted((i * 7919) % 50021 for i in range(50000)))
