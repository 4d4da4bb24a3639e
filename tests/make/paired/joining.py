"""Joining: dtypes, orders, axes."""
SHAPES = "3x4,3x4 3x4F,3x4F 3x4T,3x4 3x4N,3x4S 2x4,3x4 3x2,3x4 4,4 4,3x4 , 0x4,3x4 0,4 2x3x4,2x3x4 2x3x4T,2x3x4F 4,".split()
CODES = "dd ll ?? fd ld BB bB FF ?l eF lL De".split()
TEXTS = """np.concatenate([a, b])|np.concatenate([a, b], axis=1)|np.concatenate([a, b], axis=-1)|np.concatenate([a, b], axis=None)|np.concatenate([a, b], dtype='f')|np.concatenate([a, b], dtype='i', casting='unsafe')|np.concatenate([a, b, a], out=np.zeros((9, 4)))|np.concat((a, b))|np.concatenate([a])|np.concatenate([])|np.concatenate([a, b], axis=3)
np.stack([a, b])|np.stack([a, b], axis=1)|np.stack([a, b], axis=-1)|np.stack([a, b], axis=5)|np.stack([a, b], dtype='f')|np.hstack([a, b])|np.vstack([a, b])|np.dstack([a, b])|np.column_stack([a, b])|np.vstack([a, b], dtype='f')
np.append(a, b)|np.append(a, b, axis=0)|np.append(a, b, axis=-1)|np.block([[a, b]])|np.block([[a], [b]])|np.block([a, 1])|np.r_[a, b]|np.c_[a, b]|np.r_['1', a, b]|np.r_[a, 1, 2]|np.array([a, b])|np.array([a, b], dtype='F')|np.broadcast_arrays(a, b)|np.meshgrid(a, b)|np.meshgrid(a, b, indexing='ij')|np.meshgrid(a, b, sparse=True)|np.meshgrid(a, b, copy=False)
np.where(a > 0, a, b)|np.where(True, a, b)|np.where(a, 1, b)|np.where(a, b, 2.5)|np.choose(a > 0, [a, b])|np.select([a > 0], [b], a)|np.array_equal(a, b)|np.array_equiv(a, b)|np.allclose(a, b)|np.isclose(a, b)|np.copyto(a, b)|(np.copyto(a, b), a)|(np.copyto(a, b, casting='unsafe'), a)|(np.copyto(a, b, where=a > 0), a)|np.broadcast_shapes(a.shape, b.shape)|np.result_type(a, b)|np.shares_memory(a, b)|np.kron(a, b)|np.maximum(a, b)|np.add(a, b)|np.multiply(a, b, order='F')|np.subtract(a, b, order='A')|np.power(a, 2) + b|np.hypot(a, b)|(operator.setitem(a, Ellipsis, b), a)|(operator.setitem(a, slice(0, 2), b), a)|(operator.setitem(a, a > 0, b), a)|np.fmax(a.T, b.T)|np.take_along_axis(a, np.argsort(b, axis=-1, kind='stable'), -1)|np.unstack(a)""".replace("\n", "|").split("|")


def rows(row):
    for text in TEXTS:
        row(text, SHAPES, CODES, "ab")
