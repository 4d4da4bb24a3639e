"""What examples/n_body.gpy must print, by NumPy."""
import numpy as np

n, softening, dt = 512, 0.05, 0.002
turn = 2 * np.pi * np.arange(n) / n
bodies = np.stack([np.cos(turn), np.sin(turn), 0.1 * np.sin(5 * turn), np.full(n, 1 / n)], axis=1)
speeds = np.stack([-np.sin(turn), np.cos(turn), 0 * turn], axis=1)


def pull():
    apart = bodies[None, :, :3] - bodies[:, None, :3]
    square = (apart ** 2).sum(axis=2) + softening ** 2
    return (apart * (bodies[None, :, 3] / (square * np.sqrt(square)))[:, :, None]).sum(axis=1)


def energy():
    moving = (bodies[:, 3:] * speeds ** 2).sum() / 2
    apart = bodies[:, None, :3] - bodies[None, :, :3]
    distances = np.sqrt((apart ** 2).sum(axis=2) + softening ** 2)
    pairs = bodies[:, None, 3] * bodies[None, :, 3] / distances
    return float(moving - (pairs.sum() - np.trace(pairs)) / 2)


start = energy()
for step in range(200):
    speeds += pull() * (dt / 2)
    bodies[:, :3] += speeds * dt
    speeds += pull() * (dt / 2)
momentum = (bodies[:, 3:] * speeds).sum(axis=0)
print(f"energy {start:.6f}, after 200 steps {energy():.6f}")
print("momentum stays zero:", bool((abs(momentum) < 1e-12).all()))
print("radius", f"{float(np.hypot(bodies[:, 0], bodies[:, 1]).mean()):.6f}")
