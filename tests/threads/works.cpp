#include "tests/threads/works.h"

namespace gpy::test::threads {

static const Work kCpuWorks[] = {
    {"parsing", R"(
def f(a, b=1, *rest, key=None, **more):
    """Nothing."""
    x = [i for i in (1, 2, 3) if i % 2] + [a, b] if key else {'a': [1, (2, {3})]}
    while False:
        try:
            with open('nothing') as file, open('more') as other: pass
        except (ValueError, TypeError) as e: raise KeyError(f'{e!r:>10}') from e
        finally: del x
    return lambda *a, **k: (yield_ for yield_ in rest)
class A:
    @property
    def p(self): return self._p
    @staticmethod
    def s(x: int = 3) -> str: return f"{x:08.3f} {'nested' + str(x)}"
class B(A, list):
    def __add__(self, other): return [*self, *other][::-1]
)"},
    {"loops", R"(
total = 0
for i in range(20000):
    if i % 3 == 0: continue
    total += i * i % 7
)"},
    {"calls", R"(
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
fib(15)
)"},
    {"objects", R"(
class Node:
    def __init__(self, next): self.next, self.name = next, 'node'
    def __del__(self): self.name = None
chain = None
for i in range(300):
    chain = Node(chain)
    ring = [chain]
    ring.append(ring)
chain = ring = None
)"},
    {"exceptions", R"(
def clean():
    for i in range(200):
        try: yield i
        finally: done = True
for i in clean():
    try:
        if i % 2: raise ValueError(i)
        {}[i]
    except (ValueError, KeyError) as e: last = repr(e)
)"},
    {"texts", R"(
import json
words = ' '.join(str(i) for i in range(500)).split()
text = json.dumps({'words': sorted(words, key=lambda w: (len(w), w))})
found = text.replace('5', 'five').count('five'), json.loads(text)
)"},
    {"big numbers", R"(
product = 1
for i in range(1, 200): product *= i
digits = str(product), hash(product), product % (10**9 + 7)
)"},
    {"printing", R"(
for i in range(100): print(i, 'of', [i] * 3, sep=', ')
print(f'{[x / 3 for x in range(50)]}')
)"},
    {"the environment", R"(
import os
for i in range(40): os.environ['GPY_TEST_' + str(i)] = str(i) * 50
for i in range(40): del os.environ['GPY_TEST_' + str(i)]
)"},
    {"sleeping", "import time\ntime.sleep(0.002)"},
    {"a pool", R"(
import numpy as np
a = np.arange(200000.0)
s = float(np.sqrt(a * a + 1).sum()) + float(np.cumsum(a)[-1]) + float(a.reshape(400, 500).mean(0)[3])
)"},
    {"small arrays", R"(
import numpy as np
x = np.zeros(8)
for i in range(60):
    x = x * 0.5 + np.sin(x + i)
    x[i % 8] = x[::-1].max()
)"},
    {"views and indices", R"(
import numpy as np
a = np.arange(60000).reshape(300, 200)
b = a[::2, ::-1].T[np.array([5, 1, 5])] + a[a % 7 == 0][:150]
a[10:20] += 1
)"},
    {"sorting",
     "import numpy as np\ns = np.sort(np.arange(50000) * 7919 % 50021)[::5000].tolist()"},
    {"a library", R"(
import numpy as np
m = np.eye(24) * 3 + np.ones((24, 24))
x = np.linalg.solve(m, m @ np.arange(24.0))
q, r = np.linalg.qr(m)
)"},
    {"showing arrays", "import numpy as np\nprint(np.arange(3000).reshape(60, 50) / 7)"},
    {"random numbers", R"(
import numpy as np
g = np.random.default_rng(7)
total = float(g.normal(size=20000).sum()) + float(g.integers(0, 9, 1000).sum())
)"},
    {"a kernel", R"(
import numpy as np
kernel elementwise apart(T x, T y) -> (T z) {
    z = (x - y) * (x - y);
}
d = float(apart(gp.arange(20000.0), 3.0).sum())
)"},
    {"a kernel that reduces", R"(
kernel reduction norm(T x) -> (T y) {
    identity: 0
    map:      x * x
    reduce:   a + b
    post:     y = sqrt(a)
}
n = float(norm(gp.ones((50, 40))))
)"},
    {"a kernel of threads", R"(
kernel raw turn(const double* x, double* y, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    for (int times = 0; times < 20 && i < n; ++times) y[n - 1 - i] = x[i] + times;
}
x, y = gp.arange(6400.0), gp.zeros(6400)
turn[100, 64](x, y, 6400)
last = float(y[0])
)"},
};

// The GPU computes nothing, so no result is read.
static const Work kDeviceWorks[] = {
    {"launches", R"(
x = gp.ones(1 << 12)
for i in range(40):
    x = x * i + 1
    gp.eval(x)
)"},
    {"copies", R"(
import numpy as np
x = gp.asarray(np.arange(1 << 14)) + 1
gp.eval(x)
first = x[:3].tolist()
)"},
    {"large copies", R"(
import numpy as np, cupy as cp
back = cp.asnumpy(cp.asarray(np.ones(1 << 21)))
)"},
    {"sorts and scans", "gp.eval(gp.sort(gp.arange(1 << 12)))\ngp.eval(gp.cumsum(gp.ones(5000)))"},
    {"a GPU's libraries", R"(
import cupy as cp
m = cp.ones((16, 16))
gp.eval(m @ m)
)"},
    {"a GPU's pool", R"(
import cupy as cp
pool = cp.get_default_memory_pool()
for i in range(10):
    x = gp.zeros(1 << (8 + i))
    gp.eval(x)
    used = pool.used_bytes(), pool.total_bytes()
x = None
pool.free_all_blocks()
)"},
    {"a GPU's kernel", R"(
kernel elementwise apart(T x, T y) -> (T z) {
    z = (x - y) * (x - y);
}
kernel raw add(const float* x, float* y) { y[threadIdx.x] += x[threadIdx.x]; }
d = apart(gp.arange(20000.0), 3.0)
x = gp.zeros(64, gp.float32)
add[1, 64](x, x)
gp.eval(d)
)"},
};

std::span<const Work> cpu_works() { return kCpuWorks; }
std::span<const Work> device_works() { return kDeviceWorks; }

}  // namespace gpy::test::threads
