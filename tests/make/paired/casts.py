"""Casts of every dtype to every other, of special values too; promotion."""
ALL = "?bhilBHILefdFD"


def rows(row):
    for code in ALL:
        for text in (f"a.astype('{code}')", f"a[:1].astype('{code}')[0]"):
            row(text, ["7"], list(ALL), "a")
            row(text, ["14"], list(ALL), "s")
        row(f"a.astype('{code}', casting='same_kind')", ["3x4F"], list(ALL))
        row(f"a.astype('{code}', casting='safe', copy=False)", ["3x4T"], list(ALL))
        row(f"np.array(a, '{code}')", ["3x4T"], list(ALL))
        row(f"np.asarray(a, dtype='{code}')", ["3x4"], list(ALL))
        row(f"np.can_cast(a.dtype, '{code}')", ["1"], list(ALL))
        row(f"np.can_cast(a.dtype, '{code}', 'same_kind')", ["1"], list(ALL))
        row(f"np.promote_types(a.dtype, '{code}')", ["1"], list(ALL))
        row(f"np.result_type(a, np.dtype('{code}'))", ["1"], list(ALL))
        row(f"np.add(a, np.ones(1, '{code}')[0])", ["3"], list(ALL))
        row(f"np.dtype('{code}').type(a[0])", ["3"], list(ALL))
    for scalar in ("1", "-1", "300", "2.5", "1e300", "1j", "True", "2**40", "2**63", "float('nan')", "-2**70"):
        row(f"np.result_type(a, {scalar})", ["1"], list(ALL))
        row(f"a + {scalar}", ["3"], list(ALL))
        row(f"a[0] * {scalar}", ["3"], list(ALL))
        row(f"np.full_like(a, {scalar})", ["3"], list(ALL))
        row(f"(operator.setitem(a, 0, {scalar}), a)", ["3"], list(ALL))
        row(f"a == {scalar}", ["3"], list(ALL))
        row(f"a < {scalar}", ["3"], list(ALL))
        row(f"np.where(a > 0, a, {scalar})", ["3"], list(ALL))
        row(f"np.array([1, {scalar}])")
        row(f"np.clip(a, None, {scalar})", ["3"], list(ALL))
        row(f"np.maximum(a, {scalar})", ["3"], list(ALL))
    for order in "CFAK":
        row(f"a.astype('d', order='{order}')", "3x4 3x4F 3x4T 3x4N 3x4S 3x4B 2x3x4T 0x4 0-d", "d f l")
        row(f"a.copy(order='{order}')", "3x4 3x4F 3x4T 3x4N 3x4S 3x4B 2x3x4T 0x4 0-d", "d f l")
        row(f"np.array(a, order='{order}')", "3x4 3x4F 3x4T 3x4N 3x4S 2x3x4T 0x4 0-d", "d f l")
        row(f"np.array(a, order='{order}', copy=None)", "3x4 3x4F 3x4T 3x4N 3x4S 2x3x4T 0x4 0-d", "d f l")
        row(f"np.zeros_like(a, order='{order}')", "3x4 3x4F 3x4T 3x4N 3x4S 3x4B 2x3x4T 0x4 0-d", "d f l")
    for text in ("np.min_scalar_type(a)", "np.min_scalar_type(a[0])", "np.finfo(a.dtype).eps", "np.finfo(a.dtype).max", "np.iinfo(a.dtype).max",
                 "a.view('B')", "a.view('b')", "a.view('H')", "a.view('d')", "a.view(a.dtype)", "a.real", "a.imag", "a.item(1)", "a.tolist()", "a.byteswap()", "a.tobytes()[:3] == b'abc'",
                 "a.newbyteorder if False else 1", "int(a[0])", "float(a[1])", "complex(a[1])", "bool(a[0])", "operator.index(a[1])", "round(a[1])", "hash(a[1]) == hash(a[1].item())",
                 "a.itemsize", "a.nbytes", "a.strides", "a.dtype", "np.common_type(a)", "np.issubdtype(a.dtype, np.floating)", "np.isscalar(a[0])", "np.iscomplexobj(a)", "np.isrealobj(a)", "np.mintypecode([a.dtype.char])",
                 "np.isdtype(a.dtype, 'integral')", "divmod(a[1], a[2])", "a[0] // 2", "a[1] ** 2", "a[1] ** -1", "a[1] >> 1", "a[1].dtype", "a[1].conjugate()", "a[1].real", "a[1].imag", "a[1].ndim", "a[1].T", "-a[1]", "~a[1]", "abs(a[1])"):
        row(text, ["8", "8N"], list(ALL))
