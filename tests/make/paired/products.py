"""Products of vectors, matrices and stacks."""
PAIRS = "3x4,4x3 3x4F,4x3T 3x4N,4x3S 4,4 3x4,4 4,4x3 , ,4 2x3x4,4x3 2x3x4,2x4x3 2x3x4T,2x4x3N 0x4,4x0 3x0,0x3 3x4,3x4 1x1,1x1 8x9,9x7 2x3x4,4".split()
CODES = "dd ff ll ?? ee FF DD dl fd bb BB Bb Ff lL hi".split()
TEXTS = """np.dot(a, b)|a.dot(b)|np.matmul(a, b)|a @ b|np.inner(a, b)|np.outer(a, b)|np.vdot(a, b)|np.tensordot(a, b, 1)|np.tensordot(a, b, 0)|np.tensordot(a, b, ([0], [1]))|np.tensordot(a, b, axes=([0, 1], [1, 0]))|np.kron(a, b)|np.linalg.multi_dot([a, b])|np.vecdot(a, b)|np.matvec(a, b)|np.vecmat(b, a)|np.linalg.matmul(a, b)|np.linalg.outer(a, b)|np.linalg.vecdot(a, b)|np.linalg.tensordot(a, b, axes=1)
np.einsum('ij,jk->ik', a, b)|np.einsum('ij,jk', a, b)|np.einsum('ij,jk->', a, b)|np.einsum('ij,ji->i', a, b)|np.einsum('i,i', a, b)|np.einsum('...j,j', a, b)|np.einsum('ij->ji', a)|np.einsum('ij->i', a)|np.einsum('ij,jk->kij', a, b)|np.einsum('i,j->ij', a, b)|np.einsum('ij,jk->ik', a, b, optimize=True)|np.einsum('...ij,jk->...ik', a, b)|np.einsum('ij,kj->ik', a, b)|np.einsum(a, [0, 1], b, [1, 2])|np.einsum('ij,jk->ik', a, b, dtype='D')
np.dot(a, 2)|np.matmul(a, b, out=np.zeros((3, 3)))|np.dot(a, b, out=np.zeros((3, 3)))|np.matmul(a, b, dtype='f')|np.matmul(a, 2)|a @ [1, 2, 3, 4]|np.cross(a, b)|np.cross(a[..., :3], b.T[..., :3])|np.linalg.cross(a[..., :3], a[..., :3] + 1)|np.inner(a, b.T)|np.matmul(a, b, axes=[(-2, -1), (-2, -1), (-1, -2)])|np.matmul(b, a)|np.dot(b, a)|a.T @ b.T|a.T.dot(b.T)|np.vecdot(a, b.T)|np.vecdot(a, a)|np.matmul(a[::-1], b)|np.dot(a[:, ::-1], b)|np.convolve(a, b)|np.add.outer(a, b)|np.multiply.outer(a, b)""".replace("\n", "|").split("|")


def rows(row):
    for text in TEXTS:
        # An outer product by BLAS: the machine's kernels decide the sign of zeros.
        options = "order unsigned" if text == "np.tensordot(a, b, 0)" else "order"
        row(text, PAIRS, CODES, "ab", options, 64)
