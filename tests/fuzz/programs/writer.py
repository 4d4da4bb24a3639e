"""Turns templates into source text.

A template is Python with holes: `$int` is an expression of that type, `$var:int` a variable of it,
`$new:int` a new variable, `$local:int` the variable of a comprehension or lambda (`$local2:int` a second
one; `$before:ints` sees neither), `$block` an indented block. One seed makes one program, always.
"""
import itertools
import random
import re

HOLE = re.compile(r"\$(\w+)(?::(\w+))?")
ATOM = re.compile(r"[\w.]+\Z|\w*\([^()]*\)\Z|[\w.]+\[[^\[\]]*\]\Z|\[[^\[\]]*\]\Z")
LOOSE = re.compile(r"[\w.\s+\-*/%&|^]+\Z")  # operators that may stand beside others without brackets


class Scope:
    """The names a function, or the module, has bound so far, with their types."""

    def __init__(self, kind, parent=None):
        self.kind = kind    # "module", "function" or "class"
        self.parent = parent
        self.names = {}     # name -> type
        self.declared = {}  # name -> "global" | "nonlocal", to be written at the function's top
        self.loops = 0
        self.generator = False
        self.returns = None

    def of_type(self, kind):
        return [name for name, its in self.names.items() if its == kind]


class Writer:
    def __init__(self, seed, expressions, statements, features=()):
        self.random = random.Random(seed)
        self.expressions = expressions  # type -> (simple templates, rich templates)
        self.statements = statements    # rows
        self.weights = None
        self.features = set(features)
        self.scope = Scope("module")
        self.special = {"var": self.variable, "new": self.new_name,
                        "before": self.before_locals}
        self.pending = []   # (name, type) bound when the line is done
        self.locals = []    # of comprehensions and lambdas: (name, type) by template being filled
        self.count = 0
        self.functions = []
        self.classes = []
        self.wild = 0.0     # the chance that a hole is filled with another type than it asks for

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, items):
        return self.random.choice(items)

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    # --- variables ------------------------------------------------------------------------------

    def readable(self, kind):
        """Innermost names hide those outside; a class body's names are not seen from its methods."""
        seen, scope = {}, self.scope
        for name, its in [pair for frame in self.locals for pair in frame]:
            seen[name] = its
        while scope:
            for name, its in scope.names.items():
                seen.setdefault(name, its)
            scope = scope.parent
            while scope and scope.kind == "class":
                scope = scope.parent
        return [name for name, its in seen.items() if its == kind]

    def writable(self, kind):
        """A variable that may be rebound here: a local, or an outer one which is then declared."""
        names = self.scope.of_type(kind)
        if names and not self.chance(0.2) or self.scope.kind != "function":
            return self.pick(names) if names else None
        outer = self.scope.parent
        while outer:
            candidates = outer.of_type(kind) if outer.kind != "class" else []
            candidates = [name for name in candidates if name not in self.scope.names]
            if candidates:
                name = self.pick(candidates)
                self.scope.declared[name] = "global" if outer.kind == "module" else "nonlocal"
                return name
            outer = outer.parent
        return self.pick(names) if names else None

    def variable(self, kind, depth):
        name = self.writable(kind)
        if name is None:
            raise LookupError(kind)
        return name

    def new_name(self, kind, depth):
        name = self.fresh(kind[0])
        self.pending.append((name, kind))
        return name

    def bind_pending(self):
        for name, kind in self.pending:
            self.scope.names[name] = kind
        self.pending = []

    def before_locals(self, kind, depth):
        hidden, self.locals = self.locals, self.locals[:-1]
        text = self.expression(kind, depth)
        self.locals = hidden
        return text if ATOM.match(text) else f"({text})"

    # --- expressions ----------------------------------------------------------------------------

    def expression(self, kind, depth):
        names = self.readable(kind)
        if names and self.chance(0.35 if depth > 0 else 0.7):
            return self.pick(names)
        simple, rich = self.expressions[kind]
        if depth <= 0 or not rich or self.chance(0.1):
            return self.fill(self.pick(simple), 0)
        return self.fill(self.pick(rich), depth - 1)

    def fill(self, template, depth):
        matches = list(HOLE.finditer(template))
        names = {}  # hole of a local variable -> its name
        for match in matches:
            if match.group(1) in ("local", "local2") and match.group() not in names:
                names[match.group()] = self.fresh("v")
        self.locals.append([(name, hole.partition(":")[2]) for hole, name in names.items()])
        out, end = [], 0
        for match in matches:
            out.append(template[end:match.start()])
            out.append(names.get(match.group()) or self.hole(match, template, depth))
            end = match.end()
        out.append(template[end:])
        self.locals.pop()
        return "".join(out)

    def hole(self, match, template, depth):
        name, detail = match.groups()
        if name in self.special:
            return self.special[name](detail, depth)
        text = self.expression(name, depth)
        return text if self.may_stand_bare(text, match, template) else f"({text})"

    def may_stand_bare(self, text, match, template):
        before, after = template[:match.start()].rstrip()[-1:], template[match.end():].lstrip()[:1]
        if ATOM.match(text):
            return not (text[0].isdigit() and after == ".")
        if before in ("", "(", "[", ",", "=") and after in ("", ")", "]", ","):
            return "yield" not in text and ":=" not in text and text[0] != "*"
        loose = after != "." and LOOSE.match(text) and "**" not in text + template and "<<" not in template
        return bool(loose and LOOSE.match(HOLE.sub("x", template)) and self.chance(0.3))

    # --- blocks ---------------------------------------------------------------------------------

    def lines(self, template, depth):
        """The lines of a statement; a `$block` hole stands alone on its line and is indented."""
        result, targets = [], []
        for line in template.strip("\n").split("\n"):
            indent = line[:len(line) - len(line.lstrip())]
            if line.strip() in ("$block", "$loop_block"):
                filled = self.block(depth - 1, line.strip() == "$loop_block")
            else:
                filled = self.fill(line.strip(), self.random.randint(1, 3)).split("\n")
                targets += [name for name, _ in self.pending] if line.startswith("for ") else []
                self.bind_pending()
            result += [indent + text for text in filled]
        for name in targets:  # the loop may not have run
            if not self.chance(0.1):
                self.scope.names.pop(name, None)
        return result

    def block(self, depth, loop=False, most=3):
        """Names first bound in a block are forgotten at its end: it may not have run."""
        before = dict(self.scope.names)
        self.scope.loops += loop
        result = []
        for _ in range(self.random.randint(1, most)):
            result += self.statement(depth)
        self.scope.loops -= loop
        self.scope.names = before
        return result

    def statement(self, depth):
        self.weights = self.weights or list(itertools.accumulate(row.weight for row in self.statements))
        for _ in range(30):
            row = self.random.choices(self.statements, cum_weights=self.weights)[0]
            if not row.fits(self, depth):
                continue
            kept = dict(self.scope.names), dict(self.scope.declared), self.scope.loops
            try:
                return row.write(self, depth)
            except LookupError:  # no variable of that type yet
                self.scope.names, self.scope.declared, self.scope.loops = kept
                self.pending, self.locals = [], []
        return ["pass"]
