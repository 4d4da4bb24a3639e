"""What gcov counted in a build folder: a table of folders, or the lines of a path that did not run.

Part of scripts/coverage. A line has run if it did in any of the objects that hold it: headers and
templates are in many. Lines that raise an error are counted a second time, and marked with ! in the
list of what did not run.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

FLOORS = ("runtime", "src")
RAISES = re.compile(r"\b(fail|raise|refuse)(_\w+)?\(|\bthrow \w")
DECLARES = re.compile(r"\s*(\[\[noreturn\]\]|static|void|template|inline)\b|.*\) (const )?\{")


def counted_lines(build, root):
    """{file: {line: has run}} of the files of FLOORS."""
    files = collections.defaultdict(dict)
    counts = sorted(map(str, build.rglob("*.gcda")))
    if not counts:
        sys.exit(f"scripts/coverage: nothing is counted in {build}: run scripts/coverage first")
    each = 50
    for i in range(0, len(counts), each):
        told = subprocess.run(
            ["gcov", "--json-format", "--stdout", "--relative-only", "--source-prefix", root,
             *counts[i:i + each]], stdout=subprocess.PIPE, check=True, text=True, cwd=build)
        for report in told.stdout.splitlines():
            add(files, json.loads(report)["files"], build, root)
    return files


def add(files, reported, build, root):
    for each in reported:
        # Floors are reached through links in the build folder.
        path = os.path.relpath(os.path.realpath(build / each["file"]), root)
        if not path.startswith(tuple(floor + "/" for floor in FLOORS)):
            continue
        lines = files[path]
        for line in each["lines"]:
            number = line["line_number"]
            lines[number] = lines.get(number, False) or line["count"] > 0


def raises(text):
    return RAISES.search(text) and not DECLARES.match(text)


def missing_lines(path, lines):
    """(number, text) of what did not run."""
    text = pathlib.Path(path).read_text().split("\n")
    return [(number, text[number - 1]) for number in sorted(lines) if not lines[number]]


def folder_of(path):
    return "/".join(path.split("/")[:-1][:2])


def total_of(path):
    if path.startswith("runtime/cuda/"):
        return "runtime/cuda, fake GPU"
    return "runtime without cuda" if path.startswith("runtime/") else "src"


class Row:
    def __init__(self):
        self.ran = self.lines = self.raised = self.raising = 0

    def add(self, path, lines):
        text = pathlib.Path(path).read_text().split("\n")
        self.lines += len(lines)
        self.ran += sum(lines.values())
        errors = [has_run for number, has_run in lines.items() if raises(text[number - 1])]
        self.raising += len(errors)
        self.raised += sum(errors)

    def show(self, name):
        errors = f"{self.raised:4} of {self.raising:4} errors" if self.raising else ""
        print(f"{name:<24} {self.ran:6} of {self.lines:6} lines "
              f"{100 * self.ran / self.lines:6.1f} %  {errors}".rstrip())


def show_table(files):
    for name_of in folder_of, total_of:
        rows = collections.defaultdict(Row)
        for path, lines in files.items():
            rows[name_of(path)].add(path, lines)
        for name in sorted(rows):
            rows[name].show(name)
        print()


def is_at(path, prefix):
    return path == prefix or path.startswith(prefix.rstrip("/") + "/")


def show_missing(files, prefix):
    paths = [path for path in sorted(files) if is_at(path, prefix)]
    if not paths:
        sys.exit(f"scripts/coverage: no line is counted in {prefix}: it takes a file or folder of "
                 + " or ".join(FLOORS))
    for path in paths:
        missing = missing_lines(path, files[path])
        if missing:
            print(f"{path}: {len(missing)} of {len(files[path])}")
        for number, text in missing:
            print(f"{number:6} {'!' if raises(text) else ' '} {text}")


def main():
    build, prefix = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    files = counted_lines(build, os.getcwd())
    show_missing(files, prefix) if prefix else show_table(files)


main()
