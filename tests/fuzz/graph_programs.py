#!/usr/bin/env python3
"""Random programs of arrays that a stream captures: what a graph's launches make must be what the same statements make when they are run.

    tests/fuzz/graph_programs.py COUNT [--seed FIRST] [--device NAME]    compares; prints the programs that differ
    tests/fuzz/graph_programs.py --show SEED                             prints one program

A program makes four arrays of six numbers and two of six by six, of which some share memory, and changes them by expressions,
views, products, transforms and kernels. It runs twice as it is, and is captured and launched twice; the gpy program of
$GPY, else build/gpy, does both."""
import argparse
import os
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BATCH = 20  # programs a process

KERNELS = '''import cupy as cp
kernel reduction squares(T x) -> (T y) {
    identity: 0
    map: x * x
    reduce: a + b
    post: y = a
}
kernel scan running(T x) -> (T y) {
    identity: 0
    map: x
    scan: a + b
    post: y = a
}
kernel raw halve(double* x, const double* y) {
    x[threadIdx.x] = x[threadIdx.x] * 0.5 + y[threadIdx.x];
}
def arrays(k, shared):
    x0, x2 = cp.arange(6.0) + k, cp.ones(6) * k
    return (x0, cp.arange(6.0)[::-1] * 2 - k, x2, x0[:] if shared else x2.copy(),
            cp.arange(36.0).reshape(6, 6) * 0.1, cp.eye(6) * k)
def check(seed, body, shared):
    for k in (1.0, 3.0):
        given = arrays(k, shared)
        for _ in range(2):
            expected = body(*given)
        given = arrays(k, shared)
        stream = cp.cuda.Stream(non_blocking=True)
        with stream:
            stream.begin_capture()
            found = body(*given)
            graph = stream.end_capture()
        for _ in range(2):
            graph.launch(stream)
        stream.synchronize()
        for one, other in zip(expected, found):
            if not cp.allclose(one, other, equal_nan=True):
                print("seed", seed, "differs:", one.tolist(), "launched:", other.tolist())
                return
'''


class Program:
    """The statements of one function of x0, x1, x2, x3, m0 and m1."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rows, self.dense, self.matrices = ["x0", "x1", "x2", "x3"], ["x0", "x2", "x3"], ["m0", "m1"]
        self.lines = []
        for _ in range(self.random.randint(3, 12)):
            self.add()

    def new(self, expression, known, dense=False):
        name = f"t{len(self.lines)}"
        self.lines.append(f"{name} = {expression}")
        known.append(name)
        if dense:
            self.dense.append(name)

    def add(self):
        pick = self.random.choice
        a, b, c, m, n = pick(self.rows), pick(self.rows), pick(self.rows), pick(self.matrices), pick(self.matrices)
        x, y, i = pick(self.dense), pick(self.dense), self.random.randrange(6)
        changes = [f"{a}[:] = {b} * 2 + {c}", f"cp.add({a}, {b}, out={c})", f"{a}[1:4] = {b}[2:5] - {c}[:3]",
                   f"{a}, {b} = {b}, {a}", f"{m}[:] = {n} * 0.5 + {b}", f"{a} *= {m}.max() * 0.01",
                   f"{m}[::2, 1] += {b}[:3]", f"{a}[...] = {a}[::-1] * 0.5", f"{a}[::2] *= 0.5",
                   f"{a}[...] = cp.maximum({b}, {c}) % 7", f"halve[1, 6]({x}, {y})" if x != y else "pass"]
        rows = [f"{a} + {b} * 0.5", f"{m} @ {b}", f"{m}.sum(axis={i % 2}) * 0.1", f"squares({m}, axis={i % 2}) * 0.1",
                f"running({a})", f"cp.fft.ifft(cp.fft.fft({a})).real", f"cp.tile({a}[:2], 3)", f"{a}.sum() + {b}",
                f"{a}.astype('float32').astype('float64')", f"cp.where({a} > 2, {b}, {c})",
                f"cp.concatenate([{a}[:3], {b}[3:]])"]
        views = [f"{a}[::-1]", f"{m}[{i}]", f"{m}[:, {i}]"]
        matrices = [f"{m} @ {n} * 0.25", f"{m}.T", f"cp.outer({a}, {b}) * 0.1", f"{a}[:, None] - {b}[None, :]",
                    f"{m}.reshape(6, 6)"]
        kind = self.random.randrange(len(changes) + len(rows) + len(views) + len(matrices))
        if kind < len(changes):
            self.lines.append(changes[kind])
            if ", " in changes[kind].split(" = ")[0]:  # which of the two is dense is not known any more
                self.dense = [each for each in self.dense if each not in (a, b)] or ["x2.copy()"]
        elif kind < len(changes) + len(rows):
            self.new(rows[kind - len(changes)], self.rows)
        elif kind < len(changes) + len(rows) + len(views):
            self.new(pick(views), self.rows)
        else:
            self.new(pick(matrices), self.matrices)

    def text(self, seed):
        names = ", ".join(dict.fromkeys(self.rows + self.matrices))
        body = "".join(f"    {line}\n" for line in self.lines)
        return (f"def body{seed}(x0, x1, x2, x3, m0, m1):\n{body}    return [{names}]\n"
                f"check({seed}, body{seed}, {self.random.random() < 0.5})\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("count", nargs="?", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    if options.show is not None:
        print(KERNELS + Program(options.show).text(options.show), end="")
        return
    gpy = os.environ.get("GPY", str(ROOT / "build/gpy"))
    failed = 0
    for first in range(options.seed, options.seed + options.count, BATCH):
        seeds = range(first, min(first + BATCH, options.seed + options.count))
        text = KERNELS + "".join(Program(seed).text(seed) for seed in seeds)
        done = subprocess.run([gpy, "--device", options.device, "-c", text], capture_output=True, text=True)
        told = done.stdout + (done.stderr if done.returncode else "")
        failed += bool(told)
        print(told, end="")
    print(f"{options.count} programs, {failed} of their batches differ or fail")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
