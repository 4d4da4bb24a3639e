"""Functions with every kind of parameter, the calls that fit them, and some that do not."""
from .writer import Scope

RESULTS = ("int", "int", "str", "ints", "float", "bool", "any", "tup")
PARAMETERS = ("int", "int", "int", "str", "ints", "float", "any", "sdict", "bool")
ANNOTATIONS = ("int", "'text'", "list", "dict[str, int]", "None", "1 + 1")


class Parameter:
    def __init__(self, name, kind, how, default=None):
        self.name, self.kind, self.how, self.default = name, kind, how, default


class Signature:
    """`how` of a parameter: "/" positional only, "" either way, "*" by name only, "*a" and "**k"."""

    def __init__(self, result, generator):
        self.result, self.generator, self.parameters = result, generator, []

    def text(self, writer):
        parts, slash, star = [], False, False
        for p in self.parameters:
            if slash and p.how != "/":
                parts.append("/")
                slash = False
            if p.how == "*" and not star:
                parts.append("*")
            star = star or p.how in ("*", "*a")
            slash = slash or p.how == "/"
            parts.append(self.parameter_text(p, writer))
        return ", ".join(parts + ["/"] * slash)

    @staticmethod
    def parameter_text(p, writer):
        stars = p.how.rstrip("ak") if p.how in ("*a", "**k") else ""
        note = ": " + writer.pick(ANNOTATIONS) if writer.chance(0.1) else ""
        default = "" if p.default is None else (f" = {p.default}" if note else f"={p.default}")
        return stars + p.name + note + default


def make_signature(writer):
    signature = Signature(writer.pick(RESULTS), "generators" in writer.features and writer.chance(0.25))
    defaults = False
    for how, most in (("/", 2), ("", 3), ("*a", 1), ("*", 2), ("**k", 1)):
        for _ in range(writer.random.randint(0, most) if writer.chance(0.3 if how else 0.9) else 0):
            kind = {"*a": "tup", "**k": "sdict"}.get(how) or writer.pick(PARAMETERS)
            defaults = how in ("/", "", "*") and (defaults and how != "*" or writer.chance(0.3))
            default = writer.expression(kind, 1) if defaults else None
            signature.parameters.append(Parameter(writer.fresh("p"), kind, how, default))
    return signature


class Functions:
    """Fills the holes that define and call functions."""

    def __init__(self, writer):
        self.writer = writer
        self.signatures = {}
        writer.special.update(call=self.call, generator=self.generator, badcall=self.bad_call,
                              result=self.result, bound=self.bound)

    # --- calls ----------------------------------------------------------------------------------

    def candidates(self, kind, generator):
        names = self.writer.readable("def")
        return [name for name in names if self.signatures[name].generator == generator
                and kind in (None, self.signatures[name].result)]

    def call(self, kind, depth):
        return self.call_or(kind, depth, False, kind)

    def generator(self, kind, depth):
        return self.call_or(kind, depth, True, "range" if kind == "int" else "anys")

    def call_or(self, kind, depth, generator, otherwise):
        names = self.candidates(kind, generator)
        if not names or depth < 0:
            return self.writer.expression(otherwise, depth - 1)
        name = self.writer.pick(names)
        return f"{name}({self.arguments(self.signatures[name], depth)})"

    def bound(self, kind, depth):
        """A function as a value."""
        names = self.candidates(None, False)
        return self.writer.pick(names) if names else "repr"

    def bad_call(self, kind, depth):
        names = self.writer.readable("def")
        if not names:
            return "len(1, 2)"
        name = self.writer.pick(names)
        arguments = self.writer.pick(["", "1", "1, 2, 3, 4, 5, 6, 7, 8", "zz=1", "*[1, 2, 3]", "**{'zz': 1}", "*1",
                                      "**1", "**{1: 2}", "1, p1=2, p2=3", "p3=1, **{'p3': 2}"])
        return f"{name}({arguments})"

    def arguments(self, signature, depth):
        positional, named = [], []
        by_name = False
        for p in signature.parameters:
            if p.default is not None and self.writer.chance(0.4):
                by_name = True
            elif p.how == "*a":
                positional += [] if by_name else [self.extra(depth)]
            elif p.how == "**k":
                named.append(self.writer.pick(["k9=1", "**{'k8': 2, 'k7': 3}", "**{}"]))
            elif p.how == "*" or p.how == "" and (by_name or self.writer.chance(0.2)):
                by_name = True
                named.append(f"{p.name}={self.writer.expression(p.kind, depth - 1)}")
            elif not by_name:
                positional.append(self.writer.expression(p.kind, depth - 1))
        self.writer.random.shuffle(named)
        return ", ".join(positional + named)

    def extra(self, depth):
        return self.writer.pick(["*()", "*(1, 2)", "*[3]", self.writer.expression("int", 0)])

    def result(self, kind, depth):
        return self.writer.expression(self.writer.scope.returns, depth)

    # --- definitions ----------------------------------------------------------------------------

    def body(self, signature, depth, extra=()):
        """The indented lines of a function, in a scope of its own."""
        writer = self.writer
        outer, hidden = writer.scope, writer.locals
        writer.scope, writer.locals = Scope("function", outer), []
        writer.scope.returns, writer.scope.generator = signature.result, signature.generator
        writer.scope.names.update({p.name: p.kind for p in signature.parameters})
        writer.scope.names.update(extra)
        try:
            lines = writer.block(depth, most=4)
            if signature.generator:
                lines.append("yield " + writer.expression(signature.result, 1))
            else:
                lines.append("return " + writer.expression(signature.result, 2))
            top = [f"{keyword} {name}" for name, keyword in writer.scope.declared.items()]
        finally:
            writer.scope, writer.locals = outer, hidden
        if writer.chance(0.1):
            top.insert(0, '"""Says what it does."""')
        return ["    " + line for line in top + lines]

    def define(self, depth, decorators=()):
        signature = make_signature(self.writer)
        name = self.writer.fresh("f")
        arrow = " -> " + self.writer.pick(ANNOTATIONS) if self.writer.chance(0.1) else ""
        lines = [*decorators, f"def {name}({signature.text(self.writer)}){arrow}:"]
        lines += self.body(signature, depth)
        self.signatures[name] = signature
        self.writer.scope.names[name] = "def"
        return lines


class DefineRow:
    """A statement that defines a function, sometimes decorated."""

    weight = 5

    def __init__(self, functions):
        self.functions = functions

    def fits(self, writer, depth):
        return depth > 0 and writer.scope.kind != "class"

    def write(self, writer, depth):
        decorator = [writer.pick(["@traced", "@with_tag('t')"])] if writer.chance(0.12) else []
        return self.functions.define(depth - 1, decorator)


class RecursionRow:
    """A function that calls itself a few levels deep."""

    weight = 1

    def __init__(self, functions):
        self.functions = functions

    def fits(self, writer, depth):
        return depth > 1

    def write(self, writer, depth):
        name, kind = writer.fresh("f"), writer.pick(("int", "str", "ints"))
        zero, step = writer.expression(kind, 1), writer.expression(kind, 1)
        return [f"def {name}(n, x={writer.expression('int', 0)}):", f"    if n <= 0: return {zero}",
                f"    return clip({name}(n - 1, x + 1) + ({step}))", f"show({name}({writer.pick('23457')}))"]


class ClosureRow:
    """A function made by a function; it changes what it closes over."""

    weight = 2

    def __init__(self, functions):
        self.functions = functions

    def fits(self, writer, depth):
        return depth > 1 and writer.scope.kind == "module"

    def write(self, writer, depth):
        outer, inner, cell = writer.fresh("make"), writer.fresh("f"), writer.fresh("c")
        use = writer.fresh("g")
        return [f"def {outer}({cell}):", f"    def {inner}(d={writer.expression('int', 1)}):", f"        nonlocal {cell}",
                f"        {cell} = clip({cell} * 3 + d)", f"        return {cell}", f"    return {inner}, lambda: {cell}",
                f"{use}, peek_{use} = {outer}({writer.expression('int', 1)})",
                f"show({use}(), {use}({writer.expression('int', 2)}), peek_{use}())"]


class GeneratorRow:
    """Drives a generator by hand: next, send, throw, close."""

    weight = 3

    def __init__(self, functions):
        self.functions = functions

    def fits(self, writer, depth):
        return depth > 0 and self.functions.candidates(None, True)

    def write(self, writer, depth):
        name = writer.fresh("it")
        lines = [f"{name} = {self.functions.generator(None, 2)}", "try:"]
        for _ in range(writer.random.randint(1, 5)):
            step = writer.pick([f"next({name})", f"next({name}, 'end')", f"{name}.send(None)",
                                f"{name}.send({writer.expression('int', 1)})", f"{name}.close()",
                                f"{name}.throw(ValueError('thrown'))", f"{name}.throw(KeyError)", f"list({name})",
                                f"[x for _, x in zip(range(2), {name})]", f"iter({name}) is {name}"])
            lines.append(f"    show({step})")
        return lines + ["except BaseException as e:", "    report(e)"]
