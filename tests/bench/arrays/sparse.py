# Sparse matrices: products, conversions, arithmetic and sums.
import sys

from harness import measure, np

if sys.argv[1] == "cupy":
    import cupyx.scipy.sparse as sparse
else:
    import scipy.sparse as sparse

state = np.random.RandomState(0)
for n, entries in ((1000, 10_000), (100_000, 1_000_000), (1_000_000, 10_000_000)):
    rows, columns = np.asarray(state.randint(0, n, entries)), np.asarray(state.randint(0, n, entries))
    coo = sparse.coo_matrix((np.asarray(state.rand(entries)), (rows, columns)), shape=(n, n))
    a = coo.tocsr()
    c = a.tocsc()
    x = np.asarray(state.rand(n))
    block = np.asarray(state.rand(n, 4))
    for name, operation in (
        ("A @ x", lambda: a @ x), ("A.T @ x", lambda: a.T @ x), ("csc @ x", lambda: c @ x), ("A @ B, 4 columns", lambda: a @ block),
        ("coo to csr", lambda: coo.tocsr().data), ("csr to csc", lambda: a.tocsc().data), ("A + A", lambda: (a + a).data),
        ("2 * A", lambda: (2 * a).data), ("A.T + A", lambda: (c.tocsr() + a).data), ("A.multiply(A)", lambda: a.multiply(a).data),
        ("sum(0)", lambda: a.sum(0)), ("sum(1)", lambda: a.sum(1)), ("A[:n // 2]", lambda: a[: n // 2].data),
        ("diagonal", lambda: a.diagonal()), ("A.power(2)", lambda: a.power(2).data),
    ):
        measure(name, entries, operation)
    if entries <= 1_000_000:
        measure("A @ A", entries, lambda: (a @ a).data)
