#!/usr/bin/env python3
"""Write tests/unit/grammar/ast_corpus.inc: CPython's trees of accepted_snippets.txt.

A snippet that CPython refuses is left out, and said so: the list is of what both accept.
"""
import os
import re
import sys
import warnings

import python_ast

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "../unit/grammar/ast_corpus.inc")


def snippets(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [s.rstrip("\n") + "\n" for s in f.read().split("----\n")]


def raw(text):
    """A raw string literal; a lone surrogate, which is no UTF-8, stands beside it as bytes."""
    def escaped(match):
        octets = match[0].encode("utf-8", "surrogatepass")
        return ')gpy" "' + "".join(f"\\x{octet:02x}" for octet in octets) + '" R"gpy('
    return 'R"gpy(' + re.sub("[\ud800-\udfff]", escaped, text) + ')gpy"'


def main():
    warnings.simplefilter("ignore")
    with open(OUT, "w", encoding="utf-8") as out:
        out.write(f"// Made by tests/make/ast_corpus.py with Python {sys.version.split()[0]}.\n"
                  "// {text, whether positions are compared, CPython's tree}\n")
        for text in snippets("accepted_snippets.txt"):
            try:
                tree, positions = python_ast.dump(text)
            except SyntaxError as error:
                print(f"left out: {text!r}: {error}", file=sys.stderr)
                continue
            out.write(f"{{{raw(text)}, {str(positions).lower()},\n {raw(tree)}}},\n")


main()
