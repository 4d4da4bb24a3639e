#!/usr/bin/env python3
"""Write tests/unit/grammar/error_corpus.inc: what CPython says of refused_snippets.txt.

A line "---- LEVEL" before a snippet says how much is compared:
  (none)   kind, message, line and column
  message  kind, message and line: the column differs, with a reason
  line     the line: gpy words it otherwise
  none     only that it is refused
"""
import os
import sys
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "../unit/grammar/error_corpus.inc")


def snippets():
    level, lines = "all", []
    with open(os.path.join(HERE, "refused_snippets.txt"), encoding="utf-8") as f:
        for line in f.read().split("\n")[:-1]:
            if line.startswith("----"):
                yield level, "\n".join(lines) + "\n"
                level, lines = line[4:].strip() or "all", []
            else:
                lines.append(line)
    yield level, "\n".join(lines) + "\n"


def refusal(text):
    try:
        compile(text, "snippet", "exec")
    except SyntaxError as error:
        return error
    sys.exit(f"CPython accepts {text!r}")


def main():
    warnings.simplefilter("ignore")
    with open(OUT, "w", encoding="utf-8") as out:
        out.write(f"// Made by tests/make/error_corpus.py with Python {sys.version.split()[0]}.\n"
                  "// {text, what is compared, kind, message, line, column}\n")
        for level, text in snippets():
            error = refusal(text)
            out.write(f'{{R"gpy({text})gpy", Level::{level}, "{type(error).__name__}",\n'
                      f' R"gpy({error.msg})gpy", {error.lineno}, {error.offset}}},\n')


main()
