"""Rows timed in alternated pairs: gpy and its peer run one program of tests/bench/arrays each, and
scripts/bench lets them time a row by turns. A ratio is the median over the pairs."""
import glob
import math
import os
import statistics
import subprocess
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "arrays")
# What a row shall reach at least, and a kind's geometric mean.
LEAST = 0.95
WANTED = {"single": 1.5, "expression": 3.0}
WANTED_ON_GPU = 3.0  # over both kinds


class Side:
    """A process that waits, at its next row, for the word to time it."""

    def __init__(self, command):
        environment = dict(os.environ, PYTHONPATH=FOLDER, PYTHONDONTWRITEBYTECODE="1")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def line(self):
        return self.process.stdout.readline().rstrip("\n")

    def say(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()

    def timed(self):
        self.say("again")
        answer = self.line()
        try:
            return float(answer)
        except ValueError:
            return answer or "the program ended"

    def end(self):
        self.process.stdin.close()
        return self.process.wait()


def rows_of(program, gpy, device, pairs):
    """(name, count, kind, seconds, peer's seconds, ratio) a row; the text of an error in place of seconds that are none."""
    arrays = "cupy" if device.startswith("cuda") else "numpy"
    ours = Side([gpy, "--device", device, program, arrays])
    peer = Side([sys.executable, program, arrays])
    while (row := ours.line()) and row == (other := peer.line()):
        a, b, ratios = None, None, []
        for _ in range(pairs):
            a, b = keep_least(a, ours.timed()), keep_least(b, peer.timed())
            if isinstance(a, str) or isinstance(b, str):
                break
            ratios.append(b[-1] / a[-1])
        name, count, kind = row.split("\t")
        if ratios:
            yield name, int(count), kind, min(a), min(b), statistics.median(ratios)
        else:
            yield name, int(count), kind, a, b, None
        ours.say("next")
        peer.say("next")
    if row:
        print(f"{program}: the two sides differ in their rows: {row!r} and {other!r}", file=sys.stderr)
    for who, side in (("gpy", ours), ("the peer", peer)):
        if side.end():
            print(f"{program}: {who} ended with an error", file=sys.stderr)


def keep_least(times, new):
    return new if isinstance(new, str) else [*(times or []), new]


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def bench(gpy, device, programs, shown, pairs):
    """Prints every row, then each kind's mean and its rows below LEAST."""
    found = sorted(glob.glob(os.path.join(FOLDER, "*.py")))
    chosen = [p for p in found if os.path.basename(p) != "harness.py"
              and (not programs or os.path.splitext(os.path.basename(p))[0] in programs)]
    kinds = {}
    for program in chosen:
        print(f"\n{os.path.basename(program):<44}{'elements':>11}{'gpy':>10}{'peer':>10}{'ratio':>8}", flush=True)
        for name, count, kind, a, b, ratio in rows_of(program, gpy, device, pairs):
            if ratio is None:
                print(f"{name:<44}{count:>11}  failed: {[t for t in (a, b) if isinstance(t, str)][0]}", flush=True)
                continue
            kinds.setdefault(kind, []).append((ratio, name, count))
            print(f"{name:<44}{count:>11}{shown(a):>10}{shown(b):>10}{ratio:>8.2f}{'  slower' if ratio < LEAST else ''}", flush=True)
    on_gpu = device.startswith("cuda")
    if on_gpu:
        both = [row[0] for kind in WANTED for row in kinds.get(kind, [])]
        print(f"\nsingle and expression: {len(both)} rows, geometric mean {geometric_mean(both):.2f}, wanted {WANTED_ON_GPU}")
    for kind, rows in kinds.items():
        wanted = f", wanted {WANTED[kind]}" if kind in WANTED and not on_gpu else ""
        low = sorted(row for row in rows if row[0] < LEAST)
        print(f"\n{kind}: {len(rows)} rows, geometric mean {geometric_mean([row[0] for row in rows]):.2f}{wanted}; below {LEAST}: {len(low)}")
        for ratio, name, count in low:
            print(f"  {name:<42}{count:>11}{ratio:>8.2f}")
