"""Makes a program that differs smaller: fewer statements, then simpler expressions."""
import ast
import copy


def bodies(tree):
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody", "handlers"):
            items = getattr(node, field, None)
            if isinstance(items, list) and items:
                yield node, field


def cuts(tree):
    """Runs of statements that may be left out, long ones first: the body's number, start, length."""
    for index, (node, field) in enumerate(list(bodies(tree))):
        size = length = len(getattr(node, field))
        while length:
            for start in range(0, size, length):
                yield index, start, length
            length //= 2


def apply_cut(tree, index, start, length):
    node, field = list(bodies(tree))[index]
    items = getattr(node, field)
    del items[start:start + length]
    if not items and field == "body" and not isinstance(node, ast.Module):
        items.append(ast.Pass())
    return tree


def apply_unwrap(tree, index, start):
    """A statement with a body gives way to it."""
    node, field = list(bodies(tree))[index]
    items = getattr(node, field)
    inner = getattr(items[start], "body", None)
    if not isinstance(inner, list):
        return None
    items[start:start + 1] = inner
    return tree


def expression_places(tree):
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(getattr(value, "ctx", None), ast.Store):
                yield node, field, None, value
            elif isinstance(value, list):
                for i, item in enumerate(value):
                    if isinstance(item, ast.expr) and not isinstance(getattr(item, "ctx", None), ast.Store):
                        yield node, field, i, item


def simpler(value):
    children = [child for child in ast.iter_child_nodes(value) if isinstance(child, ast.expr)]
    constants = [] if isinstance(value, (ast.Constant, ast.Name)) else [ast.Constant(1), ast.Constant("a"), ast.List([], ast.Load())]
    if isinstance(value, ast.Name):
        constants = [ast.Constant(1)]
    return children + constants


def attempts(tree):
    for cut in list(cuts(tree)):
        yield lambda t, a=cut: apply_cut(t, *a)
        index, start, length = cut
        if length == 1:
            yield lambda t, a=(index, start): apply_unwrap(t, *a)
    for place, (_, _, _, value) in enumerate(list(expression_places(tree))):
        for choice in range(len(simpler(value))):
            yield lambda t, p=place, c=choice: replace_expression(t, p, c)
        for part in range(len(parts_of(value)[1])):
            yield lambda t, p=place, c=part: drop_part(t, p, c)


def replace_expression(tree, place, choice):
    node, field, i, value = list(expression_places(tree))[place]
    new = simpler(value)[choice]
    if i is None:
        setattr(node, field, new)
    else:
        getattr(node, field)[i] = new
    return tree


def parts_of(value):
    """The field that holds a row of parts, and the row."""
    for field in ("elts", "args", "values"):
        row = getattr(value, field, None)
        if isinstance(row, list):
            return field, row
    return None, []


def drop_part(tree, place, part):
    value = list(expression_places(tree))[place][3]
    field, row = parts_of(value)
    if field:
        del row[part]
        if field == "values" and hasattr(value, "keys"):
            del value.keys[part]
        return tree


def text_of(tree):
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def reduce(text, differs, budget=1500):
    """The smallest program found for which `differs(text)` still holds."""
    tree = ast.parse(text)
    if not differs(text_of(tree)):
        return text
    progress = True
    while progress and budget > 0:
        progress = False
        for attempt in attempts(tree):
            budget -= 1
            try:
                candidate = attempt(copy.deepcopy(tree))
                new = candidate and text_of(candidate)
                if new and new != text_of(tree) and differs(new):
                    tree, progress = ast.parse(new), True
                    break
            except Exception:  # not a program any more
                continue
            if budget <= 0:
                break
    return text_of(tree)
