"""Classes: inheritance, super(), properties, class and static methods, operators.

A method may call only methods with a smaller number on self, so that no override makes an endless
recursion.
"""
from .functions import Signature, Parameter

METHODS = ("m0", "m1", "m2", "m3")

# Bodies of special methods. `self.x` is an int, `self.items` a list of ints.
SPECIAL = """
def __repr__(self):
    return f"$class({self.x!r}, {self.items!r})"
---
def __str__(self):
    return $str
---
def __eq__(self, other):
    return isinstance(other, Root) and self.x == other.x
---
def __eq__(self, other):
    if not isinstance(other, Root): return NotImplemented
    return (self.x, $int) == (other.x, $int)
def __hash__(self):
    return hash(self.x)
---
def __lt__(self, other):
    return self.x < (other.x if isinstance(other, Root) else other)
---
def __le__(self, other):
    return NotImplemented if isinstance(other, str) else self.x <= getattr(other, "x", other)
---
def __gt__(self, other):
    return $bool
---
def __bool__(self):
    return $bool
---
def __len__(self):
    return len(self.items)
---
def __len__(self):
    return $any
---
def __getitem__(self, index):
    show("item", index)
    return self.items[index]
---
def __setitem__(self, index, value):
    self.items[index] = value
def __delitem__(self, index):
    del self.items[index]
---
def __contains__(self, item):
    return item in self.items or $bool
---
def __call__(self, *args, **kwargs):
    return (args, sorted(kwargs), self.x)
---
def __add__(self, other):
    if isinstance(other, int): return $class(self.x + other)
    return NotImplemented
---
def __radd__(self, other):
    return ("radd", other, self.x)
---
def __iadd__(self, other):
    self.x = clip(self.x + 1)
    return self
---
def __sub__(self, other):
    return $int
---
def __mul__(self, other):
    return $any
def __rmul__(self, other):
    return $any
---
def __matmul__(self, other):
    return [self.x, other]
---
def __neg__(self):
    return $class(-self.x)
---
def __invert__(self):
    return $int
---
def __abs__(self):
    return abs(self.x)
---
def __int__(self):
    return self.x
def __index__(self):
    return self.x % 5
---
def __float__(self):
    return $float
---
def __round__(self, digits=None):
    return (self.x, digits)
---
def __divmod__(self, other):
    return divmod(self.x, other)
---
def __floordiv__(self, other):
    return self.x // other
def __rfloordiv__(self, other):
    return other // self.x
---
def __pow__(self, other, modulo=None):
    return (self.x, other, modulo)
---
def __and__(self, other):
    return self
def __ror__(self, other):
    return other
---
def __format__(self, spec):
    return f"<{spec}>{self.x}"
---
def __getattr__(self, name):
    if name.startswith("dyn"): return name + str(self.x)
    raise AttributeError(name)
---
def __setattr__(self, name, value):
    if name == "y": show("set", name)
    super().__setattr__(name, value)
---
def __enter__(self):
    show("enter", self.x)
    return self
def __exit__(self, kind, error, trace):
    show("exit", kind and kind.__name__)
    return $bool
---
def __reversed__(self):
    return reversed(self.items)
---
def __init_subclass__(cls, **kwargs):
    show("subclass", cls.__name__, kwargs)
    super().__init_subclass__(**kwargs)
---
def __del__(self):
    pass
---
@property
def size(self):
    return len(self.items) + $int
@size.setter
def size(self, value):
    self.x = clip(value)
@size.deleter
def size(self):
    show("deleted")
---
@property
def only_read(self):
    return $any
---
@staticmethod
def fixed(a, b=$int):
    return (a, b)
---
@classmethod
def build(cls, x=$int, *rest):
    return cls(x, list(rest))
---
tags = {$int: $str}
limit: int = $int
---
@traced
def decorated(self, a=$int):
    return a
---
class Inner:
    kind = $str
"""

ITERATION = """
def __iter__(self):
    return iter(self.items)
---
def __iter__(self):
    for item in self.items:
        yield item
    yield $int
---
def __iter__(self):
    yield from self.items
"""

EXPRESSIONS = {
    "int": """$object.x
$object.m0($int)
$object.m1($int)
$object.m2($int, k=$int)
$object.m3()
len($object.items)
$class.counter
getattr($object, "x")
getattr($object, "nothing", $int)""",
    "any": """$object.items
$object.m2($int)
[$object, $object]
str($object)
repr($object)
f"{$object_name}"
$object == $object
isinstance($object, $class)
issubclass($class, $class)
type($object).__name__
$class.__name__
[c.__name__ for c in $class.__mro__]
sorted(vars($object))
hasattr($object, "size")
$class.m0($object, $int)
callable($object)
$object is $object
$class.__doc__
bool($object)
$object in [$object]
[o.x for o in sorted([$object, $object, $object], key=lambda o: o.x)]
{$int: $object}""",
    "ints": """$object.items
[o.x for o in [$object, $object]]
list(map(lambda o: o.m0($int), [$object]))""",
    "risky": """$object + $any
$any + $object
$object - $any
$object * $any
$int * $object
$object @ $object
-$object
~$object
+$object
abs($object)
int($object)
float($object)
round($object)
round($object, 2)
divmod($object, $int)
$object // $int
$int // $object
$object ** 2
pow($object, 2, 5)
$object & 1
1 | $object
$object < $object
$object <= $object
$object >= $any
$object > $object
$object < $any
$object == $any
$object != $any
sorted([$object, $object, $object])
max([$object, $object])
len($object)
bool($object)
$object[$int]
$object[$slice]
$int in $object
list($object)
[*$object]
dict.fromkeys([$object, $object], 1)
isinstance(hash($object), int)
{$object: 1}[$object]
iter($object)
next($object)
reversed($object)
$object($int, k=$int)
$object()
f"{$object_name:>10}"
format($object, "5")
$object.dyn_x
$object.missing
$object.size
$object.only_read
$object.only_read.x
$object.fixed($int)
$class.fixed($int)
$class.build($int, 1, 2)
$object.build()
$object.decorated()
$class.m0($int)
$class.tags
$object.limit
$class.Inner.kind
$class.x
$class()
$class($int, $ints, 3)
$class(zz=1)
range($object)
[1, 2, 3, 4, 5, 6][$object]
"abc" * $object
"%d %s" % ($object, $object)
isinstance($any, $object)
super($class, $object).m0(1)
super().m0(1)
object.__repr__($object)[:5]
$class.__init__($object)
a, b = $object
vars($object)
$class.m1
type($object)($int)
{**$object}
(lambda *a: a)(*$object)
print($object)
"".join([$object])
sum([$object, $object])
sum([$object], $object)
any($object)
zip($object, $object)
$object.__class__
$object.__dict__
$object.m0.__name__
$object.m1.__func__ is $class.m1
$class.__bases__
$class.__qualname__
$class.__module__
$object.__init__()""",
}

STATEMENTS = """
3 -
$new:object = $object
---
2 -
$var:object.x = $int
---
2 -
$var:object.x $augment clip($int)
---
1 -
$var:object.items = $ints
---
1 -
$var:object.y = $any
---
2 -
$class.counter += 1
---
1 -
$class.counter = $int
---
1 -
show($object.__dict__)
---
1 -
setattr($object, "x", $int)
---
2 deep
try:
    show($risky_object)
except Exception as $new:error:
    report($that:error)
---
1 deep
try:
    $var:object += $any
    show($var:object)
except Exception as $new:error:
    report($that:error)
---
1 deep
try:
    $var:object.size = $int
    del $var:object.size
except Exception as $new:error:
    report($that:error)
---
1 deep
try:
    del $var:object.y
    del $var:object.x
except Exception as $new:error:
    report($that:error)
    $var:object.x = 1
---
1 deep
try:
    $var:object.only_read = $int
except Exception as $new:error:
    report($that:error)
---
1 deep
try:
    $var:object[$small] = $any
    del $var:object[$small]
except Exception as $new:error:
    report($that:error)
---
1 deep
try:
    with $object as $new:any:
        $block
        show($risky)
except Exception as $new:error:
    report($that:error)
---
1 deep
try:
    for $new:any in $object:
        $loop_block
except Exception as $new:error:
    report($that:error)
---
1 deep
try:
    $class.m9 = lambda self, a=$int: a
    show($object.m9())
except Exception as $new:error:
    report($that:error)
"""


class Classes:
    def __init__(self, writer, functions):
        self.writer = writer
        self.functions = functions
        self.names = []
        self.current = None
        self.special_methods = SPECIAL.strip("\n").split("\n---\n")
        if "generators" in writer.features:
            self.special_methods += ITERATION.strip("\n").split("\n---\n")
        writer.special.update({"class": self.class_name, "object": self.object, "object_name": self.object_name})

    def visible(self):
        return self.writer.readable("class") or ["Root"]

    def class_name(self, kind, depth):
        return self.current or self.writer.pick(self.visible())

    def object_name(self, kind, depth):
        names = self.writer.readable("object")
        return self.writer.pick(names) if names else "Root(5)"

    def object(self, kind, depth):
        names = self.writer.readable("object")
        if names and self.writer.chance(0.8):
            return self.writer.pick(names)
        name = self.writer.pick(self.visible())
        return f"{name}({self.writer.expression('int', min(depth, 1) - 1)})"

    def define(self, depth):
        writer, name = self.writer, self.writer.fresh("C")
        bases = self.bases()
        lines = [f"class {name}({', '.join(bases)}):"]
        if writer.chance(0.2):
            lines.append('    """A class of its own."""')
        outer, self.current = self.current, name
        try:
            lines += ["    " + line for part in self.members(depth) for line in part]
        finally:
            self.current = outer
        writer.scope.names[name] = "class"
        return lines if len(lines) > 1 else lines + ["    pass"]

    def bases(self):
        visible = self.visible()
        chosen = self.writer.random.sample(visible, min(len(visible), self.writer.pick([1, 1, 1, 2])))
        return chosen if chosen != ["Root"] or self.writer.chance(0.9) else ["Root", "Oops"]

    def members(self, depth):
        parts = []
        if self.writer.chance(0.4):
            parts.append(self.initialiser())
        for method in self.writer.random.sample(METHODS, self.writer.random.randint(0, 3)):
            parts.append(self.method(method, depth))
        for _ in range(self.writer.random.randint(0, 4)):
            parts.append(self.special_method())
        self.writer.random.shuffle(parts)
        return parts

    def special_method(self):
        lines = []
        for line in self.writer.pick(self.special_methods).split("\n"):
            indent = line[:len(line) - len(line.lstrip())]
            hidden, self.writer.scope = self.writer.scope, self.outermost()
            lines += [indent + text for text in self.writer.fill(line.strip(), 2).split("\n")]
            self.writer.scope = hidden
        return lines

    def outermost(self):
        scope = self.writer.scope
        while scope.parent:
            scope = scope.parent
        return scope

    def initialiser(self):
        writer = self.writer
        rest = writer.pick(["self.y = x", "self.z = [x]", "self.x += 1", "super().__setattr__('w', 2)", "type(self).counter += 1"])
        return [f"def __init__(self, x={writer.expression('int', 0)}, items=()):",
                f"    super().__init__(x, {writer.pick(['items', '[x, x]', 'list(items) + [1]'])})", f"    {rest}"]

    def method(self, name, depth):
        writer = self.writer
        signature = Signature("int", False)
        signature.parameters = [Parameter("a", "int", "", writer.expression("int", 0)),
                                Parameter("k", "int", "*" if writer.chance(0.5) else "", "3")]
        calls = [f"super().{name}(a)", "self.x", "len(self.items)", f"{self.current}.counter"]
        calls += [f"self.{lower}(a)" for lower in METHODS if lower < name]
        lines = [f"def {name}(self, {signature.text(writer)}):"]
        lines += self.functions.body(signature, depth - 1)
        lines[-1] = f"    return clip({writer.pick(calls)} + ({lines[-1].strip()[len('return '):]}))"
        return lines


class ClassRow:
    weight = 4

    def __init__(self, classes):
        self.classes = classes

    def fits(self, writer, depth):
        return depth > 1

    def write(self, writer, depth):
        return self.classes.define(depth - 1)
