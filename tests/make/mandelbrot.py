"""The same picture as examples/mandelbrot.gpy's, by NumPy: prints what it must print."""
import numpy as np

height, width, limit = 240, 320, 100
re, im = np.broadcast_arrays(np.linspace(-2.2, 0.8, width)[None, :], np.linspace(-1.125, 1.125, height)[:, None])
a, b, steps = re, im, np.zeros((height, width), dtype=np.int32)
for k in range(limit):
    inside = a * a + b * b <= 4
    steps = steps + inside
    a, b = np.where(inside, a * a - b * b + re, a), np.where(inside, 2 * a * b + im, b)
for name in ("array expression", "elementwise, CUDA C++", "elementwise, gpy", "raw, CUDA C++", "njit loop", "numba.cuda"):
    print(f"{name:22}", "the same picture")
print(int((steps == limit).sum()), "points of", steps.size, "stay inside")
