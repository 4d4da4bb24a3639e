#!/usr/bin/env python3
"""Random expressions of arrays under NumPy and under gpy: what they give must be the same.

    tests/fuzz/array_expressions.py COUNT [--seed FIRST] [--device NAME] [--eager]    compares; tells the smallest part that differs
    tests/fuzz/array_expressions.py --show SEED                                       prints the expressions of a batch

A seed is a batch of 2,000 expressions, evaluated for `np` and for `gp`. Results are compared as tests/lib/paired/modules/digest.gpy does. A difference is
explained where NumPy's own result moves as far when its elementary functions and sums are moved by a few units in the
last place; all others are told, each by its smallest sub-expression that differs."""
import argparse
import collections
import os
import sys
import warnings

from expressions import comparing, making

BATCH = 2000


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("count", nargs="?", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--eager", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.show is not None:
        for each in making.batch(options.show, BATCH):
            print(each.text)
        return
    counts = collections.Counter()
    for seed in range(options.seed, options.seed + -(-options.count // BATCH)):
        made = making.batch(seed, BATCH)
        different = comparing.differences(made, options.device, options.eager)
        counts["evaluated"] += len(made)
        for case in different:
            if comparing.is_explained(case):
                counts["explained"] += 1
                continue
            counts["unexplained"] += 1
            print(comparing.smallest(case, options.device, options.eager), f"  (seed {seed})\n", flush=True)
    print(f"{counts['evaluated']} expressions, {counts['explained']} differences explained by rounding, {counts['unexplained']} not")
    sys.exit(1 if counts["unexplained"] else 0)


if __name__ == "__main__":
    main()
