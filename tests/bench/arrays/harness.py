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


def wait():
    if sys.argv[1] == "cupy":
        np.cuda.Device().synchronize()


def timed(operation, times):
    start = time.perf_counter()
    for _ in range(times):
        finish(operation())
    wait()
    return (time.perf_counter() - start) / times


def measure(name, count, operation, kind="single"):
    """A row over `count` elements. Kinds: single, expression (three operations and more), memory (its
    speed is the limit), library (both sides end in the same one)."""
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
