#!/usr/bin/env python3
"""Random programs under CPython 3.11 and under gpy: what they print must be the same.

    tests/fuzz/python_programs.py COUNT [--seed FIRST] [--jobs 2]   compares, reduces what differs
    tests/fuzz/python_programs.py --show SEED                       prints a program
    tests/fuzz/python_programs.py --file FILE                       compares one program
    tests/fuzz/python_programs.py --reduce FILE                     makes it smaller

One seed is one program; how they are made is in programs/. What differs is written to the folder FOUND, one
file a kind of difference, its reduced program first.
"""
import argparse
import multiprocessing
import os
import re
import sys
import tempfile

from programs import program, reducing, running

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def is_error(text):
    return text.startswith(("! ", "stderr", "uncaught", "died"))


def kind_of(difference):
    """Differences that look alike up to numbers, names and quoted text are one kind."""
    theirs, ours = difference
    text = ours if ours.startswith(("stderr", "! ")) else theirs + " <> " + ours
    return re.sub(r"'[^']*'|\"[^\"]*\"|\d+(\.\d+)?|[a-z]\d+", "_", text)[:160]


def message_of(text):
    """What an error says, without where it was seen and without what is in quotes."""
    last = text.strip().split("\n")[-1]
    return re.sub(r"^(stderr: |uncaught: |! )|'[^']*'|\d+|[\s:]| None.*", "", last.replace(" | ", ": "))


def check(job):
    seed, features = job
    text = program.program(seed, features)
    try:
        return seed, running.compare(text, check.gpy)
    except SyntaxError as error:
        return seed, (f"the generator wrote what is no program: {error}", "")


def begin(binary):
    running.limit_memory()
    check.gpy = running.Gpy(binary)


def differs(gpy, like, seconds=0.5):
    """Whether a program differs in the way that `like` does."""
    def test(text):
        found = running.compare(text, gpy, seconds)
        if not isinstance(found, tuple) or [is_error(side) for side in found] != [is_error(side) for side in like]:
            return False
        return not is_error(like[1]) or message_of(found[1]) == message_of(like[1])
    return test


def write_found(folder, number, difference, seed, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"{number:03}_{seed}.gpy"), "w") as file:
        note = "\n".join("# " + line for line in f"CPython: {difference[0]}\ngpy:     {difference[1]}\nseed {seed}".split("\n"))
        file.write(f"{text}\n{note}\n")


def reduce_one(job):
    seed, features, budget = job
    text = program.program(seed, features)
    found = running.compare(text, check.gpy)
    if not isinstance(found, tuple):
        return seed, text, found
    text = reducing.reduce(text, differs(check.gpy, found), budget)
    return seed, text, running.compare(text, check.gpy)


def smallest(kinds, options):
    """A seed for each kind, those of the most frequent kinds first."""
    found = sorted(kinds.values(), key=len, reverse=True)
    return [min(seeds, key=lambda seed: len(program.program(seed, options.features))) for seeds in found]


def report(found, folder):
    """One entry for each difference that is still different after reduction."""
    shown = set()
    for seed, text, result in found:
        if not isinstance(result, tuple) or kind_of(result) in shown:
            continue
        shown.add(kind_of(result))
        print(f"seed {seed}\n    " + "\n    ".join(text[-900:].rstrip().split("\n")))
        print(f"  CPython: {result[0][:200]}\n  gpy:     {result[1][-300:]}", flush=True)
        write_found(folder, len(shown), result, seed, text)


def search(options):
    jobs = [(seed, options.features) for seed in range(options.seed, options.seed + options.count)]
    kinds, skipped, known, different = {}, 0, 0, 0
    with multiprocessing.Pool(options.jobs, begin, (options.gpy,)) as pool:
        for seed, result in pool.imap_unordered(check, jobs, chunksize=20):
            if result == "skipped":
                skipped += 1
            elif result == "known":
                known += 1
            elif result and not (options.ignore and re.search(options.ignore, "\n".join(result))):
                different += 1
                kinds.setdefault(kind_of(result), []).append(seed)
        print(f"{options.count} programs, {skipped} skipped, {known} differ in a known way, {different} differ, {len(kinds)} kinds", flush=True)
        for kind, seeds in sorted(kinds.items(), key=lambda item: -len(item[1])) if options.list else ():
            print(f"{len(seeds):6} {kind}  seed {seeds[0]}")
        seeds = smallest(kinds, options)[:options.most]
        report(pool.imap(reduce_one, [(seed, options.features, options.budget) for seed in seeds]), options.found)
    return bool(kinds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("count", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--gpy", default=os.path.join(ROOT, "build", "gpy"))
    parser.add_argument("--without", default="", help="classes,generators")
    parser.add_argument("--found", default=os.path.join(tempfile.gettempdir(), "gpy_programs_found"))
    parser.add_argument("--most", type=int, default=30, help="kinds of difference that are reduced")
    parser.add_argument("--ignore", help="differences that match this pattern are known")
    parser.add_argument("--list", action="store_true", help="all kinds, as found")
    parser.add_argument("--budget", type=int, default=1500)
    parser.add_argument("--show", type=int)
    parser.add_argument("--file")
    parser.add_argument("--reduce")
    options = parser.parse_args()
    options.features = tuple(f for f in program.FEATURES if f not in options.without.split(","))
    if options.show is not None:
        print(program.program(options.show, options.features), end="")
    elif options.file:
        begin(options.gpy)
        print(running.compare(open(options.file).read(), check.gpy))
    elif options.reduce:
        begin(options.gpy)
        text = open(options.reduce).read()
        print(reducing.reduce(text, differs(check.gpy, running.compare(text, check.gpy))))
    else:
        sys.exit(search(options))


if __name__ == "__main__":
    main()
