"""Writes tests/lib/kin/NAME.gpy: every method of the builtin types and of NumPy's scalars, called by
its type on objects of the type, of classes over it, of its kin (numpy.float64 is a float) and of
others, and the functions that reach such methods. scripts/expect then adds what CPython and NumPy
give.

    python3 tests/make/kin_scripts.py && scripts/expect tests/lib/kin/*.gpy
"""
import os
import warnings

import numpy as np

warnings.simplefilter("ignore")
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "kin")

# What gpy leaves out (pickling, sizes, hooks of metaclasses), what shows addresses or texts of help,
# and what differs by design: a name says why.
LEFT_OUT = {
    "__class__", "__class_getitem__", "__doc__", "__getnewargs__", "__getstate__", "__init_subclass__",
    "__module__", "__new__", "__reduce__", "__reduce_ex__", "__reversed__", "__setattr__", "__delattr__",
    "__setstate__", "__sizeof__", "__subclasshook__", "__dir__", "__dict__", "__weakref__", "__init__",
    "__getattribute__", "__alloc__", "__getformat__", "__init__", "maketrans", "fromkeys", "from_bytes",
    "fromhex", "__class_getitem__", "__match_args__", "__array_interface__", "__array_struct__",
    "__array_priority__", "__array_wrap__", "__buffer__", "__release_buffer__", "__copy__",
    "__deepcopy__", "__array_finalize__", "__array_namespace__", "__hash__", "__bytes__", "__rmod__",
    "__setitem__", "format", "format_map",
}

PREAMBLE = '''\
import collections
import numpy as np


class Int(int): pass
class Text(str): pass
class Row(list): pass
class Pair(tuple): pass
class Table(dict): pass
class Few(set): pass
class Fixed(frozenset): pass
class Own: pass


def text(value):
    if value is NotImplemented:
        return "NotImplemented"
    shown = repr(value).replace("\\n", "")
    name = type(value).__name__
    if name.endswith("iterator"):
        return "iterator"
    return name + (" " + shown if "0x" not in shown else "")


def said(call, *arguments):
    try:
        return text(call(*arguments))
    except Exception as error:
        return type(error).__name__ + ": " + str(error)


'''

CALLS = '''\
def show(owner, name, *rest):
    told = [said(lambda: getattr(owner, name)(make(), *rest)) for make in SELVES]
    return " | ".join([name, *told])


def change(owner, name, *rest):
    told = []
    for make in SELVES:
        self = make()
        told.append(said(lambda: getattr(owner, name)(self, *rest)) + " -> " + text(self))
    return " | ".join([name, *told])


def refuse(owner, names):
    """The messages, each with the names of the methods that gave it."""
    told = {}
    for name in names.split():
        for make in OTHERS:
            other = make()
            message = said(lambda: getattr(owner, name)(other))
            home = message.split("'")[3] if message.startswith("TypeError: descriptor '") else ""
            if type(other).__name__ in message and home:
                message = "refused by " + home
            told.setdefault(message, {})[name] = True
    few = {message: " ".join(told[message]) if len(told[message]) < 9 else "" for message in told}
    return "\\n".join(f"{message} {len(told[message])} {few[message]}" for message in sorted(told))


def read(owner, name):
    """An attribute that is computed, of its kin and of others."""
    class Holder: pass
    setattr(Holder, name, owner.__dict__[name])
    told = [said(lambda: getattr(make(), name)) for make in SELVES]
    return " | ".join([name, *told, said(lambda: getattr(Holder(), name))])


'''

# owner: (objects of it, of classes over it and of its kin; others; arguments to try)
OWNERS = {
    "int": ("5; -7; True; Int(5); Int(-2**70)", "1.5; np.int64(5); 'a'; Own()", "3; 2.5; Int(2); 'd'"),
    "bool": ("True; False", "1.5; np.bool_(True); Own()", "True; 2; 'd'"),
    "float": ("31.25; -0.5; np.float64(31.25); np.float64(4)",
              "3; True; np.float32(2); np.int64(2); 1j; Own()", "2; 2.5; '.1f'; np.float64(2)"),
    "complex": ("3+4j; np.complex128(3+4j)", "3.5; np.complex64(1); np.float64(1); Own()", "2; 1j; '.1f'"),
    "str": ("'aB c'; Text('aB c')", "b'a'; 3; ['a']; Own()",
            "'B'; 8; ('x',); ['x', 'y']; {97: 'x'}; ('a', 'b')"),
    "bytes": ("b'aB c'", "'a'; bytearray(b'a'); 3; Own()", "b'B'; 8; (1,); [b'x', b'y']; (b'a', b'b')"),
    "bytearray": ("bytearray(b'aB')", "b'a'; 'a'; Own()", "b'B'; 1; (1, 98); [b'x', b'y']; (b'a', b'b')"),
    "list": ("[3, 1, 2]; Row([3, 1, 2])",
             "(1,); {}; np.arange(3); range(3); collections.deque([1]); Own()", "1; [7]; (1, 9)"),
    "tuple": ("(3, 1, 2); Pair((3, 1, 2))", "[1]; 'a'; range(3); np.arange(3); Own()", "1; (7,); [7]"),
    "dict": ("{1: 2}; Table({1: 2}); collections.defaultdict(int, {1: 2}); collections.Counter({1: 2})",
             "[]; {1}; 'a'; Own()", "1; {3: 4}; (1, 5)"),
    "set": ("{1, 2}; Few({1, 2})", "frozenset({1}); [1]; {1: 2}; {1: 2}.keys(); Own()", "1; {2, 3}; [2]"),
    "frozenset": ("frozenset({1, 2}); Fixed({1, 2})", "{1}; [1]; {1: 2}.keys(); Own()", "1; {2, 3}; [2]"),
    "range": ("range(3); range(2**65, 2**65 + 3)", "[0]; slice(3); np.arange(3); Own()", "1; slice(2)"),
    "slice": ("slice(1, 5, 2)", "range(3); 3; Own()", "4; slice(1)"),
}
NUMBERS = {int, bool, float, complex}
MUTABLE = {"bytearray", "list", "dict", "set"}
DTYPES = "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()


def say(lines, name):
    with open(os.path.join(FOLDER, name + ".gpy"), "w", encoding="utf-8") as file:
        file.write("# Written by tests/make/kin_scripts.py.\n" + "".join(lines))


def makers(texts):
    return "[" + ", ".join("lambda: " + text for text in texts) + "]"


WORLD = {}
exec(PREAMBLE, WORLD)


def value(text):
    return eval(text, WORLD)


ARITY = ("takes", "expected", "argument", "arguments", "missing")


def rests_of(owner, name, self, arguments):
    """The arguments after self that are worth a line: all that the method takes at all."""
    found = []
    for rest in [""] + arguments:
        given = value("(" + rest + ",)") if rest else ()
        if rest.startswith("("):
            given = value(rest)
        try:
            getattr(owner, name)(value(self), *given)
            found.append(rest)
        except TypeError as error:
            is_repeat = name in ("__mul__", "__rmul__", "__imul__") and owner not in NUMBERS
            if not is_repeat and not any(word in str(error) for word in ARITY):
                found.append(rest)
        except Exception:
            found.append(rest)
    return found[:3]


def is_computed(owner, name):
    return type(getattr(owner, name)).__name__ in ("getset_descriptor", "member_descriptor")


def call_line(function, owner, name, rest):
    inner = rest[1:-1].rstrip(",") if rest.startswith("(") else rest
    return f"print({function}({owner}, \"{name}\"{', ' + inner if inner else ''}))\n"


def names_of(owner):
    # What a class over str gives where nothing is formatted is CPython's own affair.
    own = {"__mod__", "__format__"} if owner is str else set()
    return [name for name in dir(owner) if name not in LEFT_OUT | own]


def owner_script(owner, selves, others, arguments):
    type_ = value(owner)
    selves, others, arguments = selves.split("; "), others.split("; "), arguments.split("; ")
    lines = [PREAMBLE, CALLS, f"SELVES = {makers(selves)}\n", f"OTHERS = {makers(others)}\n"]
    called = []
    for name in names_of(type_):
        if is_computed(type_, name):
            if name in type_.__dict__:
                lines.append(f"print(read({owner}, \"{name}\"))\n")
            continue
        if not callable(getattr(type_, name)):
            continue
        called += [name] if name != "__str__" else []
        for rest in rests_of(type_, name, selves[0], arguments):
            lines.append(call_line("change" if owner in MUTABLE else "show", owner, name, rest))
    lines.append(f'print(refuse({owner}, """{" ".join(called)}"""))\n')
    say(lines, owner)


SCALAR_CALLS = '''\
def show(name, *rest):
    return " | ".join([name, *(said(getattr(type(self), name), self, *rest) for self in SELVES)])


def read(name):
    return " | ".join([name, *(said(getattr, self, name) for self in SELVES)])


'''

# What NumPy's scalars have for arrays that gpy's have not, or that shows where memory lies.
SCALAR_LEFT_OUT = {
    "byteswap", "choose", "compress", "data", "device", "dump", "dumps", "flags", "getfield", "resize",
    "setfield", "setflags", "to_device", "tofile", "base", "flat", "newbyteorder", "tobytes", "view",
    "dtype", "__array__", "ctypes", "partition", "argpartition", "put", "sort", "itemset", "fill",
    "searchsorted", "swapaxes", "diagonal", "trace", "nonzero", "choose", "strides", "tostring", "take",
    "astype", "repeat",
}
# Other texts, or other types of errors, of what is refused.
DIFFERENT = {("bool_", "__pos__"), ("bool_", "clip"), ("bool_", "round")}
SCALAR_ARGUMENTS = ["np.int8(3)", "2.5"]


def scalar_script(dtype):
    type_ = getattr(np, dtype)
    selves = {"b": ["True", "False"], "c": ["3+4j", "0"], "f": ["2.5", "-4", "0"]}.get(
        np.dtype(type_).kind, ["5", "0", "100"])
    selves = [f"np.{dtype}({each})" for each in selves]
    lines = [PREAMBLE, SCALAR_CALLS, f"SELVES = [{', '.join(selves)}]\n"]
    for name in names_of(type_):
        if name in SCALAR_LEFT_OUT or (dtype, name) in DIFFERENT:
            continue
        if not callable(getattr(type_, name)):
            lines.append(f"print(read(\"{name}\"))\n")
            continue
        for rest in rests_of(type_, name, selves[0], SCALAR_ARGUMENTS)[:1]:
            lines.append(f"print(show(\"{name}\"{', ' + rest if rest else ''}))\n")
    say(lines, "numpy_" + dtype.rstrip("_"))


KIN = ("np.float64(0.5) np.float32(2) np.int64(3) np.bool_(True) np.complex128(1) np.array(3) "
       "np.array([1,2]) True Int(3) Text('3') None Own()").split()
BUILTINS = {
    "": "abs ascii bin bool bytes callable chr complex float format hashed hex int len oct ord repr round str "
        "sum sorted tuple list set iter reversed range slice bytearray all any max min",
    "2": "divmod pow round format int complex isinstance_numbers range",
    "np.float64(2)": "divmod pow round complex",
}
OPERATOR = {
    "": "abs index inv invert neg not_ pos truth",
    "2": "add and_ floordiv lshift mod mul or_ pow rshift sub truediv xor eq lt concat contains getitem "
         "is_ countOf indexOf",
    "np.float64(2)": "add floordiv mul pow sub truediv eq ge",
    "(1, 2)": "add mul iadd eq concat",
}

FUNCTION_CALLS = '''\
def kind(call, *arguments):
    """The result, or the kind of error: their texts name types in other ways."""
    try:
        return text(call(*arguments))
    except Exception as error:
        kinds = (TypeError, ValueError, OverflowError, ZeroDivisionError, IndexError)
        return next((each.__name__ for each in kinds if isinstance(error, each)), type(error).__name__)


def show(function, *rest):
    told = []
    for make in KIN:
        told.append(kind(function, make(), *rest))
        if rest:
            told.append(kind(function, *rest, make()))
    return " | ".join([function.__name__, *told])


def hashed(value):
    return hash(value) if isinstance(value, (int, float, complex, np.generic)) else None


def isinstance_numbers(value, two):
    return isinstance(value, float), isinstance(value, int), isinstance(value, complex)


'''


def function_script(name, imports, functions):
    lines = [PREAMBLE, imports, FUNCTION_CALLS, f"KIN = {makers(KIN)}\n"]
    for rest, names in functions.items():
        for each in names.split():
            lines.append(f"print(show({each}{', ' + rest if rest else ''}))\n")
    say(lines, name)


def math_script():
    import math
    names = [name for name in dir(math) if not name.startswith("_") and callable(getattr(math, name))]
    one, two = [], []
    for name in names:
        for count, found in ((1, one), (2, two)):
            try:
                getattr(math, name)(*[1] * count)
                found.append("math." + name)
                break
            except TypeError:
                pass
            except ValueError:
                found.append("math." + name)
                break
    # The C library's differ in the last place.
    one = [each for each in one if each not in ("math.gamma", "math.lgamma")]
    two = [each for each in two if each not in ("math.dist", "math.sumprod")]
    function_script("functions_math", "import math\n\n\n", {"": " ".join(one), "2": " ".join(two)})


def main():
    os.makedirs(FOLDER, exist_ok=True)
    for owner, row in OWNERS.items():
        owner_script(owner, *row)
    for dtype in DTYPES:
        scalar_script(dtype)
    math_script()
    function_script("functions_builtin", "", BUILTINS)
    function_script("functions_operator", "import operator\n\n\n", {
        rest: " ".join("operator." + name for name in names.split()) for rest, names in OPERATOR.items()})


if __name__ == "__main__":
    main()
