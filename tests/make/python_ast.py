"""CPython's tree of a text in the format of gpy's grammar/dump.h, for comparison."""
import ast

OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.MatMult: "@", ast.Div: "/", ast.Mod: "%",
    ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitXor: "^",
    ast.BitAnd: "&", ast.FloorDiv: "//", ast.Invert: "~", ast.Not: "not", ast.UAdd: "+",
    ast.USub: "-", ast.And: "and", ast.Or: "or", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<",
    ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not", ast.In: "in",
    ast.NotIn: "not in",
}
CONTEXTS = {ast.Load: "", ast.Store: "Store", ast.Del: "Del"}


class Dumper:
    def __init__(self, source, positions=True):
        self.source = source
        self.lines = source.encode("utf-8", "surrogatepass").split(b"\n")
        self.positions = positions
        self.out = []
        self.depth = 0

    def dump(self, tree):
        if isinstance(tree, ast.Expression):
            self.out.append("Expression")
            self.depth = 1
            self.child("body", tree.body)
        else:
            self.out.append("Module")
            self.depth = 1
            self.block("body", tree.body)
        return "\n".join(self.out) + "\n"

    def column(self, line, offset):
        return len(self.lines[line - 1][:offset].decode("utf-8", "replace")) + 1

    def place(self, node):
        if not self.positions:
            return ""
        begin = self.column(node.lineno, node.col_offset)
        end = self.column(node.end_lineno, node.end_col_offset)
        return f" @{node.lineno}:{begin}-{node.end_lineno}:{end}"

    def line(self, label, text):
        self.out.append("  " * self.depth + (f"{label}: " if label else "") + text)

    def child(self, label, node):
        if node is None:
            return self.line(label, "None")
        kind = type(node).__name__
        scalars = self.scalars(node)
        self.line(label, kind + self.place(node) + (f" {scalars}" if scalars else ""))
        self.depth += 1
        getattr(self, "fields_" + kind, self.fields_plain)(node)
        self.depth -= 1

    def optional(self, label, node):
        if node is not None:
            self.child(label, node)

    def block(self, label, nodes):
        for node in nodes:
            self.child(label, node)

    # ---- what stands on the node's line ----

    def scalars(self, node):
        text = getattr(self, "scalars_" + type(node).__name__, lambda n: "")(node)
        context = CONTEXTS[type(node.ctx)] if hasattr(node, "ctx") else ""
        return f"{text} {context}".strip()

    def scalars_operator(self, node):
        return OPERATORS[type(node.op)]

    scalars_BoolOp = scalars_BinOp = scalars_UnaryOp = scalars_operator

    def scalars_Compare(self, node):
        return ", ".join(OPERATORS[type(op)] for op in node.ops)

    def scalars_Constant(self, node):
        value = node.value
        if isinstance(value, (str, bytes)):
            return quoted(value)
        if isinstance(value, float):
            return f"float {value:.17g}"
        if isinstance(value, complex):
            return f"imaginary {value.imag:.17g}"
        if isinstance(value, int) and not isinstance(value, bool) and value >= 2**63:
            return big_integer(ast.get_source_segment(self.source, node), value)
        return "..." if value is ... else str(value)

    def scalars_Attribute(self, node):
        return f".{node.attr}"

    def scalars_Name(self, node):
        return node.id

    def scalars_FormattedValue(self, node):
        return "" if node.conversion < 0 else f"!{chr(node.conversion)}"

    def scalars_definition(self, node):
        return node.name

    scalars_FunctionDef = scalars_ClassDef = scalars_definition

    def scalars_ExceptHandler(self, node):
        return node.name or ""

    def scalars_AugAssign(self, node):
        return OPERATORS[type(node.op)] + "="

    def scalars_AnnAssign(self, node):
        return "simple" if node.simple else ""

    def scalars_Import(self, node):
        return ", ".join(a.name + (f" as {a.asname}" if a.asname else "") for a in node.names)

    def scalars_ImportFrom(self, node):
        return "." * node.level + (node.module or "") + ": " + self.scalars_Import(node)

    def scalars_names(self, node):
        return ", ".join(node.names)

    scalars_Global = scalars_Nonlocal = scalars_names

    # ---- children, where their order or labels are not those of `ast` ----

    def fields_plain(self, node):
        for label, value in ast.iter_fields(node):
            if isinstance(value, ast.AST) and not isinstance(
                    value, (ast.operator, ast.boolop, ast.unaryop, ast.expr_context)):
                self.child(label, value)
            elif isinstance(value, list) and value and isinstance(value[0], ast.AST):
                for item in value:
                    self.child(label, item)

    def fields_Yield(self, node):
        self.child("value", node.value)

    def fields_Import(self, node):
        pass

    fields_ImportFrom = fields_Import

    def fields_Dict(self, node):
        for key, value in zip(node.keys, node.values):
            self.child("key", key)
            self.child("value", value)

    def clauses(self, generators):
        for clause in generators:
            self.child("for", clause.target)
            self.child("in", clause.iter)
            for test in clause.ifs:
                self.child("if", test)

    def fields_comprehension(self, node):
        self.child("elt", node.elt)
        self.clauses(node.generators)

    fields_ListComp = fields_SetComp = fields_GeneratorExp = fields_comprehension

    def fields_DictComp(self, node):
        self.child("key", node.key)
        self.child("value", node.value)
        self.clauses(node.generators)

    def fields_Compare(self, node):
        self.child("left", node.left)
        for right in node.comparators:
            self.child("right", right)

    def keywords(self, nodes):
        for keyword in nodes:
            self.child(f"{keyword.arg}=" if keyword.arg else "**", keyword.value)

    def fields_Call(self, node):
        self.child("func", node.func)
        self.block("args", node.args)
        self.keywords(node.keywords)

    def fields_With(self, node):
        for item in node.items:
            self.child("item", item.context_expr)
            self.optional("as", item.optional_vars)
        self.block("body", node.body)

    def fields_Try(self, node):
        self.block("body", node.body)
        self.block("handler", node.handlers)
        self.block("orelse", node.orelse)
        self.block("finalbody", node.finalbody)

    def parameter(self, label, arg, default):
        self.line(label, arg.arg + self.place(arg))
        self.depth += 1
        self.optional("annotation", arg.annotation)
        self.optional("default", default)
        self.depth -= 1

    def parameters(self, args):
        plain = args.posonlyargs + args.args
        defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults
        for i, (arg, default) in enumerate(zip(plain, defaults)):
            self.parameter("posonly" if i < len(args.posonlyargs) else "arg", arg, default)
        if args.vararg:
            self.parameter("vararg", args.vararg, None)
        for arg, default in zip(args.kwonlyargs, args.kw_defaults):
            self.parameter("kwonly", arg, default)
        if args.kwarg:
            self.parameter("kwarg", args.kwarg, None)

    def fields_Lambda(self, node):
        self.parameters(node.args)
        self.child("body", node.body)

    def fields_FunctionDef(self, node):
        self.block("decorator", node.decorator_list)
        self.parameters(node.args)
        self.optional("returns", node.returns)
        self.block("body", node.body)

    def fields_ClassDef(self, node):
        self.block("decorator", node.decorator_list)
        self.block("bases", node.bases)
        self.keywords(node.keywords)
        self.block("body", node.body)


def quoted(value):
    is_bytes = isinstance(value, bytes)
    data = value if is_bytes else value.encode("utf-8", "surrogatepass")
    out = bytearray(b'b"' if is_bytes else b'"')
    for byte in data:
        plain = byte >= 0x20 and byte != 0x7F and byte not in b'"\\' and (byte < 0x80 or not is_bytes)
        out += bytes([byte]) if plain else b"\\x%02x" % byte
    return (out + b'"').decode("utf-8", "surrogatepass")


def big_integer(text, value):
    return hex(value) if text[:2].lower() in ("0x", "0o", "0b") else str(value)


def has_formatted_strings(tree):
    return any(isinstance(node, ast.JoinedStr) for node in ast.walk(tree))


def dump(source, mode="exec", positions=None):
    """The dump, and whether it has positions (those of 3.11's f-strings are not comparable)."""
    tree = ast.parse(source, mode=mode)
    with_positions = not has_formatted_strings(tree) if positions is None else positions
    return Dumper(source, with_positions).dump(tree), with_positions
