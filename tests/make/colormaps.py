"""Prints stdlib/matplotlib/_colormap_tables.gpy, from the installed matplotlib.

    python3 tests/make/colormaps.py >stdlib/matplotlib/_colormap_tables.gpy
"""
import matplotlib
import numpy as np
from matplotlib import _cm, _cm_listed, colors

LISTED = ["viridis", "plasma", "inferno", "magma", "cividis", "turbo", "twilight"]
QUALITATIVE = ["tab10", "tab20", "Set1", "Set2", "Set3", "Paired", "Accent", "Dark2", "Pastel1"]
POINTS = ["Blues", "BrBG", "BuGn", "BuPu", "GnBu", "Greens", "Greys", "OrRd", "Oranges", "PRGn", "PiYG",
          "PuBu", "PuOr", "PuRd", "Purples", "RdBu", "RdGy", "RdPu", "RdYlBu", "RdYlGn", "Reds", "Spectral",
          "YlGn", "YlGnBu", "YlOrBr", "YlOrRd"]
SEGMENTS = ["autumn", "bone", "bwr", "cool", "coolwarm", "copper", "gray", "hot", "hsv", "jet", "pink", "seismic",
            "spring", "summer", "terrain", "winter"]
FUNCTIONS = ["rainbow", "cubehelix"]


def digits(rows):
    return "".join(f"{round(channel * 1e6):07d}" for row in rows for channel in row[:3])


print("# Written by tests/make/colormaps.py with matplotlib", matplotlib.__version__ + ": red, green and blue,")
print("# seven digits each, in millionths.")
for title, names in (("LISTED", LISTED), ("QUALITATIVE", QUALITATIVE), ("POINTS", POINTS)):
    print(f"{title} = {{")
    for name in names:
        data = _cm.datad[name]["listed"] if name in _cm.datad and title == "QUALITATIVE" else \
            _cm.datad[name] if title == "POINTS" else matplotlib.colormaps[name].colors
        print(f'    "{name}": "{digits(data)}",')
    print("}")
print("# Where the lines of the colours begin and end, then the colours there.")
print("SEGMENTS = {")
for name in SEGMENTS:
    data = _cm.datad[name]
    if not isinstance(data, dict):  # (colour, ...) or ((position, colour), ...)
        pairs = [(i / (len(data) - 1), each) if len(each) == 3 else each for i, each in enumerate(data)]
        data = {key: [(at, each[k], each[k]) for at, each in pairs] for k, key in enumerate(("red", "green", "blue"))}
    at = sorted({row[0] for rows in data.values() for row in rows})
    colours = zip(*(np.interp(at, [r[0] for r in data[key]], [r[1] for r in data[key]]) for key in ("red", "green", "blue")))
    print(f'    "{name}": ("{"".join(f"{round(each * 1e6):07d}" for each in at)}", "{digits(colours)}"),')
print("}")
print("FUNCTIONS = {")
for name in FUNCTIONS:
    print(f'    "{name}": "{digits(matplotlib.colormaps[name](range(256)))}",')
print("}")
