"""numpy.fft."""
ALL = "d f e l ? F D B".split()


def rows(row):
    for name in "fft ifft rfft irfft hfft ihfft".split():
        for more in ("", ", 5", ", 8, 0", ", axis=0", ", norm='ortho'", ", n=3, norm='forward'", ", axis=5", ", n=0", ", norm='x'"):
            row(f"np.fft.{name}(a{more})", "3x4 7 3x4T 3x4N 3x4S 1 0-d 0x4 2x3x4T 64 97", ALL, "a", "order", 300)
    for name in "fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn".split():
        for more in ("", ", (2, 5)", ", axes=(1, 0)", ", norm='ortho'", ", axes=(0,)", ", (3, 3), (0, 1)"):
            row(f"np.fft.{name}(a{more})", "3x4 7 3x4T 3x4N 2x3x4 2x3x4T 0-d 8x8", ALL, "a", "order", 300)
    for name in ("fftshift", "ifftshift"):
        for more in ("", ", axes=0", ", axes=(0, 1)"):
            row(f"np.fft.{name}(a{more})", "3x4 7 3x4T 2x3x4 0-d", ALL)
    for n in (0, 1, 4, 7):
        for name in ("fftfreq", "rfftfreq"):
            row(f"np.fft.{name}({n})")
            row(f"np.fft.{name}({n}, 0.5)")
    row("np.fft.fft(a, out=np.zeros(a.shape, 'D'))", "3x4 7 3x4T", "d f D l", "a", "order", 300)
