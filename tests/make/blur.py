"""NumPy twin of examples/blur.gpy: prints what the example must print."""
import os

import numpy as np

from png import read_grey


def gaussian(sigma):
    r = int(3 * sigma + 0.5)
    y, x = np.mgrid[-r:r + 1, -r:r + 1]
    weights = np.exp(-(x * x + y * y) / (2 * sigma ** 2))
    return weights / weights.sum()


def convolve(picture, weights):
    r = weights.shape[0] // 2
    padded = np.pad(picture, r, mode="symmetric")
    rows, columns = picture.shape
    result = np.zeros((rows, columns))
    for i in range(2 * r + 1):
        for j in range(2 * r + 1):
            result += weights[2 * r - i, 2 * r - j] * padded[i:i + rows, j:j + columns]
    return result


def edges(picture):
    across = picture[1:-1, 2:] - picture[1:-1, :-2]
    down = picture[2:, 1:-1] - picture[:-2, 1:-1]
    return np.hypot(across, down) / 2


here = os.path.dirname(os.path.abspath(__file__))
photo = read_grey(f"{here}/../../examples/data/camera.png").astype(np.float32) / np.float32(255)
rows, columns = photo.shape
print(f"photograph: {rows} x {columns} {photo.dtype}, from {photo.min():.3f} to {photo.max():.3f}, "
      f"mean {photo.mean(dtype=np.float64):.4f}")
print("sigma  weights  contrast  edge pixels")
for sigma in (0.5, 1, 2, 4):
    weights = gaussian(sigma)
    blurred = convolve(photo, weights)
    strong = np.count_nonzero(edges(blurred) > 0.0625)
    print(f"{sigma:5}  {weights.shape[0]:3} x {weights.shape[1]}  {blurred.std():8.4f}  {strong:11}")
pixels = (blurred * 255 + 0.5).astype(np.uint8)
print("written and read back:", True)
print(pixels[::128, ::64])
