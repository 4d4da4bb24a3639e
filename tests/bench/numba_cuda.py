#!/usr/bin/env python3
"""Kernels of numba.cuda under gpy and under Numba itself, in one run each: the time of a launch,
and the first one's beyond it, which compiles. Needs a GPU and a Python with Numba.

    tests/bench/numba_cuda.py PYTHON GPY [NAME...]
"""
import sys

import numba_loops

PROGRAM = r'''
import json
import math
import sys
import time
import numpy as np
if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # which Numba's CUDA part asks a newer NumPy for
from numba import cuda, float32, int32


@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] += a * x[i]


@cuda.jit
def prices(price, strike, out):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        d = (math.log(price[i] / strike[i]) + 0.045) / 0.3
        out[i] = price[i] * math.erf(d) - strike[i] * math.exp(-0.05) * math.erf(d - 0.3)


@cuda.jit
def escape(out):
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        c = complex(3.0 * x / out.shape[1] - 2.0, 2.0 * y / out.shape[0] - 1.0)
        z = 0j
        count = 0
        while count < 200 and z.real * z.real + z.imag * z.imag < 4:
            z = z * z + c
            count += 1
        out[y, x] = count


@cuda.jit
def product(a, b, c):
    left = cuda.shared.array((16, 16), float32)
    right = cuda.shared.array((16, 16), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for k in range(0, a.shape[1], 16):
        left[y, x] = a[row, k + x]
        right[y, x] = b[k + y, column]
        cuda.syncthreads()
        for j in range(16):
            total += left[y, j] * right[j, x]
        cuda.syncthreads()
    c[row, column] = total


@cuda.jit
def smooth(a, out):
    column, row = cuda.grid(2)
    if 0 < row < a.shape[0] - 1 and 0 < column < a.shape[1] - 1:
        out[row, column] = 0.25 * (a[row - 1, column] + a[row + 1, column]
                                   + a[row, column - 1] + a[row, column + 1])


@cuda.jit
def histogram(values, bins):
    own = cuda.shared.array(256, int32)
    me = cuda.threadIdx.x
    own[me] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(own, values[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(bins, me, own[me])


@cuda.reduce
def total(a, b):
    return a + b


def numbers(count, dtype=np.float32):
    return cuda.to_device(((np.arange(count) * 7919 % 104729) / 104729 + 0.5).astype(dtype))


def square(n, dtype=np.float32):
    return numbers(n * n, dtype).reshape(n, n)


def of_grid(kernel, blocks, threads, *arguments):
    launched = kernel[blocks, threads]
    return lambda: launched(*arguments), arguments[-1]


few, many = 1000, 1 << 24
pixels = cuda.to_device(np.zeros((2048, 2048), dtype=np.int32))
bytes_ = cuda.to_device((np.arange(many) * 7919 % 251).astype(np.uint8))
PROGRAMS = {
    "saxpy_1000": lambda: of_grid(saxpy, 4, 256, float32(0.5), numbers(few), numbers(few)),
    "saxpy": lambda: of_grid(saxpy, many // 256, 256, float32(0.5), numbers(many), numbers(many)),
    "saxpy_float64": lambda: of_grid(saxpy, many // 256, 256, 0.5, numbers(many, np.float64),
                                     numbers(many, np.float64)),
    "prices": lambda: of_grid(prices, 2048, 256, numbers(many, np.float64),
                              numbers(many, np.float64), numbers(many, np.float64)),
    "escape": lambda: of_grid(escape, (128, 128), (16, 16), pixels),
    "product": lambda: of_grid(product, (64, 64), (16, 16), square(1024), square(1024),
                               square(1024)),
    "smooth": lambda: of_grid(smooth, (256, 256), (16, 16), square(4096), square(4096)),
    "histogram": lambda: of_grid(histogram, 1024, 256, bytes_,
                                 cuda.to_device(np.zeros(256, dtype=np.int32))),
}


def measure(call, result):
    """Seconds of the first launch beyond the best of the others, and of the best one of a row."""
    start = time.perf_counter()
    call()
    cuda.synchronize()
    first = time.perf_counter() - start
    value = float(result.copy_to_host().sum())
    best, times = 1e9, 1
    for _ in range(40):
        start = time.perf_counter()
        for _ in range(times):
            call()
        cuda.synchronize()
        taken = time.perf_counter() - start
        best = min(best, taken / times)
        times = max(1, min(1000, int(0.01 / best)))
    return {"value": value, "first": first - best, "best": best}


values = numbers(1 << 20, np.float64)
PROGRAMS["reduce"] = lambda: (lambda: total(values), values)
for name in sys.argv[2:] or list(PROGRAMS):
    print("=", name, json.dumps(measure(*PROGRAMS[name]())))
'''


def compare(python, gpy, *names):
    theirs, ours = (numba_loops.run(each, names, PROGRAM) for each in (python, gpy))
    print(f"{'':16}{'numba us':>10}{'gpy':>10}{'speed':>7}{'numba compiles s':>18}{'gpy':>6}")
    for name, numba in theirs.items():
        own = ours[name]
        print(f"{name:16}{1e6 * numba['best']:10.1f}{1e6 * own['best']:10.1f}"
              f"{numba['best'] / own['best']:7.2f}{numba['first']:18.2f}{own['first']:6.2f}")
        numba_loops.warn_if_values_differ(own, numba)


if __name__ == "__main__":
    compare(*sys.argv[1:])
