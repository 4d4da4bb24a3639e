#!/usr/bin/env python3
"""Random kernels whose threads meet at barriers: what they compute in loops over a block's threads must be what fibers compute.

    tests/fuzz/barrier_kernels.py COUNT [--seed FIRST]    compares; prints the seeds of the kernels that differ
    tests/fuzz/barrier_kernels.py --show SEED             prints one kernel

A kernel reads and writes shared arrays and its own part of a global one so that no two threads race, in control flow that is the
same for a whole block and in such of each thread, with functions, macros and declarations of every form. The same text with a directive in it
runs as fibers. Kernels tell by the name of their function which form has run. The gpy program of $GPY, else build/gpy, runs both."""
import argparse
import os
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BATCH = 5   # kernels a text: one whose loops do not compile takes the others with it
MOST = 48   # threads a block

RUN = '''import cupy as cp
import numpy as np
def run(text, names, grid, block):
    module, results = cp.RawModule(code=text), []
    for k in range(len(names)):
        threads = grid[k] * block[k][0] * block[k][1] * block[k][2]
        x, form = cp.arange(threads, dtype=cp.uint32) * 77 % 1009, cp.zeros(1, dtype=cp.int32)
        read = cp.arange(16, dtype=cp.uint32) ** 2 % 23
        module.get_function(names[k])((grid[k],), block[k], (x, read, np.int32(5), form), shared_mem=4 * MOST)
        results.append((x.get(), int(form[0])))
    return results
def check(seeds, looped, fibers, names, grid, block):
    try:
        one, other = run(looped, names, grid, block), run(fibers, names, grid, block)
    except Exception as error:
        print("seeds", seeds, "fail:", type(error).__name__, error)
        return
    for k in range(len(seeds)):
        if not (one[k][0] == other[k][0]).all():
            print("seed", seeds[k], "differs at", np.nonzero(one[k][0] != other[k][0])[0][:5])
        if one[k][1] == other[k][1]:
            print("seed", seeds[k], "runs as fibers")
'''


class Array:
    """Of an element a thread. Between two barriers it is read everywhere, or each thread changes its own element."""

    def __init__(self, name, place, pointer=None):
        self.name, self.place, self.pointer = name, place, pointer or name
        self.read = self.written = False


class Kernel:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed, self.lines, self.depth, self.count = seed, [], 1, 0
        self.arrays, self.uniform, self.own, self.constant = [], [["n"]], [[]], [[]]
        self.functions, self.waiting, self.called = [], [], False
        self.odd = self.chance(0.1)  # has forms that loops are not made of
        self.grid = self.random.randint(1, 3)
        self.block = self.random.choice([(MOST, 1, 1), (33, 1, 1), (8, 4, 1), (3, 2, 5), (1, 7, 1), (1, 1, 1), (16, 3, 1)])
        for i in range(self.random.choice([0, 0, 1, 2])):
            self.functions.append(self.waiting_function(f"waits{seed}_{i}"))
        self.body()

    # --- pieces ---

    def chance(self, part):
        return self.random.random() < part

    def pick(self, items):
        return self.random.choice(items)

    def new(self, letter="v"):
        self.count += 1
        return f"{letter}{self.count}"

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def all(self, scopes):
        return [each for scope in scopes for each in scope]

    def barrier(self):
        self.line("__syncthreads();")
        for each in self.arrays:
            each.read = each.written = False

    # --- expressions ---

    def uniform_value(self, depth=2):
        kind = self.random.randrange(8)
        readable = [each for each in self.arrays if not each.written]
        if kind < 3 or depth == 0:
            return self.pick(self.all(self.uniform))
        if kind < 4:
            return str(self.random.randint(0, 9))
        if kind < 5:
            return f"c[({self.uniform_value(depth - 1)}) & 15]"
        if kind < 6 and readable:
            array = self.pick(readable)
            array.read = True
            return f"int({array.place(f'unsigned({self.uniform_value(depth - 1)}) % count')} % 50)"
        sign = self.pick(["+", "-", "*", "&", "|"])
        return f"({self.uniform_value(depth - 1)} {sign} {self.random.randint(0, 7)})"

    def uniform_condition(self):
        return f"{self.uniform_value()} {self.pick(['<', '>', '==', '!=', '<='])} {self.uniform_value(1)}"

    def value(self, depth=3):
        """An unsigned of a thread."""
        kind = self.random.randrange(15)
        own, readable = self.all(self.own), [each for each in self.arrays if not each.written]
        if kind < 4 and own:
            return self.pick(own)
        if kind < 5 or depth == 0:
            return self.pick(["t", "threadIdx.x", "blockIdx.x", "7u", "me()", "ranked()", "blockDim.y"])
        if kind < 6:
            return f"unsigned({self.uniform_value(1)})"
        if kind < 8:
            return self.pick(self.arrays).place("t")
        if kind < 10 and readable:
            array = self.pick(readable)
            array.read = True
            return array.place(f"({self.value(depth - 1)}) % count")
        if kind < 11:
            name = self.pick(["mixed", "least", "SQUARED", "fetched", "taken"])
            flat = [each for each in readable if each.name != "s1"]
            if name == "taken" and flat:
                array = self.pick(flat)
                array.read = True
                at = self.pick(["t", f"({self.value(depth - 1)}) % count"])
                return self.pick([f"taken({array.pointer}, {at})", f"*({array.pointer} + t)", f"Part{{{array.pointer}}}.at({at})"])
            if name == "taken":
                return "Part{c}.at(t % 16)"
            if name == "fetched":
                return f"fetched(c, {self.value(depth - 1)})"
            return f"{name}({self.value(depth - 1)})" if name != "least" else f"min({self.value(depth - 1)}, 900u)"
        if kind < 13 and self.all(self.constant):
            return f"unsigned({self.pick(self.all(self.constant))})"
        if kind < 14:
            return f"({self.condition(depth - 1)} ? {self.value(depth - 1)} : {self.value(depth - 1)})"
        return f"({self.value(depth - 1)} {self.pick(['+', '-', '*', '^', '|', '&'])} {self.value(depth - 1)})"

    def condition(self, depth=2):
        return f"({self.value(depth)}) % {self.random.randint(2, 7)} {self.pick(['==', '<', '>', '!='])} {self.random.randint(0, 3)}u"

    # --- what each thread does ---

    def thread_statement(self, depth=2):
        kind = self.random.randrange(17)
        own = self.all(self.own)
        if kind < 3:
            return self.declaration()
        if kind < 6 and own:
            sign = self.pick(["=", "=", "+=", "^=", "*=", "-="])
            return self.line(f"{self.pick(own)} {sign} {self.value()};")
        if kind < 9:
            free = [each for each in self.arrays if not each.read]
            if free:
                array = self.pick(free)
                value = self.value()
                if not array.read:
                    array.written = True
                    return self.line(f"{array.place('t')} {self.pick(['=', '+=', '^='])} {value};")
        if kind < 10 and own:
            name = self.pick(own)
            return self.line(self.pick([f"++{name};", f"{name}--;", f"added({name}, t);", f"STEP({name});" if self.odd else f"{name} += 3;"]))
        if depth == 0:
            return self.line(";")
        if kind < 12:
            return self.nested(f"if ({self.condition()})", depth, self.chance(0.4))
        if kind < 13:
            name = self.new("r")
            return self.nested(f"for (unsigned {name} = {self.pick(['0', 't % 3'])}; {name} < {self.random.randint(1, 4)}; ++{name})",
                               depth, False, name)
        if kind < 14:
            return self.nested("", depth, False)
        if kind < 15 and own:
            name = self.pick(own)
            self.line(f"switch ({self.value(1)} % 3) {{ case 0: {name} += 3; break; case 1: {name} ^= t; break; default: --{name}; }}")
            return
        name = self.new("w")
        self.line(f"unsigned {name} = {self.value(1)} % 4;")
        self.nested(f"while ({name} > 0)", depth, False, None, f"--{name};")

    def nested(self, head, depth, other, constant=None, last=None):
        self.line(head + " {" if head else "{")
        for branch in range(1 + other):
            if branch:
                self.line("} else {")
            self.own.append([])
            self.constant.append([])
            self.depth += 1
            for _ in range(self.random.randint(1, 3)):
                self.thread_statement(depth - 1)
            if last:
                self.line(last)
            self.own.pop()
            self.constant.pop()
            self.depth -= 1
        self.line("}")

    def declaration(self, reads=0.2):
        name, value, kind = self.new(), self.value(self.pick([0, 1, 1, 3])), self.random.randrange(13 if reads < 0.5 else 10)
        outer, free = [each for each in self.all(self.own) if each.isalnum() and each not in value], [each for each in self.arrays if not each.read]
        if kind == 9 and outer and free:  # an inner one of the same name
            name, array = self.pick(outer), self.pick(free)
            array.written = True
            return self.line(f"{{ unsigned {name} = {value}; {array.place('t')} ^= {name}; }}")
        if self.chance(reads):
            readable = [each for each in self.arrays if not each.written and each.name != "s1"]
            for each in readable[-1:]:
                value = self.pick([f"taken({each.pointer}, t)", f"*({each.pointer} + t)", f"Part{{{each.pointer}}}.at(t)",
                                   f"(unsigned)*({each.pointer} + t)"])
                if not each.read and self.chance(0.3):
                    value, each.written = f"bumped({each.pointer} + t)", True
        forms = [f"unsigned {name} = {value};", f"const unsigned {name} = {value};", f"unsigned {name}(+{value});",
                 f"unsigned {name}{{{value}}};", f"unsigned {name}; {name} = {value};", f"unsigned {name} = {{}}; {name} += {value};",
                 f"unsigned {name} = {value}, {name}b = {name} + 1;", f"unsigned {name} = t + blockIdx.x * 3;",
                 f"unsigned {name} = me() * 2 + unsigned(n);", f"auto {name} = {value};" if self.odd else f"unsigned {name} = {value};"]
        if kind < len(forms):
            self.line(forms[kind])
            (self.constant if kind == 1 or self.chance(0.3) else self.own)[-1].append(name)
            return
        if kind == 10:
            self.line(f"float {name} = ({value}) % 100 * 0.5f;")
            self.constant[-1].append(name)
        elif kind == 11:
            size = self.random.randint(2, 5)
            self.line(f"unsigned {name}[{size}]{self.pick([';', ' = {};', f' = {{t, {value}}};'])}")
            self.line(f"for (int i = 0; i < {size}; ++i) {name}[i] = {value} + i;")
            self.own[-1] += [f"{name}[{size - 1}]", f"{name}[0]"]
        else:
            kind = self.pick(["uint2", "Pair", "struct Pair"])
            self.line(f"{kind} {name}; {name}.x = {value};" + (f" {name}.y = 3;" if kind == "uint2" else ""))
            self.own[-1] += [f"{name}.x", f"{name}.y"]

    # --- what the block does ---

    def block_statement(self, depth):
        kind = self.random.randrange(20)
        if kind < 2:
            return self.declaration(0.8)
        if kind < 9 or depth == 0:
            return self.thread_statement()
        if kind < 11:
            return self.barrier()
        if kind < 13:
            name, value = self.new("m"), self.uniform_value()
            self.line(self.pick([f"int {name} = {value};", f"const int {name} = {value};", f"int {name}(+{value});",
                                 f"int {name}; {name} = {value};", f"int {name} = {{}}; {name} += {value};"]))
            self.uniform[-1].append(name)
            return None
        if kind < 14:
            known = [each for each in self.all(self.uniform) if each[0] == "u"]
            if known:
                return self.line(f"{self.pick(known)} {self.pick(['=', '+=', '-='])} {self.uniform_value()};")
            name = self.new("u")
            self.line(f"int {name} = {self.uniform_value()};")
            self.uniform[-1].append(name)
            return None
        if kind < 15 and self.waiting:
            function, array = self.pick(self.waiting), self.arrays[0]
            self.barrier()
            self.line(f"{function}({array.name}, {self.pick(self.all(self.uniform))} + 1);")
            array.written = True
            return self.barrier()
        if kind < 16 and self.chance(0.3):
            of_thread = [] if self.called else [self.condition(), f"t > {self.random.randint(4, 40)}"]
            return self.line(f"if ({self.pick([self.uniform_condition(), *of_thread])}) return;")
        if kind < 17:
            return self.structure(f"if ({self.uniform_condition()})", depth, self.chance(0.5))
        name = self.new("j")
        if kind < 19:
            head = self.pick([f"for (int {name} = 0; {name} < {self.random.randint(1, 4)}; ++{name})",
                              f"for (int {name} = 8; {name} > 0; {name} >>= {self.random.randint(1, 2)})",
                              f"for (int {name} = n, {name}b = 0; {name}b < {name}; {name} -= 2, ++{name}b)"])
            return self.structure(head, depth, False, name)
        self.line(f"int {name} = {self.random.randint(1, 4)};")
        if self.chance(0.5):
            return self.structure(f"while ({name} > 0)", depth, False, name, f"--{name};")
        self.structure("do", depth, False, name, f"{name} -= 2;", f" while ({name} > 0);")

    def structure(self, head, depth, other, counter=None, last=None, behind=""):
        loop = not head.startswith("if")
        before = [(each.read, each.written) for each in self.arrays]
        after = list(before)
        self.line(head + " {")
        for branch in range(1 + other):
            if branch:
                self.line("} else {")
                for each, (read, written) in zip(self.arrays, before):
                    each.read, each.written = read, written
            for scopes in (self.uniform, self.own, self.constant):
                scopes.append([])
            if counter and not last:
                self.uniform[-1].append(counter)
            self.depth += 1
            for _ in range(self.random.randint(1, 5)):
                self.block_statement(depth - 1)
            if loop and self.chance(0.3):
                self.barrier()  # those that leave here have met as the others have
                jump = self.pick(["break", "continue"]) if not last else "break"
                name = self.new("q")
                self.line(f"bool {name} = {self.uniform_condition()};")
                self.barrier()
                self.line(f"if ({name}) {jump};")
            if loop:
                self.barrier()
            if last:
                self.line(last)
            self.depth -= 1
            for scopes in (self.uniform, self.own, self.constant):
                scopes.pop()
            after = [(read or each.read, written or each.written) for each, (read, written) in zip(self.arrays, after)]
        self.line("}" + behind)
        for each, (read, written) in zip(self.arrays, after):
            each.read, each.written = read, written
        if any(read and written for read, written in after) or loop:
            self.barrier()

    # --- the text ---

    def rank(self):
        return self.pick(["threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)", "ranked()", "me() + RANKED"])

    def begin(self):
        self.line(self.pick([f"const unsigned t = {self.rank()};", f"unsigned t; t = {self.rank()};", f"unsigned int t({self.rank()});"]))
        self.line(self.pick(["const unsigned count = blockDim.x * blockDim.y * blockDim.z;",
                             "unsigned count = blockDim.x; count *= blockDim.y * blockDim.z;"]))

    def waiting_function(self, name):
        self.called = True  # threads that return meet the others further on
        self.lines, self.arrays = [], [Array("s", lambda i: f"s[{i}]")]
        self.uniform, self.own, self.constant = [["n"]], [[]], [[]]
        self.begin()
        for _ in range(self.random.randint(1, 4)):
            self.block_statement(1)
        self.barrier()
        self.line("s[t] += unsigned(n);")
        self.waiting.append(name)
        return f"__device__ void {name}(unsigned* s, int n) {{\n" + "\n".join(self.lines).replace("c[", "squares[") \
            .replace("(c,", "(squares,").replace("{c}", "{squares}") + "\n}\n"

    def text(self, directive):
        head = f'extern "C" __global__ void kernel{self.seed}(unsigned* x, const unsigned* c, int n, int* form) {{\n'
        return "".join(self.functions) + head + directive + "\n".join(self.lines) + "\n}\n"

    def body(self):
        self.lines, self.depth, self.called = [], 1, False
        self.arrays = [Array("s0", lambda i: f"s0[{i}]"), Array("s1", lambda i: f"s1[({i}) / 8][({i}) % 8]"),
                       Array("s2", lambda i: f"s2[{i}]")]
        self.uniform, self.own, self.constant = [["n"]], [[]], [[]]
        self.line(f"__shared__ unsigned s0[{MOST}], s1[{MOST // 8}][8 + 1];")
        self.line("extern __shared__ unsigned s2[];")
        self.begin()
        if self.chance(0.5):
            self.line("x += blockIdx.x * blockDim.x * blockDim.y * blockDim.z;")
            own = lambda i: f"x[{i}]"
            self.arrays.append(Array("x", own))
        else:
            self.line("const unsigned base = blockIdx.x * count;")
            own = lambda i: f"x[base + {i}]"
            self.arrays.append(Array("x", own, "(x + base)"))
        for each in self.arrays[:3]:
            self.line(f"{each.place('t')} = {self.pick(['t', own('t'), own('t') + ' * 3', '5u'])};")
        self.line("if (blockIdx.x == 0 && t == 0) form[0] = sizeof(__func__);")
        self.barrier()
        for _ in range(self.random.randint(4, 14)):
            self.block_statement(3)
        self.barrier()
        values = self.all(self.own) + [f"unsigned({each})" for each in self.all(self.constant) + self.all(self.uniform)]
        values += [each.place("t") for each in self.arrays[:3]]
        self.line(f"{own('t')} = {own('t')} * 31 + {' + 7 * '.join(values)};")


SHARED = '''#define SQUARED(v) ((v) * (v))
#define STEP(v) v += 3
#define RANKED (blockDim.x * 0)
struct Pair { unsigned x, y = 2; };
__constant__ unsigned squares[16] = {0, 1, 4, 9, 16, 2, 13, 3, 18, 12, 8, 6, 6, 8, 12, 18};
__device__ unsigned me() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ int ranked() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ unsigned mixed(unsigned v) { v ^= v >> 3; return v * 2654435761u; }
__device__ unsigned fetched(const unsigned* from, unsigned v) { return from[v & 15]; }
__device__ unsigned taken(const unsigned* from, unsigned i) { return *(from + i); }
__device__ unsigned bumped(unsigned* at) { *at = *at + 5; return *at; }
struct Part { const unsigned* from; __device__ unsigned at(unsigned i) const { return from[i]; } };
__device__ void added(unsigned& to, unsigned v) { to += v; }
'''


def texts(kernels):
    return [SHARED + "".join(each.text(directive) for each in kernels) for directive in ("", "\n#undef NOTHING\n")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("count", nargs="?", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int)
    options = parser.parse_args()
    if options.show is not None:
        kernel = Kernel(options.show)
        print(texts([kernel])[0] + f"// {kernel.grid} blocks of {kernel.block}")
        return
    gpy = os.environ.get("GPY", str(ROOT / "build/gpy"))
    failed = fibers = 0
    for first in range(options.seed, options.seed + options.count, BATCH):
        seeds = list(range(first, min(first + BATCH, options.seed + options.count)))
        kernels = [Kernel(seed) for seed in seeds]
        looped, other = texts(kernels)
        script = f"MOST = {MOST}\n{RUN}check({seeds}, {looped!r}, {other!r}, {[f'kernel{seed}' for seed in seeds]}, " \
                 f"{[each.grid for each in kernels]}, {[each.block for each in kernels]})\n"
        done = subprocess.run([gpy, "--device", "cpu", "-c", script], capture_output=True, text=True)
        told = done.stdout.splitlines() + (done.stderr.splitlines() if done.returncode else [])
        fibers += sum(each.endswith("runs as fibers") for each in told)
        wrong = [each for each in told if not each.endswith("runs as fibers")]
        failed += bool(wrong)
        print("".join(each + "\n" for each in wrong), end="", flush=True)
    print(f"{options.count} kernels, {fibers} of them as fibers, {failed} of their texts differ or fail")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
