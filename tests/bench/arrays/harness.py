# Rows for a measurement in pairs: the other side runs the same program, and each row is timed by turns.
# sys.argv[1] says whose arrays: numpy or cupy. Before each timing the program waits for a line; "next" ends the row.
import sys
import time

if sys.argv[1] == "cupy":
    import cupy as np
else:
    import numpy as np

try:
    finish = gp.eval
except NameError:
    def finish(result):
        return result

BUDGET = 0.01

# On a GPU both sides end in CUB's sort in these, and these move at least 2 TB/s on both from so many elements on.
SORTED = {"sort", "sort float32", "sort int64", "argsort", "argsort stable int", "partition", "sort axis 0", "sort axis 1",
          "median", "percentile 10, 90", "unique of 1,000", "unique, inverse"}
STREAMED = {"sum", "sum float32", "sum int64", "prod", "max", "mean", "nansum", "zeros", "concatenate", "hstack", "pad",
            "x[::-1].copy()", "flip", "diff", "x[i]", "take", "sum axis 1, 3000 columns", "max axis 1, 3000 columns"}
STREAMED_FROM = 3_000_000


def wait():
    if sys.argv[1] == "cupy":
        np.cuda.Device().synchronize()


def timed(operation, times):
    start = time.perf_counter()
    for _ in range(times):
        finish(operation())
    wait()
    return (time.perf_counter() - start) / times


def kind_on_gpu(name, count, kind):
    if name in SORTED:
        return "library"
    return "memory" if name in STREAMED and count >= STREAMED_FROM else kind


def measure(name, count, operation, kind="single"):
    """A row over `count` elements. Kinds: single, expression (three operations and more), memory (its
    speed is the limit), library (both sides end in the same one)."""
    if sys.argv[1] == "cupy":
        kind = kind_on_gpu(name, count, kind)
    times = None
    print(f"{name}\t{count}\t{kind}", flush=True)
    while input() != "next":
        try:
            if times is None:
                once = min(timed(operation, 1) for _ in range(2))
                times = max(1, min(10000, int(BUDGET / max(once, 1e-7))))
            print(f"{min(timed(operation, times) for _ in range(3)):.9f}", flush=True)
        except Exception as error:
            print(f"{type(error).__name__} {error}", flush=True)
