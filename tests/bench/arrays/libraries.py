# What ends in a BLAS, a LAPACK or an FFT on both sides, and what is built on them.
from harness import measure, np

rng = np.random.RandomState(0)
for n in (10, 100, 1000):
    a = np.asarray(rng.uniform(0.0, 1.0, (n, n))) + n * np.eye(n)
    s = a + a.T
    b = np.asarray(rng.uniform(0.0, 1.0, n))
    f = a.astype(np.float32)
    for name, operation in (
        ("matmul", lambda: a @ a), ("matmul float32", lambda: f @ f), ("a @ b", lambda: a @ b),
        ("solve", lambda: np.linalg.solve(a, b)), ("inv", lambda: np.linalg.inv(a)), ("det", lambda: np.linalg.det(a)),
        ("cholesky", lambda: np.linalg.cholesky(s)), ("qr", lambda: np.linalg.qr(a)[1]), ("eigh", lambda: np.linalg.eigh(s)[0]),
        ("svd", lambda: np.linalg.svd(a)[1]), ("einsum ij,jk->ik", lambda: np.einsum("ij,jk->ik", a, a)),
        ("tensordot", lambda: np.tensordot(a, a, axes=1)), ("einsum ij,ij->", lambda: np.einsum("ij,ij->", a, a)),
        ("matrix_power 5", lambda: np.linalg.matrix_power(a, 5)),
    ):
        measure(name, n * n, operation, "library")
    if np.__name__ == "numpy":
        measure("lstsq", n * n, lambda: np.linalg.lstsq(a, b)[0], "library")
        measure("eig", n * n, lambda: np.linalg.eig(a)[0], "library")
for n in (1000, 100_000, 1_000_000, 999_983):
    x = np.asarray(rng.uniform(0.0, 1.0, n))
    z = x + 0j
    measure("fft", n, lambda: np.fft.fft(z), "library")
    measure("rfft", n, lambda: np.fft.rfft(x), "library")
    measure("ifft", n, lambda: np.fft.ifft(z), "library")
for n in (64, 1000):
    a = np.asarray(rng.uniform(0.0, 1.0, (n, n)))
    measure("fft2", n * n, lambda: np.fft.fft2(a), "library")
    measure("rfft2", n * n, lambda: np.fft.rfft2(a), "library")
    measure("fft axis 0", n * n, lambda: np.fft.fft(a, axis=0), "library")
stack = np.asarray(rng.uniform(0.0, 1.0, (1000, 8, 8))) + 8 * np.eye(8)
for name, operation in (
    ("matmul of 1,000 8x8", lambda: stack @ stack), ("inv of 1,000 8x8", lambda: np.linalg.inv(stack)),
    ("det of 1,000 8x8", lambda: np.linalg.det(stack)), ("solve of 1,000 8x8", lambda: np.linalg.solve(stack, stack)),
):
    measure(name, 64_000, operation, "library")
