#!/usr/bin/env python3
"""Loops compiled by gpy's numba.njit, by its gp.compile and by Numba itself, in one run each: the
time after compilation, and the compilation's. Needs a Python with Numba.

    tests/bench/numba_loops.py PYTHON GPY [NAME...]
    tests/bench/numba_loops.py --plain PYTHON GPY [NAME...]    beside Python itself: loops that
                               no decorator names, after two seconds in which gpy compiles them
"""
import json
import os
import subprocess
import sys
import tempfile

PROGRAM = r'''
import json
import math
import sys
import time
import numpy as np
from numba import float64, njit, stencil, vectorize
from numba.experimental import jitclass


@njit
def gauss_seidel(a, rounds):
    n = a.shape[0]
    m = a.shape[1]
    for k in range(rounds):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
    return a[n // 2, m // 2]


@njit
def cholesky(a):
    n = a.shape[0]
    l = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= l[i, k] * l[j, k]
            if i == j:
                l[i, j] = s ** 0.5
            else:
                l[i, j] = s / l[j, j]
    return l[n - 1, n - 1]


@njit
def lu(given):
    a = given.copy()
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a[n - 1, n - 1]


@njit
def n_body(position, velocity, mass, steps, dt):
    n = position.shape[0]
    for step in range(steps):
        for i in range(n):
            for j in range(i + 1, n):
                dx = position[i, 0] - position[j, 0]
                dy = position[i, 1] - position[j, 1]
                dz = position[i, 2] - position[j, 2]
                square = dx * dx + dy * dy + dz * dz + 0.01
                pull = dt / (square * np.sqrt(square))
                velocity[i, 0] -= dx * mass[j] * pull
                velocity[i, 1] -= dy * mass[j] * pull
                velocity[i, 2] -= dz * mass[j] * pull
                velocity[j, 0] += dx * mass[i] * pull
                velocity[j, 1] += dy * mass[i] * pull
                velocity[j, 2] += dz * mass[i] * pull
        for i in range(n):
            for k in range(3):
                position[i, k] += dt * velocity[i, k]
    return position[0, 0]


@njit
def mandelbrot(out, most):
    height, width = out.shape
    for i in range(height):
        for j in range(width):
            c = complex(-2 + 3 * j / width, -1.5 + 3 * i / height)
            z = 0j
            count = 0
            while count < most and z.real * z.real + z.imag * z.imag < 4:
                z = z * z + c
                count += 1
            out[i, j] = count
    return out.sum()


@njit
def crc32(data):
    crc = np.uint32(0xFFFFFFFF)
    for byte in data:
        crc ^= np.uint32(byte)
        for k in range(8):
            low = crc & np.uint32(1)
            crc >>= np.uint32(1)
            if low:
                crc ^= np.uint32(0xEDB88320)
    return crc ^ np.uint32(0xFFFFFFFF)


@njit
def floyd_warshall(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = d[i, k] + d[k, j]
                if through < d[i, j]:
                    d[i, j] = through
    return d.sum()


@njit
def smith_waterman(a, b):
    n = a.shape[0]
    m = b.shape[0]
    h = np.zeros((n + 1, m + 1), np.int64)
    best = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            score = h[i - 1, j - 1] + (3 if a[i - 1] == b[j - 1] else -3)
            score = max(score, h[i - 1, j] - 2, h[i, j - 1] - 2, 0)
            h[i, j] = score
            best = max(best, score)
    return best


@njit
def array_steps(u, rounds):
    v = np.zeros_like(u)
    for k in range(rounds):
        v[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) * 0.25
        u[1:-1] = v[1:-1]
    return u.sum()


@vectorize(["float64(float64, float64)"], target="parallel")
def axpy_parallel(x, y):
    return 2.5 * x + y


@vectorize(["float64(float64, float64)"], target="parallel")
def call_parallel(price, strike):
    d = (math.log(price / strike) + 0.045) / 0.3
    if d < -3:
        return 0.0
    return price * math.erf(d) - strike * math.exp(-0.05) * math.erf(d - 0.3)


@vectorize(["int64(float64, float64)"], target="parallel")
def escape_parallel(re, im):
    a = b = 0.0
    count = 0
    while count < 100 and a * a + b * b < 4:
        a, b = a * a - b * b + re, 2 * a * b + im
        count += 1
    return count


@vectorize(["float64(float64, float64)"])
def call_serial(price, strike):
    d = (math.log(price / strike) + 0.045) / 0.3
    if d < -3:
        return 0.0
    return price * math.erf(d) - strike * math.exp(-0.05) * math.erf(d - 0.3)


@stencil
def neighbours(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


@njit
def stencil_steps(a, rounds):
    for k in range(rounds):
        a = neighbours(a)
    return a.sum()


@jitclass([("x", float64[:]), ("v", float64[:]), ("energy", float64)])
class Springs:
    def __init__(self, n):
        self.x = np.arange(n) * 0.1
        self.v = np.zeros(n)
        self.energy = 0.0

    def force(self, i):
        return -0.5 * self.x[i]

    def run(self, steps):
        for k in range(steps):
            for i in range(len(self.x)):
                self.v[i] += 0.01 * self.force(i)
                self.x[i] += 0.01 * self.v[i]
                self.energy += self.v[i] * self.v[i]
        return self.energy


def class_method(springs, steps):
    return springs.run(steps)


def positive(n):
    x = (np.arange(n * n).reshape(n, n) * 7919 % 1009) / 1009
    return x @ x.T + n * np.eye(n)


spread = (np.arange(1 << 20) * 7919 % 104729) / 104729
letters = (np.arange(1500) * 7919 % 104729) % 4
PROGRAMS = {
    "gauss_seidel": (gauss_seidel, lambda: (positive(300), 40)),
    "cholesky": (cholesky, lambda: (positive(400),)),
    "lu": (lu, lambda: (positive(400),)),
    "n_body": (n_body, lambda: (positive(300)[:, :3].copy(), np.zeros((300, 3)), np.ones(300), 20,
                                0.01)),
    "mandelbrot": (mandelbrot, lambda: (np.zeros((300, 300), np.int64), 300)),
    "crc32": (crc32, lambda: ((np.arange(2000000) * 7919 % 251).astype(np.uint8),)),
    "floyd_warshall": (floyd_warshall, lambda: (positive(300),)),
    "smith_waterman": (smith_waterman, lambda: (letters, letters[::-1].copy())),
    "array_steps": (array_steps, lambda: (positive(300), 200)),
    "axpy_parallel": (axpy_parallel, lambda: (spread, spread + 1)),
    "call_parallel": (call_parallel, lambda: (spread + 1, 5 - spread)),
    "call_serial": (call_serial, lambda: (spread + 1, 5 - spread)),
    "escape_parallel": (escape_parallel, lambda: (spread - 2, 0.3 * spread)),
    "stencil_steps": (stencil_steps, lambda: (positive(300), 100)),
    "class_method": (class_method, lambda: (Springs(1000), 500)),
}


def finished(value):
    if isinstance(value, np.ndarray):  # which gpy may not have computed yet
        value[-1]
    return value


def measure(function, arguments):
    """Seconds of the first call beyond the best of the others, and of the best one."""
    given = [finished(each) for each in arguments()]
    start = time.perf_counter()
    value = finished(function(*given))
    compiled = time.perf_counter() - start
    best = 1e9
    for k in range(15):
        given = [finished(each) for each in arguments()]
        start = time.perf_counter()
        finished(function(*given))
        best = min(best, time.perf_counter() - start)
    return {"value": float(np.sum(value)), "first": compiled - best, "best": best}


def measure_plain(function, arguments):
    """Seconds of a call that begins when calls have run for two seconds."""
    begun = time.perf_counter()
    taken = 0
    while taken == 0 or start - begun < 2:
        given = [finished(each) for each in arguments()]
        start = time.perf_counter()
        value = finished(function(*given))
        taken = time.perf_counter() - start
    return {"value": float(np.sum(value)), "first": 0, "best": taken}


names = sys.argv[2:] or list(PROGRAMS)
for name in names:
    timed = measure_plain if sys.argv[1] == "plain" else measure
    print("=", name, json.dumps(timed(*PROGRAMS[name])))
'''
LOOPS = ["gauss_seidel", "cholesky", "lu", "n_body", "mandelbrot", "crc32", "floyd_warshall",
         "smith_waterman"]


def decorated(decorator):
    """The program whose loops are compiled by something else than njit."""
    return PROGRAM.replace("\n\n\n@njit", f"\nnjit = {decorator}\n\n\n@njit", 1)


def run(command, names, program=PROGRAM, mode="compiled"):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "loops.gpy")
        with open(path, "w") as file:
            file.write(program)
        # Kernels kept on the disk would hide what compiling costs.
        environment = dict(os.environ, GPY_CACHE_DIR=os.path.join(folder, "cache"),
                           XDG_CACHE_HOME=os.path.join(folder, "cache"))
        out = subprocess.run([command, path, mode, *names], capture_output=True, text=True,
                             env=environment)
    if out.returncode:
        sys.exit(out.stderr)
    lines = [line.split(" ", 2) for line in out.stdout.splitlines() if line.startswith("= ")]
    return {name: json.loads(text) for _, name, text in lines}


def warn_if_values_differ(own, other):
    if abs(own["value"] - other["value"]) > 1e-9 * abs(other["value"]):
        print(f"  VALUES DIFFER: {other['value']!r} {own['value']!r}")


def compare_plain(python, gpy, *names):
    names = names or LOOPS
    program = decorated("lambda function: function")
    print(f"{'':16}{'python ms':>12}{'gpy':>10}{'speed':>8}")
    for name in names:
        theirs, ours = (run(each, [name], program, "plain")[name] for each in (python, gpy))
        print(f"{name:16}{1e3 * theirs['best']:12.2f}{1e3 * ours['best']:10.2f}"
              f"{theirs['best'] / ours['best']:8.1f}")
        warn_if_values_differ(ours, theirs)


def compare_compiled(python, gpy, *names):
    theirs, ours = run(python, names), run(gpy, names)
    checked = run(gpy, names, decorated("gp.compile"))
    print(f"{'':16}{'numba ms':>10}{'njit':>8}{'speed':>7}{'gp.compile':>12}{'speed':>7}"
          f"{'numba compiles s':>18}{'njit':>6}")
    for name, numba in theirs.items():
        own, safe = ours[name], checked[name]
        print(f"{name:16}{1e3 * numba['best']:10.2f}{1e3 * own['best']:8.2f}"
              f"{numba['best'] / own['best']:7.2f}{1e3 * safe['best']:12.2f}"
              f"{numba['best'] / safe['best']:7.2f}{numba['first']:18.2f}{own['first']:6.2f}")
        for each in (own, safe):
            warn_if_values_differ(each, numba)


if __name__ == "__main__":
    if sys.argv[1] == "--plain":
        compare_plain(*sys.argv[2:])
    else:
        compare_compiled(*sys.argv[1:])
