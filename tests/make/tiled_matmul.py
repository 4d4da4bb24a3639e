"""The same product as examples/tiled_matmul.gpy's, by NumPy: prints what it must print."""
import numpy as np

n = 200
a = (np.arange(n * n) % 7 - 3).reshape(n, n).astype(np.float32)
b = (np.arange(n * n) % 5 - 2).reshape(n, n).astype(np.float32)
for name in ("CUDA C++", "gpy"):
    print(f"{name:8} equals a @ b: True")
print((a @ b)[:2, :6])
