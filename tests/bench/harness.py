# Timing for programs that run under gpy and under CPython alike: `measure` prints one line a case.
# sys.argv[1] says whose arrays: numpy or cupy; sys.argv[2], if it is "processor", that the time is
# what this process used, not what passed.
import sys
import time

if sys.argv[1] == "cupy":
    import cupy as np
else:
    import numpy as np

clock = time.process_time if sys.argv[2:] == ["processor"] else time.perf_counter

try:
    finish = gp.eval
except NameError:
    def finish(result):
        return result


def wait():
    if sys.argv[1] == "cupy":
        np.cuda.Device().synchronize()


def run(operation, times):
    start = clock()
    for _ in range(times):
        finish(operation())
    wait()
    return (clock() - start) / times


def measure(name, operation, budget=0.15):
    """Prints the best time of one call of `operation`, in seconds; its result is computed each time."""
    once = min(run(operation, 1) for _ in range(2))
    times = max(1, min(10000, int(budget / 5 / max(once, 1e-7))))
    print(f"{name}\t{min(run(operation, times) for _ in range(5)):.9f}", flush=True)
