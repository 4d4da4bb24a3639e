"""Shapes: views and copies, orders in memory."""
ALL = list("d?lBfD")
SHAPES = "3x4 0-d 1 6 3x4F 3x4T 3x4N 3x4S 3x4B 0 0x4 2x3x4 2x3x4F 2x3x4T 2x3x4N 1x3x1 3x4R 2x1x3x2T".split()
TEXTS = """a.reshape(-1)|a.reshape(4, 3)|a.reshape(2, -1)|a.reshape((3, 4), order='F')|a.reshape(-1, order='A')|a.reshape(12, order='F')|np.reshape(a, (2, 6), order='A')
np.reshape(a, (12,), copy=False)|np.reshape(a, (4, 3), copy=True)|a.reshape(1, 3, 4, 1)|a.reshape(())|a.reshape(5, -1)|a.reshape(-1, -1)
a.ravel()|a.ravel('F')|a.ravel('A')|a.ravel('K')|np.ravel(a)|np.ravel(a, 'F')|a.flatten()|a.flatten('F')|a.flatten('A')|a.flatten('K')
a.T|a.mT|a.transpose()|np.transpose(a)|np.transpose(a, (1, 0))|a.transpose(1, 0)|np.transpose(a, (2, 0, 1))|np.transpose(a, (-1, 0))|np.matrix_transpose(a)|np.permute_dims(a, (1, 0))|np.transpose(a, (0, 0))
np.swapaxes(a, 0, 1)|a.swapaxes(0, -1)|np.moveaxis(a, 0, -1)|np.moveaxis(a, [0, 1], [1, 0])|np.moveaxis(a, 0, 5)|np.rollaxis(a, 1)|np.rollaxis(a, 2)|np.rollaxis(a, 0, 2)
np.squeeze(a)|a.squeeze()|np.squeeze(a, 0)|np.squeeze(a, axis=(0, 2))|np.squeeze(a, axis=())|np.expand_dims(a, 0)|np.expand_dims(a, (0, 2))|np.expand_dims(a, -1)|np.expand_dims(a, 7)
np.atleast_1d(a)|np.atleast_2d(a)|np.atleast_3d(a)|np.broadcast_to(a, (2, 3, 4))|np.broadcast_to(a, (3, 4))|np.broadcast_to(a, (1,))|np.broadcast_arrays(a, np.zeros((2, 1, 1)))
np.flip(a)|np.flip(a, 0)|np.flip(a, (0, 1))|np.flip(a, -1)|np.flip(a, 4)|np.fliplr(a)|np.flipud(a)|np.rot90(a)|np.rot90(a, 2)|np.rot90(a, -1)|np.rot90(a, axes=(1, 0))|np.rot90(a, 4)
np.roll(a, 1)|np.roll(a, -2, axis=0)|np.roll(a, (1, 2), axis=(0, 1))|np.roll(a, 3, axis=-1)|np.roll(a, 1, axis=(0, 1))|np.roll(a, (1, 2), axis=0)
np.repeat(a, 2)|np.repeat(a, 2, axis=0)|np.repeat(a, [1, 0, 2], axis=0)|a.repeat(3, axis=-1)|np.repeat(a, 0)|np.repeat(a, [2], axis=0)|np.repeat(a, -1)|np.tile(a, 2)|np.tile(a, (2, 1))|np.tile(a, (2, 1, 2))|np.tile(a, 0)|np.tile(a, ())
np.diag(a)|np.diag(a, 1)|np.diag(a, -2)|np.diagonal(a)|np.diagonal(a, 1)|a.diagonal(-1)|np.diagonal(a, axis1=1, axis2=0)|np.diagonal(a, 0, 0, 2)|np.diagflat(a)|np.diagflat(a, -1)|np.trace(a)|np.trace(a, 1)|np.trace(a, dtype='f')|np.trace(a, axis1=-1, axis2=0)|np.diag(a, 9)|np.trace(a, -9)
np.tril(a)|np.triu(a)|np.tril(a, 1)|np.triu(a, -1)|np.tril(a, -9)|np.triu(a, 9)|np.vander(a)|np.vander(a, 3, increasing=True)
np.ascontiguousarray(a)|np.asfortranarray(a)|np.asarray(a)|np.asarray(a, order='F')|np.asarray(a, order='C')|np.asarray(a, copy=True)|np.asarray(a, copy=False)|np.array(a)|np.array(a, copy=False)|np.array(a, ndmin=3)|np.array(a, ndmin=3, order='F')|np.array([a, a])|np.array([a, a], order='F')|np.array((a, a), dtype='f')|np.copy(a)|np.copy(a, order='C')|np.copy(a, order='F')|a.copy()|np.require(a, requirements='F')|np.require(a, 'f', 'CW')
np.zeros_like(a)|np.ones_like(a)|np.full_like(a, 3)|np.empty_like(a).shape|np.ones_like(a, dtype='b')|np.ones_like(a, shape=(2, 2))|np.ones_like(a, order='F')|np.full_like(a, [1, 2, 3, 4])
np.resize(a, (2, 3))|np.resize(a, 5)|np.resize(a, (3, 5))|np.resize(a, ())|np.append(a, 1)|np.append(a, a)|np.append(a, a, axis=0)|np.append(a, [[1, 2, 3, 4]], axis=0)|np.delete(a, 1)|np.delete(a, 1, axis=0)|np.delete(a, [0, 2], axis=1)|np.delete(a, slice(None, None, 2), axis=-1)|np.delete(a, -1)|np.delete(a, [])|np.delete(a, [True, False, True], axis=0)|np.delete(a, 9)
np.insert(a, 1, 9)|np.insert(a, 1, 9, axis=0)|np.insert(a, [0, 2], [7, 8])|np.insert(a, [0, 2], 7, axis=1)|np.insert(a, -1, 5, axis=-1)|np.insert(a, slice(0, 2), 3, axis=0)|np.insert(a, 0, [1, 2, 3], axis=1)|np.insert(a, 9, 1, axis=0)
np.split(a, 3)|np.split(a, 2, axis=-1)|np.split(a, [1, 2])|np.split(a, [1, 5], axis=1)|np.array_split(a, 2)|np.array_split(a, 5, axis=-1)|np.hsplit(a, 2)|np.vsplit(a, 3)|np.dsplit(a, 2)|np.split(a, 0)|np.split(a, [])|np.unstack(a)|np.unstack(a, axis=1)
np.pad(a, 1)|np.pad(a, (1, 2))|np.pad(a, ((1, 0), (0, 2)))|np.pad(a, 2, 'edge')|np.pad(a, 2, 'reflect')|np.pad(a, 2, 'symmetric')|np.pad(a, 2, 'wrap')|np.pad(a, 1, 'linear_ramp', end_values=3)|np.pad(a, 1, 'mean')|np.pad(a, 1, 'maximum')|np.pad(a, 1, 'minimum', stat_length=2)|np.pad(a, 1, 'median')|np.pad(a, 1, constant_values=((7, 8),))|np.pad(a, 2, 'reflect', reflect_type='odd')|np.pad(a, 0)|np.pad(a, -1)|np.pad(a, 1, 'odd')
np.trim_zeros(a)|np.trim_zeros(a, 'f')|np.ndim(a)|np.size(a)|np.size(a, 0)|np.size(a, 1)|np.shape(a)|a.size|a.ndim|len(a)|a.strides|a.flags.owndata|a.flags.c_contiguous|a.flags.f_contiguous|np.isfortran(a)|a.base is None|list(a.flat)[:3]|a.flat[1]|a.flat[::2]|(operator.setitem(a.flat, slice(0, 3), 7), a)|(setattr(a, 'shape', (4, 3)), a)|(setattr(a, 'real', 3), a)|(a.resize((2, 2), refcheck=False), a)|(a.resize((4, 4), refcheck=False), a)
np.lib.stride_tricks.sliding_window_view(a, 2, axis=0)|np.lib.stride_tricks.sliding_window_view(a, (2, 2))|np.apply_along_axis(np.sum, 0, a)|np.apply_along_axis(lambda x: x[::-1], -1, a)|np.apply_along_axis(lambda x: np.diag(x), 0, a)|np.apply_over_axes(np.sum, a, [0])|np.apply_over_axes(np.sum, a, [0, 1])|np.nan_to_num(a)|np.real(a)|np.imag(a)|a.real|a.imag|np.packbits(a)|np.packbits(a, axis=0)|np.unpackbits(a)|np.unpackbits(a, axis=0, count=3)|np.unpackbits(a, axis=-1, bitorder='little')|np.argwhere(a > 1)|np.ix_(a)|np.block([[a, a], [a, a]])|np.block([a, a])|np.kron(a, [1, 2])|np.rot90(a, 1, (0, 2))|np.array_equal(a, a)|np.array_equiv(a, a[:1])
np.round(a, 1)|np.round(a)|np.round(a, -1)|a.round()|np.clip(a, -1, 1)|a.clip(0)|a.clip(max=1)|np.clip(a, [0, 1, 2, 3], 2)|np.clip(a, 2, 1)|np.clip(a, None, None)|np.clip(a, 0, 1, out=np.zeros((3, 4)))|np.fix(a)|np.sinc(a)|np.angle(a)|np.angle(a, deg=True)|np.i0(a)|np.real_if_close(a)|np.isreal(a)|np.isclose(a, 1)|np.nan_to_num(a, copy=False)|np.isposinf(a)|np.iscomplex(a)|np.astype(a, 'f')|np.positive(a[::-1])|a[::-1] + a|a.T + a.T|a.T + a|a[..., None] * a|np.add(a, a, order='K')|np.where(a > 0, a, -1)|np.where(a.T > 0, a.T, -1)""".replace("\n", "|").split("|")

# Functions whose results lie in C's order or as their operands do, which NumPy leaves open.
OPEN = tuple("""np.roll( np.tile( np.repeat( np.trace( np.append( np.delete( np.insert( np.pad( np.apply np.unpackbits( np.packbits( np.argwhere(
np.block( np.kron( np.nan_to_num( np.iscomplex( np.imag( a.imag np.broadcast_arrays( a.trace( np.resize( np.lib np.split( np.round(""".split())


def rows(row):
    for text in TEXTS:
        row(text, SHAPES, ALL, "a", "view" if text.startswith(OPEN) else "order")
