"""What examples/reaction_diffusion.gpy must print, by NumPy."""
import numpy as np


def spread(a):
    beside = np.roll(a, -1, 1) + np.roll(a, 1, 1) + np.roll(a, -1, 0) + np.roll(a, 1, 0)
    across = sum(np.roll(a, (i, j), (0, 1)) for i in (-1, 1) for j in (-1, 1))
    return 0.2 * beside + 0.05 * across - a


size, feed, kill = 128, 0.0545, 0.062
u, v = np.ones((size, size)), np.zeros((size, size))
for row, column in [(40, 40), (64, 90), (100, 30)]:
    u[row:row + 10, column:column + 10] = 0.5
    v[row:row + 10, column:column + 10] = 0.25
for step in range(1, 2001):
    meet = u * v * v
    u, v = (u + spread(u) - meet + feed * (1 - u),
            v + 0.5 * spread(v) + meet - (feed + kill) * v)
    if step % 500 == 0:
        print(f"step {step}: u {float(u.mean()):.6f}, v {float(v.mean()):.6f}, "
              f"{int((v > 0.1).sum())} points of the second")
