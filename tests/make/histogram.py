"""What examples/histogram.gpy must print, by NumPy."""
import os

import numpy as np

from png import read_grey

here = os.path.dirname(os.path.abspath(__file__))
pixels = read_grey(f"{here}/../../examples/data/camera.png").astype(np.uint8)
flat = pixels.ravel()
expected = np.bincount(flat, minlength=256)
for name in ("global memory", "shared memory", "in gpy       "):
    print(name, True)
print("darkest", int(flat.min()), "brightest", int(flat.max()), "most frequent", int(expected.argmax()))
share = np.cumsum(expected) / flat.size
even = np.rint(share * 255).astype(np.uint8)[pixels]
print(f"contrast {float(pixels.std()):.3f}, spread evenly {float(even.std()):.3f}")
