"""Compares expressions: evaluates them by both, explains differences by rounding, finds the smallest part that differs."""
import functools
import os
import pathlib
import random
import subprocess
import tempfile
from dataclasses import dataclass

import numpy as np

from expressions.shared import FOLDER, digest, operands

ROOT = pathlib.Path(__file__).parents[3]
SLACK = 64
SCRIPT = f"""import sys
sys.path.append({str(FOLDER)!r})
import numpy as np
import digest
import operands


def run(np, name, number, names, call):
    given = [operands.operand(np, each) for each in names]
    found = digest.outcome(np, lambda np, *_: call(np, lambda each: given[names.index(each)].copy("K")), given, "")
    print(name, number, " ".join([digest.written(each) for each in found]))


def both(number, names, call):
    run(np, "np", number, names, call)
    run(gp, "gp", number, names, call)


"""


@dataclass
class Difference:
    part: object
    namespace: str
    expected: list
    found: list


def case_of(part):
    """The tokens of NumPy's result."""
    names = sorted(part.names)
    given = [operands.operand(np, each) for each in names]
    call = eval(f"lambda np, v: {part.text}")
    return digest.outcome(np, lambda np, *_: call(np, lambda each: given[names.index(each)].copy("K")), given, "")


def found_by_gpy(parts, device, eager):
    """What gpy prints for each, by namespace and number."""
    lines = [f"both({i}, {sorted(part.names)!r}, lambda np, v: {part.text})\n" for i, part in enumerate(parts)]
    with tempfile.NamedTemporaryFile("w", suffix=".gpy") as script:
        script.write(SCRIPT + "".join(lines))
        script.flush()
        command = [os.environ.get("GPY", ROOT / "build/gpy"), "--device", device, *(["--eager"] if eager else []), script.name]
        output = subprocess.run(command, capture_output=True, text=True)
    found = {}
    for line in output.stdout.splitlines():
        name, number, *tokens = line.split(" ")
        found[name, int(number)] = tokens
    if output.returncode:
        print(output.stderr[-2000:], flush=True)
    return found


def numbers(token):
    return float(token[1:]) if isinstance(token, str) and token[:1] == "~" else token


def as_arrays(tokens):
    return [t[0] + "." if isinstance(t, str) and t[1:2] == "!" else t for t in tokens]


def without_underflow(tokens):
    return [each for each in tokens if each != "*underflow"]


def agree(expected, found, namespace):
    """Whether gpy's tokens, as written, are NumPy's."""
    expected, found = without_underflow(expected), without_underflow(found)
    if namespace == "gp":
        expected, found = as_arrays(expected), as_arrays(found)
        expected = [{"bool": "array"}.get(each, each) for each in expected]
    return digest.agree(found, expected, SLACK)


def without_events(tokens):
    """Products are BLAS's, which tells of floating-point errors or does not."""
    return [each for each in tokens if each not in ("*invalid", "*overflow", "*divide")]


def differences(parts, device, eager):
    found = found_by_gpy(parts, device, eager)
    different = []
    for i, part in enumerate(parts):
        expected = case_of(part)
        for namespace in ("np", "gp"):
            tokens = found.get((namespace, i), ["!died"])
            if not agree(expected, tokens, namespace) and not is_known(part, namespace, expected, tokens):
                different.append(Difference(part, namespace, expected, tokens))
                break
    return different


ZEROS = ("max", "min", "sort", "unique", "union1d", "median", "clip", "ptp", "np.dot(")


def marks_of_zeros(tokens):
    """The tokens without what tells zeros of either sign apart, in marks and as sums."""
    plain = [t.replace("z", ".") if isinstance(t, str) and not t.strip("nmpz.") else t for t in tokens]
    if any(not isinstance(t, str) or t[:1] == "~" for t in plain):
        plain = [t for t in plain if t[:1] != "#"]
    return [t for t in plain if not (isinstance(t, str) and not t.strip(".") or t == "~0" or not isinstance(t, str) and t[0] == 0)]


def is_complex(part):
    return "1j" in part.text or "'F'" in part.text or "'D'" in part.text or any(name[-1] in "FD" for name in part.names)


def is_known(part, namespace, expected, found):
    """What is meant to differ. Numbers are arrays where they live on a device: they tell of no overflow, and promote as arrays do, as all() of `gp` is no bool."""
    if any(name in part.text for name in ("np.dot(", "np.matmul(")) and agree(without_events(expected), without_events(found), namespace):
        return True
    # Nor do they agree on what an infinite complex number times another is.
    if ("np.matmul(" in part.text or "np.dot(" in part.text) and is_complex(part) and any("n" in t for t in expected[1:] if isinstance(t, str)):
        return True
    # Zeros of either sign are equal, and complex ones are multiplied and divided in different ways.
    if (is_complex(part) or any(name in part.text for name in ZEROS)) and agree(marks_of_zeros(expected), marks_of_zeros(found), namespace):
        return True
    # Comparing complex numbers that are nan is an error in NumPy.
    if is_complex(part) and agree([t for t in expected if t != "*invalid"], [t for t in found if t != "*invalid"], namespace):
        return True
    return namespace == "gp" and not isinstance(found, str) and (
        "*overflow" in expected and agree([t for t in expected if t != "*overflow"], found, namespace)
        or expected[0] in ("True", "False"))


# --- explaining ------------------------------------------------------------------------------------

ROUNDED = frozenset("""sqrt exp log sin cos tanh arctan cbrt expm1 log1p reciprocal hypot arctan2 power logaddexp divide multiply add subtract
sum mean prod std var median dot matmul cumsum cumprod trace outer interp absolute square""".split())


class Noisy:
    """NumPy with results that are off by a few units in the last place."""

    def __init__(self, rng):
        self.rng = rng

    def __getattr__(self, name):
        value = getattr(np, name)
        return functools.partial(self.moved, value) if name in ROUNDED else value

    def moved(self, call, *args, **kwargs):
        return self.noise(call(*args, **kwargs))

    def noise(self, result):
        if not isinstance(result, (np.ndarray, np.generic)) or result.dtype.kind not in "fc":
            return result
        step = np.finfo(result.dtype).eps
        factors = np.array([1 + self.rng.uniform(-4, 4) * step for _ in range(result.size)]).reshape(result.shape)
        if result.dtype.kind == "c":
            factors = factors + 1j * (np.roll(factors, 1) - 1)
        with np.errstate(all="ignore"):
            moved = (result * factors).astype(result.dtype)
        return moved if isinstance(result, np.ndarray) else moved[()]


def noisy_value(part, rng):
    """A part's value, each operation on the way moved."""
    if not part.parts:
        return None
    noisy = Noisy(rng)
    values, text = {}, part.text
    for number, each in enumerate(part.parts):
        if each.parts:
            values[f"_{number}"] = noisy.noise(noisy_value(each, rng))
            text = text.replace(each.text, f"_{number}")
    return noisy.noise(eval(text, {"np": noisy, "v": lambda name: operands.operand(np, name), **values}))


def is_explained(difference, samples=12):
    """Whether NumPy's tokens move as far as gpy's lie from them, or a token that is text moves at all."""
    rng = random.Random(7)
    part, expected = difference.part, difference.expected
    sampled = []
    for _ in range(samples):
        try:
            sampled.append(digest.outcome(np, lambda np_, *_: noisy_value(part, rng), [], ""))
        except Exception:
            return False
    found = difference.found
    if difference.namespace == "gp":
        expected, found = as_arrays(expected), as_arrays(found)
        sampled = [as_arrays(each) for each in sampled]
    if len(expected) != len(found) or any(len(each) != len(expected) for each in sampled):
        return len({len(each) for each in sampled + [expected]}) > 1
    for i, (theirs, ours) in enumerate(zip(expected, found)):
        if isinstance(theirs, str):
            if theirs != ours and all(each[i] == theirs for each in sampled):
                return False
        elif not isinstance(ours, str) or ours[:1] == "~":
            spread = max(abs(each[i][0] - theirs[0]) if not isinstance(each[i], str) else np.inf for each in sampled)
            if not abs(numbers(ours) - theirs[0]) <= 16 * spread + theirs[1] * SLACK + abs(theirs[0]) * 1e-11:
                return False
    return True


# --- the smallest part -------------------------------------------------------------------------------

def all_parts(part):
    if part.parts:
        yield part
        for each in part.parts:
            yield from all_parts(each)


def smallest(difference, device, eager):
    """The smallest sub-expression that differs, as text."""
    parts = sorted({each.text: each for each in all_parts(difference.part)}.values(), key=lambda each: len(each.text))
    for each in differences(parts, device, eager):
        if not is_explained(each):
            difference = each
            break
    written = " ".join(map(digest.written, difference.expected))
    return f"{difference.part.text}   [{difference.namespace}]\n  NumPy {written}\n  gpy   {' '.join(difference.found)}"
