#!/usr/bin/env python3
"""Prints src/text/unicode_tables.inc: what CPython's str methods say of each code point, as ranges, and
the case mappings.

    tests/make/unicode_tables.py > src/text/unicode_tables.inc
"""
import sys
import unicodedata

LAST = 0x110000
SURROGATES = range(0xD800, 0xE000)
# In the order of the bits of CharacterClass in src/text/unicode.h.
TESTS = [
    str.isalpha, str.isdecimal, str.isdigit, str.isnumeric, str.islower, str.isupper,
    lambda c: unicodedata.category(c) == "Lt", str.isspace, str.isprintable,
    lambda c: c.islower() or c.isupper() or unicodedata.category(c) == "Lt",
    # Case_Ignorable, seen through the one rule that depends on it: final sigma.
    lambda c: ("\u0391" + c + "\u03a3").lower()[-1] == "\u03c2",
    str.isidentifier, lambda c: ("a" + c).isidentifier(),
]
CASED = 9
IGNORABLE = 10


def bits(code):
    c = chr(code)
    found = sum(1 << i for i, test in enumerate(TESTS) if test(c))
    cased = bool(found >> CASED & 1)
    if cased and found >> IGNORABLE & 1:
        # A cased character before the sigma makes it final whether ignorable or not.
        ignorable = ("1" + c + "\u03a3").lower()[-1] == "\u03c3" or (c + "\u03a3").lower()[-1] == "\u03c3"
        found = found if ignorable else found & ~(1 << IGNORABLE)
    return found


def ranges():
    start, previous = 0, bits(0)
    for code in range(1, LAST + 1):
        now = None if code == LAST else 0 if code in SURROGATES else bits(code)
        if now != previous:
            if previous:
                yield start, code - 1, previous
            start, previous = code, now


def mappings(convert):
    """Runs {first, last, stride, offset} of single-character mappings, and the longer ones."""
    single, longer = [], []
    for code in range(128, LAST):
        if code in SURROGATES:
            continue
        to = convert(chr(code))
        if to == chr(code):
            continue
        if len(to) == 1:
            single.append((code, ord(to) - code))
        else:
            longer.append((code, to))
    runs = []
    for code, offset in single:
        if runs and runs[-1][3] == offset:
            first, last, stride, _ = runs[-1]
            if first == last and code - last in (1, 2) or code - last == stride:
                runs[-1] = (first, code, code - last, offset)
                continue
        runs.append((code, code, 1, offset))
    return runs, longer


def print_rows(declaration, rows):
    print(f"{declaration} = {{")
    line = ""
    for row in rows:
        if len(line) + len(row) > 98:
            print(" " + line)
            line = ""
        line += " " + row + ","
    print(" " + line + "\n};")


def escaped(text):
    return "".join(f"\\{byte:03o}" for byte in text.encode())


def main():
    print(f"// Made by tests/make/unicode_tables.py from CPython {sys.version.split()[0]}, "
          f"Unicode {unicodedata.unidata_version}.")
    print_rows("static constexpr ClassRange kClasses[]",
               [f"{{{first}, {last}, {flags}}}" for first, last, flags in ranges()])
    for name, convert in [("Lower", str.lower), ("Upper", str.upper), ("Title", str.title),
                          ("Fold", str.casefold)]:
        runs, longer = mappings(convert)
        print_rows(f"static constexpr CaseRun k{name}[]",
                   [f"{{{a}, {b}, {stride}, {offset}}}" for a, b, stride, offset in runs])
        rows = [f'{{{code}, "{escaped(to)}"}}' for code, to in longer]
        print_rows(f"static constexpr LongCase k{name}Long[]", rows or ['{0xFFFFFFFF, ""}'])


if __name__ == "__main__":
    main()
