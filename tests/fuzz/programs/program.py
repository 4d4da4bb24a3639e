"""A whole program: what every program has at its top, then random statements."""
import functools

from . import classes, expressions, functions, statements
from .writer import Writer

PRELUDE = """import math


def clip(x):
    if isinstance(x, float):
        return x if -1e300 < x < 1e300 else 0.5
    if isinstance(x, int):
        return x if -10**40 < x < 10**40 else x % 1000000007
    return x if len(x) <= 40 else x[:40]


def text(x):
    is_set = isinstance(x, (set, frozenset)) and any(not isinstance(i, int) for i in x)
    return "set" + repr(sorted(x, key=repr)) if is_set else repr(x)


def show(*items, sep=" "):
    print(*[text(x) for x in items], sep=sep)


def report(e):
    print("!", type(e).__name__, "|", e, "|", repr(e.__cause__), type(e.__context__).__name__)


def traced(f):
    def inner(*args, **kwargs):
        print("call", len(args), sorted(kwargs))
        return f(*args, **kwargs)
    return inner


def with_tag(tag):
    return lambda f: lambda *args, **kwargs: (print(tag), f(*args, **kwargs))[1]
"""

CLASSES = """

class Oops(ValueError):
    pass


class Room:
    def __init__(self, name, calm=False):
        self.name, self.calm = name, calm

    def __enter__(self):
        print("in", self.name)
        return self.name

    def __exit__(self, kind, error, trace):
        print("out", self.name, kind and kind.__name__)
        return self.calm


class Root:
    counter = 0

    def __init__(self, x=0, items=()):
        self.x = x
        self.items = list(items)

    def __repr__(self):
        return f"{type(self).__name__}({self.x!r})"

    def m0(self, a=1, k=2):
        return self.x

    def m1(self, a=1, k=2):
        return a + k

    def m2(self, a=1, k=2):
        return self.m0(a) + len(self.items)

    def m3(self, a=1, k=2):
        return a
"""

AUGMENTS = {"augment": ["+=", "-=", "*=", "//=", "%=", "|=", "&=", "^=", ">>="], "faugment": ["+=", "-=", "*=", "/=", "//="],
            "saugment": ["|=", "&=", "-=", "^="]}
NOT_WILD = {"small", "width", "smallints", "iset", "positive", "intlit", "slice", "range"}
HIDDEN = ("def", "class", "object", "counter", "error", "gone")
RAW = {"slice", "intspec", "floatspec", "strspec", "percentint", "percentfloat", "hexdigits", *AUGMENTS}
FEATURES = ("classes", "generators")


FALLBACK = "(1)"  # in an f-string, where an expression has quotes


def split(rows):
    if not isinstance(rows, str):
        return list(rows)
    return rows.strip("\n").split("\n" if "\n" in rows.strip("\n") else ";")


@functools.cache
def tables(features):
    result = {kind: (split(simple), split(rich)) for kind, (simple, rich) in expressions.TABLES.items()}
    result.update({kind: (items, []) for kind, items in {**expressions.LITERALS, **AUGMENTS}.items()})
    result["risky"] = (["1 // 0", "[][1]"], split(statements.RISKY))
    result["exception"] = (["ValueError('simple')"], split(statements.EXCEPTIONS))
    result["cause"] = (["None", "KeyError('cause')"], ["$exception"])
    result["errorclass"] = (split(statements.ERROR_CLASSES), [])
    result["iterable"] = (["[1, 2]"], ["$ints", "$tup", "$range", "sorted($iset)", "$generator:int", "$idict", "$bytes",
                                      "map(abs, $ints)", "($int for $local:int in $before:ints)", "reversed($ints)"])
    # What a list may be extended by: a lazy view of the list itself would never end.
    result["stable"] = (["[1, 2]"], ["$ints", "$tup", "$range", "sorted($iset)", "$bytes", "$idict"])
    result["index"] = (["0", "-1"], ["$small", "-$small", "$int"])
    result["risky_object"] = (["Root() + 1"], [])
    if "classes" in features:
        for kind, rows in classes.EXPRESSIONS.items():
            result[kind][1].extend(rows.split("\n"))
        result["risky_object"] = (["Root() + 1"], classes.EXPRESSIONS["risky"].split("\n"))
    result = {kind: tuple([row for row in rows if allowed(row, features)] for rows in pair)
              for kind, pair in result.items()}
    return result


@functools.cache
def rows(features):
    found = statements.rows() + (statements.rows(classes.STATEMENTS) if "classes" in features else [])
    return [row for row in found if allowed(row.template, features)
            and ("generators" in features or "yield" not in row.needs)]


def allowed(text, features):
    return "classes" in features or not ("Oops" in text or "Room" in text)


class ProgramWriter(Writer):
    def __init__(self, seed, features):
        super().__init__(seed, tables(features), list(rows(features)), features)
        self.special.update(that=self.newest, changed=self.changed)
        self.after = []
        defined = functions.Functions(self)
        self.statements += [functions.DefineRow(defined), functions.RecursionRow(defined), functions.ClosureRow(defined)]
        if "generators" in features:
            self.statements.append(functions.GeneratorRow(defined))
        if "classes" in features:
            self.statements.append(classes.ClassRow(classes.Classes(self, defined)))
        self.wild_kinds = sorted(set(self.expressions) - NOT_WILD - RAW - set(expressions.LITERALS)
                                 - {"errorclass", "exception", "cause", "risky", "risky_object", "index"})
        self.wild_chance = self.pick([0, 0, 0, 0.02, 0.1])

    def newest(self, kind, depth):
        names = [name for name, its in [*self.scope.names.items(), *self.pending] if its == kind]
        return names[-1]

    def changed(self, kind, depth):
        """A variable that grows: it is clipped by the statement after."""
        name = self.variable(kind, depth)
        self.after.append(f"{name} = clip({name})")
        return name

    def fill(self, template, depth):
        hidden = self.wild
        self.wild = 0 if "*" in template or template.startswith(("for", "while", "$new", "hash")) else self.wild
        try:
            return super().fill(template, depth)
        finally:
            self.wild = hidden

    def hole(self, match, template, depth):
        text = self.hole_text(match, template, depth)
        if 'f"' not in template or match.group(1) in self.special or match.group(1) in RAW:
            return text
        for _ in range(9):
            if not any(c in text for c in "'\"\\\n#{}"):
                return text
            text = self.hole_text(match, template, 0)
        return FALLBACK

    def hole_text(self, match, template, depth):
        kind = match.group(1)
        if kind == "slice":
            return self.fill(self.pick(self.expressions["slice"][1]), min(depth, 1))
        if kind in RAW:
            return self.pick(self.expressions[kind][0])
        if self.wild and kind in self.wild_kinds and self.chance(self.wild):
            return f"({self.expression(self.pick(self.wild_kinds), depth)})"
        return super().hole(match, template, depth)

    def lines(self, template, depth):
        result = super().lines(template, depth)
        after, self.after = self.after, []
        return result + after if "\n" not in template.strip("\n") else result

    def program(self):
        body = []
        for _ in range(self.random.randint(6, 18)):
            self.wild = self.wild_chance
            body += self.guarded(self.statement(self.pick([1, 2, 2, 3])))
        names = [name for name, kind in self.scope.names.items() if kind not in HIDDEN]
        body += [f"for name in {names}: show(name, globals().get(name))"]
        return "\n".join([PRELUDE + (CLASSES if "classes" in self.features else ""), *body]) + "\n"

    def guarded(self, lines):
        """Most statements of the module go on after an error; names they bind may then be missing."""
        if self.chance(0.08) or lines[0].startswith(("def", "class", "try", "@")):
            return lines
        return ["try:", *["    " + line for line in lines], "except Exception as e:", "    report(e)"]


def program(seed, features=FEATURES):
    return ProgramWriter(seed, features).program()
