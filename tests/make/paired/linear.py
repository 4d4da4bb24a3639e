"""numpy.linalg on small matrices; what is unique but for signs is asked in a form that is unique."""
SHAPES = "3x3 3x3F 3x3T 3x3N 1x1 0x0 2x3x3 3x4 4 0-d 2x0x0 7x7".split()
CODES = "d f l D F ? B e".split()
TEXTS = """det(m)|slogdet(m)|inv(m)|solve(m, m)|solve(m, m[..., 0])|solve(m, np.ones(3))|matrix_power(m, 3)|matrix_power(m, 0)|matrix_power(m, -2)|cond(m)|cond(m, 1)|cond(m, 'fro')|norm(m)|norm(m, 1)|norm(m, -1)|norm(m, 2)|norm(m, np.inf)|norm(m, 'nuc')|norm(m, 'fro')|norm(m, axis=0)|norm(m, axis=-1, keepdims=True)|norm(m, 0, axis=0)|norm(m, 3, axis=0)|norm(m, -np.inf, axis=1)|norm(m, ord=2, axis=(0, 1))|norm(m, 5)|matrix_norm(m)|vector_norm(m)|vector_norm(m, axis=0, ord=1)
svdvals(m)|svd(m, compute_uv=False)|eigvalsh(m + np.swapaxes(m, -1, -2).conj())|np.linalg.matrix_rank(m)|matrix_rank(m, tol=0.1)|pinv(m)|cholesky(m @ np.swapaxes(m, -1, -2).conj())|cholesky(m @ np.swapaxes(m, -1, -2).conj(), upper=True)|np.abs(np.linalg.qr(m)[1])|np.abs(np.linalg.qr(m, mode='r'))|qr(m, mode='complete')[0].shape|qr(m)[0] @ np.linalg.qr(m)[1]|np.sort_complex(np.linalg.eigvals(m + np.swapaxes(m, -1, -2).conj()).ravel().round(3))|lstsq(m, np.ones(3))[0]|lstsq(m, np.ones((3, 2)))[2]|tensorsolve(m, np.ones(m.shape[:1]))|tensorinv(m, 1)|trace(m)|diagonal(m)|matrix_transpose(m)|eigh(m + np.swapaxes(m, -1, -2).conj())[0]|svd(m)[1]|svd(m, full_matrices=False)[0].shape|type(np.linalg.svd(m)).__name__|type(np.linalg.eigh(m)).__name__|type(np.linalg.slogdet(m)).__name__|type(np.linalg.qr(m)).__name__|inv(np.zeros((2, 2)))|solve(np.zeros((2, 2)), [1, 2])|cholesky(-np.eye(3))|det(m[0])""".replace("\n", "|").split("|")


def rows(row):
    for text in TEXTS:
        text = text if text.startswith(("np.", "type(")) else "np.linalg." + text
        big = "np.linalg." in text and "m)" in text
        for m in ("a + 7 * np.eye(*a.shape[-2:])" if big else "a",) if "norm" not in text else ("a",):
            row(f"(lambda m: {text})({m})" if m != "a" else text.replace("(m", "(a").replace(", m", ", a").replace("m +", "a +").replace("m @", "a @").replace("m.shape", "a.shape"), SHAPES, CODES, "a", "", 20000)
