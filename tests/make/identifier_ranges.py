#!/usr/bin/env python3
"""Write grammar/identifier_ranges.inc: the code points that CPython takes in identifiers."""
import sys
import unicodedata

HEADER = f"""// Made by tests/make/identifier_ranges.py from Python {sys.version_info[0]}.{sys.version_info[1]}, \
Unicode {unicodedata.unidata_version}.
// {{first, last, may begin an identifier}}; beyond ASCII, in order.
"""


def role(code):
    if chr(code).isidentifier():
        return 2
    return 1 if ("a" + chr(code)).isidentifier() else 0


def ranges():
    first, kind = 0x80, role(0x80)
    for code in range(0x81, 0x110000 + 1):
        now = role(code) if code < 0x110000 else -1
        if now != kind:
            if kind:
                yield first, code - 1, kind
            first, kind = code, now


def main():
    cells = [f"{{0x{a:X}, 0x{b:X}, {int(k == 2)}}}," for a, b, k in ranges()]
    with open("grammar/identifier_ranges.inc", "w") as out:
        out.write(HEADER)
        line = ""
        for cell in cells:
            if len(line) + len(cell) + 1 > 100:
                out.write(line.rstrip() + "\n")
                line = ""
            line += cell + " "
        out.write(line.rstrip() + "\n")


main()
