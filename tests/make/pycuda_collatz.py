"""What examples/pycuda_collatz.gpy must print, by plain Python and NumPy."""
import numpy as np

n = 100_000
known = {1: 0}


def steps(x):
    way = []
    while x not in known:
        way.append(x)
        x = x // 2 if x % 2 == 0 else 3 * x + 1
    for count, each in enumerate(reversed(way), known[x] + 1):
        known[each] = count
    return known[x] + len(way)


counts = np.array([steps(x) for x in range(1, n + 1)])
print("timed:", True)
print("the longest way:", counts.max(), "steps, from", counts.argmax() + 1)
for i, each in enumerate(counts.reshape(10, n // 10).mean(axis=1)):
    print(f"{(i + 1) * n // 10:7} {each:8.3f} " + "#" * int(each / 2))
