"""Indexing: reads, writes, take, put and their kin."""
ALL = list("d?bBlLfeFD")
SHAPES = "3x4 3x4F 3x4T 3x4N 3x4S 3x4B 2x3x4 2x3x4T 2x3x4N 7 0x4 0-d 1 3x4R".split()
INDICES = """1|-1|9|0, 1|-1, -2|:|...|1:|::2|::-1|:, 1|:, ::2|..., 0|None|:, None|..., None|1, ...|[0, 2]|[0, 2], [1, 0]|[[0, 1], [2, 0]]|:, [0, 2]|[2, 0], :|[0, -1], 1:|[1, 1, 0]|[]|[True, False, True]|a > 0|a < 100|a > 100|:, [True, False, True, True]
np.array([0, 1])|np.array([0, 1], 'B')|np.array([-1, 0], 'b')|np.array([2, 1])[:, None]|np.array([2, 1])[:, None], [0, 3, 1]|np.array(1)|np.array(True)|True|False|np.int8(1)|np.array([1.0])|1.0|'x'|[0, 9]|(0, 1, 2)|(0, 1, 2, 3)|1:1|5:2:-1|-2:|:-9|::0|slice(1, None)|(slice(None), None, 0)|[0], :, [1]|:, [0], [1]|0, :, [1, 2]|[0, 1], None, [1, 2]|..., [0, 1], [2, 3]|np.array([], int)|(...,)|(..., ...)|np.ix_([0, 2], [1, 3])|np.nonzero(a > 0)|()|[True, False]|np.zeros((0, 4), bool)|(a > 0, 0)|[[True, False, True, True], [False] * 4, [True] * 4]|-1::-2|:, ::-2|1:3, 1:3|2:0:-1, 3:0:-2|None, :, None|[2, 1, 0], ::-1""".replace("\n", "|").split("|")
CALLS = """np.take(a, 1)|np.take(a, [0, 2])|np.take(a, [[0, 1], [2, 0]], axis=0)|np.take(a, [0, -1], axis=-1)|np.take(a, [0, 9], mode='clip')|np.take(a, [0, 99, -99], mode='wrap')|np.take(a, [0, 99])|np.take(a, [], axis=0)|np.take(a, [1], axis=3)|a.take([1, 2], axis=1)|a.take(np.array([2, 0], 'B'))|np.take(a, [0, 1], axis=0, out=np.zeros((2, 4)))|np.take(a, 1.5)|np.take(a, [True, False])
np.take_along_axis(a, np.argsort(a, axis=0, kind='stable'), 0)|np.take_along_axis(a, np.array([[0, 1]]), 1)|np.take_along_axis(a, np.array([0, 1]), None)|np.take_along_axis(a, np.array([[1.0]]), 0)|(np.put_along_axis(a, np.array([[0, 1, 2, 0]]), 9, 0), a)|(np.put_along_axis(a, np.array([[0], [1], [3]]), [[1], [2], [3]], axis=1), a)
(np.put(a, [0, 5], [7, 8]), a)|(np.put(a, [0, 50], 7, mode='clip'), a)|(np.put(a, [-13], 7, mode='wrap'), a)|(np.put(a, [99], 7), a)|(np.put(a, [], 3), a)|a.item(0)|a.item()|a.item(1, 2)|a.item((0, 1))|a.item(99)|np.unravel_index([1, 5, 7], a.shape)|np.unravel_index(99, a.shape)|np.unravel_index(3, a.shape, order='F')|np.ravel_multi_index(([0, 1], [2, 3]), (3, 4))|np.ravel_multi_index(([0, 9], [2, 3]), (3, 4), mode='clip')|np.ravel_multi_index(([0, 9], [2, 3]), (3, 4), mode='wrap', order='F')|np.ravel_multi_index(([0, 9], [2, 3]), (3, 4))
np.diag_indices_from(a)|np.tril_indices_from(a)|np.triu_indices_from(a, 1)|np.argwhere(a)|a.choose([a, a]) if a.dtype == bool else 0|[x for x in a][-1]|list(a)[0]|(lambda b: (b.__iadd__(1), a))(a[1:])|(lambda b: (b.fill(3), a))(a[..., ::2])|(lambda b: (operator.setitem(b, 0, 5), a))(a.T)|(lambda b: (b.sort(), a))(a[::-1])|(lambda v: (operator.setitem(v, slice(1, None), v[:-1]), v))(a)|(operator.setitem(a, slice(None), a[::-1]), a)|(operator.iadd(a, a.T), a) if a.ndim == 2 and a.shape[0] == a.shape[1] else 0|(operator.iadd(a[1:], a[:-1]), a)|(operator.imul(a[:-1], a[1:]), a)|(operator.isub(a, a[0]), a)|2 in a|a.__contains__(1)|np.ndindex(a.shape)|[i for i in np.ndindex(a.shape)][:2]|[i for i, x in np.ndenumerate(a)][-1]|[x for _, x in np.ndenumerate(a)][-1]|a[np.newaxis].shape|bool(a.any())|int(a.size)|(np.add.at(a, ([0, 0], [1, 1]), 2), a)|(np.add.at(a, [0, 1, 0], a[:1]), a)|(np.negative.at(a, [0, 0]), a)|(np.maximum.at(a, 0, 3), a)|(np.multiply.at(a, slice(0, 2), 2), a)|(np.add.at(a, a > 0, 1), a)""".replace("\n", "|").split("|")


def rows(row):
    for index in INDICES:
        row(f"a[{index}]", SHAPES, ALL)
        key = key_of(index)
        for value in ("9", "2.5", "a[:1]", "[1]", "[1, 2]"):
            row(f"(operator.setitem(a, {key}, {value}), a)", SHAPES if value == "9" else SHAPES[:4], ALL[::3], "a")
    for text in CALLS:
        row(text, SHAPES, ALL[::2])


def key_of(index):
    """An index as an argument: slices are written out."""
    if index.startswith("(") or ":" not in index:
        return f"({index})" if index != "()" else "()"
    parts = [part.strip() for part in split(index)]
    parts = ["slice(" + ", ".join(each or "None" for each in part.split(":")) + ")" if ":" in part and "(" not in part and "[:" not in part else part for part in parts]
    return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"


def split(index):
    """At the commas that are in no brackets."""
    parts, depth = [""], 0
    for c in index:
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return parts
