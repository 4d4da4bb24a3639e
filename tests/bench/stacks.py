# Stacks of matrices, and sums of products by subscripts.
from harness import measure, np


def matrices(count, n, dtype=np.float64):
    a = (np.arange(count * n * n) * 7919 % 1009 / 1009).reshape(count, n, n).astype(dtype)
    return a @ a.transpose(0, 2, 1) + n * np.eye(n, dtype=dtype)


for count, n in (10000, 8), (1000, 32), (100, 100), (16, 512):
    a = matrices(count, n)
    right = a[:, :, :2].copy()
    case = f"{count} of {n} x {n}"
    measure(f"solve, {case}", lambda: np.linalg.solve(a, right))
    measure(f"inv, {case}", lambda: np.linalg.inv(a))
    measure(f"det, {case}", lambda: np.linalg.det(a))
    measure(f"cholesky, {case}", lambda: np.linalg.cholesky(a))
    measure(f"qr, {case}", lambda: np.linalg.qr(a)[0])
    if n <= 32:
        measure(f"svd, {case}", lambda: np.linalg.svd(a, full_matrices=False)[1])

stacks = np.ones((100, 100, 3, 3))
measure("matmul, 100 x 100 of 3 x 3", lambda: stacks @ stacks)
b = matrices(64, 128, np.float32)
m = matrices(1, 1000)[0]
d = matrices(900, 30).reshape(30, 30, 30, 30)
measure("einsum bij,bjk->bik", lambda: np.einsum("bij,bjk->bik", b, b))
measure("einsum ij,kj->ik", lambda: np.einsum("ij,kj->ik", m, m))
measure("einsum bij,bij->b", lambda: np.einsum("bij,bij->b", b, b))
measure("einsum ijkl,klmn->ijmn", lambda: np.einsum("ijkl,klmn->ijmn", d, d))
measure("einsum ijkl,jmln->imkn", lambda: np.einsum("ijkl,jmln->imkn", d, d))
measure("tensordot over 2 axes", lambda: np.tensordot(d, d, 2))
