"""NumPy twin of examples/tour.gpy: prints what the example must print."""
import numpy as np


def collatz(n):
    steps = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps.append(n)
    return steps


longest = max((collatz(n) for n in range(1, 30)), key=len)
print(f"longest path below 30: from {longest[0]}, {len(longest)} numbers, peak {max(longest)}")
print("exact integers:", 2 ** 100)

x = np.arange(12, dtype=np.float32).reshape(3, 4)
print(x)
print("columns:", x.sum(axis=0), "rows:", x.mean(axis=1), "all:", float(x.sum()))
x[x > 8] = -1
x[:, 0] += [10, 20, 30]
print(x[:, ::-1].T)

t = np.linspace(0, 1, 1_000_000)
y = np.sqrt(((t - 0.5) ** 2 * 4 + 1) / 2)
print(f"sum {y.sum():.3f}")
print("kernels launched:", 1)  # the whole of it, linspace included, ends in one reduction

a = np.arange(5.0)
print("squared_diff:", (a - 2) ** 2)
print("l2norm:", np.linalg.norm(np.asarray([[3.0, 4.0], [6.0, 8.0]]), axis=1))
v = np.arange(1000, dtype=np.float32) + np.float32(0.5)
print("saxpy:", v[:4], v[-1])
try:
    np.ones((3, 4)) + np.ones(3)
except ValueError as error:
    print("refused:", error)
