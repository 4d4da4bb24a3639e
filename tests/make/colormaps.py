#!/usr/bin/env python3
"""Writes stdlib/native/images/colormaps.inc: matplotlib's viridis (CC0) and gray as the bytes that imsave writes.

    tests/make/colormaps.py > stdlib/native/images/colormaps.inc
"""
import matplotlib
import numpy as np

print(f"// Written by tests/make/colormaps.py with matplotlib {matplotlib.__version__}: 256 colours of red, green, blue.")
for name in ("viridis", "gray"):
    colours = matplotlib.colormaps[name](np.arange(256), bytes=True)[:, :3]
    print(f"constexpr Colours k{name.capitalize()} = {{{{")
    for row in range(0, 256, 8):
        print("    " + " ".join("{%d, %d, %d}," % tuple(c) for c in colours[row:row + 8]))
    print("}};")
