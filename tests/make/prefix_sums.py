"""What examples/prefix_sums.gpy must print, by NumPy."""
import numpy as np

x = (np.arange(100_000, dtype=np.int32) * np.int32(7919)) % np.int32(101) - np.int32(50)
for name in ("scan block  ", "shared trees", "warps       "):
    print(name, True)
chosen = x[x > 45]
print("kept", chosen.size, chosen[:8], True)
