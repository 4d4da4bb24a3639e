#!/usr/bin/env python3
"""Writes tests/lib/refused/*.gpy: calls that NumPy refuses, and with which class of error.

    tests/make/refused_calls.py [FAMILY...]
    tests/make/refused_calls.py --mark PROGRAM    puts a ? before the calls that PROGRAM answers otherwise

refused/good_calls.txt has a call of each function that is accepted. What is written is this call with one thing
wrong: arguments that lack or are too many, a keyword that nobody knows, and in the place of each argument and of
each keyword of the signature one of a few values that do not fit. Of the calls that NumPy refuses in the same words
for the same argument, the first one or two are kept."""
import argparse
import ast
import importlib
import inspect
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import warnings

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parent / "lib/refused"
HEAD = """# Written by tests/make/refused_calls.py.
import sys
import numpy as np
sys.path.append(sys.path[0] + "/modules")
sys.path.append(sys.path[0] + "/../paired/modules")
from refusals import check

TABLE = r'''
"""
TAIL = """'''

print(check(np, TABLE))  # expect: 0 differ
print(check(gp, TABLE))  # expect: 0 differ
"""
# In the place of any argument.
BAD = """'x'|None|-1|nan|1.5|1j|huge|dict|object|ad|a5d|a2x3x2d|a0d|[[1,2],[3]]|['a','b']|words|objects|dates|rows|[nan,1.0]|(0,0)|99|
[[1.0,2.0],[2.0,4.0]]|a3x4D|a3x4?|[9]|True|slice""".replace("\n", "").split("|")
# In the place of a keyword, by its name.
BY_NAME = {
    "axis": "9|-9|'x'|1.5|(0,0)|(0,9)|[0]|nan", "axes": "9|'x'|(0,0)|(0,9)|[9]|((0,),(9,))", "axis1": "9|'x'|1", "axis2": "9|'x'",
    "dtype": "'nope'|3|'U3'|'D'|'M8[D]'|'?'|'V4'", "out": "3|'x'|a5d|a3x4?|a3x4Rd|(a3x4d,a3x4d)|[a3x4d]|a2x2i|a4b|a3b|a0d",
    "where": "'x'|3.5|a5?|a3x4d", "casting": "'x'|3|'no'", "order": "'x'|3|'CF'", "size": "-1|'x'|1.5|(2,-1)|(9,9)|huge",
    "shape": "-1|'x'|1.5|(2,-1)|(9,9)|huge|nan", "signature": "'x'|3|'dd->q'", "weights": "'x'|[1.0]|a5d|a3x4D",
    "p": "'x'|[0.5]|nan|[-1.0]", "initial": "'x'|[1.0,2.0]",
}
OTHER = "'x'|-1|nan|1.5|None|99|a5d|object|(1,2,3)".split("|")
KEPT = 2  # calls with the same words of refusal for the same argument
CASES_A_FILE = 2500
SPREAD = {"{S}": ("strings", "char"),
          "{P}": ("polynomial.polynomial.poly", "polynomial.chebyshev.cheb", "polynomial.legendre.leg",
                  "polynomial.hermite.herm", "polynomial.hermite_e.herme", "polynomial.laguerre.lag")}
SKIPPED = {"like", "subok", "kwargs", "args", "extobj"}


def module(name, path):
    made = type(sys)(name)
    sys.modules[name] = made
    exec(compile(path.read_text(), str(path), "exec"), made.__dict__)
    return made


module("operands", HERE.parent / "lib/paired/modules/operands.gpy")
arguments = module("arguments", TARGET / "modules/arguments.gpy")
refusals = module("refusals", TARGET / "modules/refusals.gpy")


def spread(names):
    """Names that hold a placeholder, for each of what it stands for."""
    for placeholder, each_of in SPREAD.items():
        if placeholder in names:
            return [names.replace(placeholder, each) for each in each_of]
    return [names]


def good_calls():
    """{family: [(name, calls)]}"""
    families, family = {}, None
    for line in (HERE / "refused/good_calls.txt").read_text().splitlines():
        if line.startswith("# -- "):
            family = families.setdefault(line[5:], [])
        elif not line.startswith("#"):
            names, _, calls = line.partition(" : ")
            for each in spread(names):
                family.extend((name, calls.split(" | ")) for name in each.split())
    return families


def parameters_of(function):
    """(names of what can be given by place, names of what can be given by keyword alone)"""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:
        return [], []
    places = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return places, [p.name for p in parameters if p.kind == p.KEYWORD_ONLY and p.name not in SKIPPED]


def joined(parts, name, text):
    """The call with the keyword set."""
    kept = [part for part in parts if arguments.keyword_of(part) != name]
    return ", ".join(kept + [f"{name}={text}"])


def replaced(parts, places, name, text):
    """The call with another value for what is called `name`."""
    if name in places and places.index(name) < len([part for part in parts if not arguments.keyword_of(part)]):
        i = places.index(name)
        return ", ".join(parts[:i] + [text] + parts[i + 1:])
    return joined(parts, name, text)


def bad_calls(function, call):
    """(the argument that is wrong, the call's text)"""
    parts = list(arguments.parts(call))
    places, keywords = parameters_of(function)
    given = [part for part in parts if not arguments.keyword_of(part)]
    for n in range(len(parts)):
        yield "count", ", ".join(parts[:n])
    yield "more", ", ".join(given + ["1"] * (max(len(places), len(given)) - len(given) + 1))
    yield "bogus", joined(parts, "bogus", "1")
    for i, part in enumerate(parts):
        name = arguments.keyword_of(part)
        for bad in BAD:
            yield i, ", ".join(parts[:i] + [f"{name}={bad}" if name else bad] + parts[i + 1:])
    for name in [each for each in places + keywords if each not in SKIPPED]:
        if name in BY_NAME or name not in places[:len(given)]:
            for bad in BY_NAME[name].split("|") if name in BY_NAME else OTHER:
                yield name, replaced(parts, places, name, bad)


class Endless(BaseException):
    """NumPy goes on for too long with a call for it to be a case."""


def stop(*_):
    raise Endless


def refusal(function, text):
    """(class, words) of NumPy's error, or None. Calls that change their arguments are none."""
    try:
        positional, keywords = arguments.read(np, text)
    except Exception as error:
        print("cannot read", text, repr(error), file=sys.stderr)
        return None
    everything = positional + list(keywords.values())
    before = refusals.state(np, everything)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        function(*positional, **keywords)
    except Endless:
        return None
    except Exception as error:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if refusals.state(np, everything) != before:
            return None
        names = [n for n in refusals.names_of(error) if not n.startswith(("_", "UFunc"))]
        words = re.sub(r"\d+(\.\d+)?", "0", str(error))
        return names[0], re.sub(r"'[^']*'", "''", words)[:60]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


def cases_of(function, calls):
    """{class: calls}"""
    seen, found = {}, {}
    for call in calls:
        for wrong, text in bad_calls(function, call):
            result = refusal(function, text)
            if result is None or text in seen:
                continue
            key = (wrong, *result)
            seen[key] = seen.get(key, 0) + 1
            if seen[key] <= KEPT:
                seen[text] = True
                found.setdefault(result[0], []).append(text or "-")
    return found


def cases_apart(function, calls, seconds=10):
    """The same in a process of its own, since NumPy's generators crash or never end on some arguments; {} then."""
    with tempfile.TemporaryFile() as told:
        child = os.fork()
        if not child:
            signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
            told.write(repr(cases_of(function, calls)).encode())
            told.flush()
            os._exit(0)
        failed = os.waitpid(child, 0)[1]
        told.seek(0)
        return {} if failed else ast.literal_eval(told.read().decode())


def row_text(name, call, cases):
    start = re.compile("^" + re.escape(call) + "(?=,)") if call else re.compile("(?!)")
    lines = [f" {kind} | {' | '.join([start.sub('@', each) for each in calls])}\n" for kind, calls in cases.items()]
    return f"{name}: {call}\n" + "".join(lines)


def files(rows):
    portion, count = [], 0
    for name, call, cases in rows:
        if count > CASES_A_FILE:
            yield portion
            portion, count = [], 0
        portion.append((name, call, cases))
        count += sum(map(len, cases.values()))
    yield portion


def marked(path, differing):
    """The table's text with a ? before each call that is among the differing."""
    lines, name, good = [], None, None
    for line in path.read_text().splitlines():
        if line.startswith(" ") and " | " in line:
            kind, *calls = line.split(" | ")
            plain = [call.removeprefix("?") for call in calls]
            whole = ["" if call == "-" else good + call[1:] if call[0] == "@" else call for call in plain]
            line = " | ".join([kind] + ["?" * ((name, full) in differing) + call for call, full in zip(plain, whole)])
        elif ": " in line:
            name, _, good = line.partition(": ")
        lines.append(line)
    return "\n".join(lines) + "\n"


def mark(program):
    """Marks what differs in any way of running; a mark that is no longer needed goes."""
    for path in sorted(TARGET.glob("*.gpy")):
        original = path.read_text()
        path.write_text(original.replace("| ?", "| "))
        told = subprocess.run([program, path], capture_output=True, text=True).stdout
        path.write_text(marked(path, set(re.findall(r"^([\w.]+)\((.*)\): expected ", told, re.MULTILINE))))


def write(family, functions):
    rows = []
    for name, calls in functions:
        function = arguments.function(np, name)
        if function is None:
            print("NumPy has no", name, file=sys.stderr)
            continue
        rows.append((name, calls[0], cases_apart(function, calls)))
    for old in TARGET.glob(f"{family}*.gpy"):
        old.unlink()
    for number, portion in enumerate(files(rows), 1):
        (TARGET / f"{family}_{number}.gpy").write_text(HEAD + "".join(row_text(*row) for row in portion) + TAIL)
    print(f"{family}: {sum(len(calls) for *_, cases in rows for calls in cases.values())} calls of {len(rows)} functions")
    print("  never refused:", *[name for name, _, cases in rows if not cases])


def main():
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, stop)
    families = good_calls()
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=" ".join(families))
    parser.add_argument("--mark", metavar="PROGRAM", type=os.path.abspath)
    options = parser.parse_args()
    if options.mark:
        mark(options.mark)
        return
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for family in options.families or families:
            np.random.seed(1)
            write(family, families[family])


if __name__ == "__main__":
    main()
