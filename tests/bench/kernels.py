# User kernels: the cost of a call, and their speed on large arrays. On a GPU beside CuPy's.
import sys

from harness import measure, np

if sys.argv[1] != "cupy":
    sys.exit()  # NumPy has none

fma = np.ElementwiseKernel("T x, T y", "T z", "z = x * y + x", "multiply_add")
norm = np.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "root_of_squares")
saxpy = np.RawKernel(r"""
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
""", "saxpy")
small, out = np.ones(1000, dtype=np.float32), np.ones(1000, dtype=np.float32)
count, scale = np.int32(1000), np.float32(0.5)
arguments = (scale, small, out, count)
measure("ElementwiseKernel, 1000 elements", lambda: fma(small, out))
measure("ElementwiseKernel into an array, 1000 elements", lambda: fma(small, small, out))
measure("RawKernel, 1000 elements", lambda: saxpy((4,), (256,), arguments))
measure("ReductionKernel, 1000 elements", lambda: norm(small))
stream = np.cuda.Stream(non_blocking=True)


def chain():
    for _ in range(20):
        saxpy((4,), (256,), arguments)

with stream:
    stream.begin_capture()
    chain()
    graph = stream.end_capture()
measure("20 RawKernels, 1000 elements", chain)
measure("20 RawKernels as a graph, 1000 elements", graph.launch)
n = 10 ** 8
x, y = np.ones(n, dtype=np.float32), np.ones(n, dtype=np.float32)
z = np.empty_like(x)
whole = (scale, x, y, np.int32(n))
measure("ElementwiseKernel, 1e8 float32", lambda: fma(x, y, z))
measure("RawKernel, 1e8 float32", lambda: saxpy((n // 256 + 1,), (256,), whole))
measure("ReductionKernel, 1e8 float32", lambda: norm(x))
rows = x.reshape(10000, 10000)
measure("ReductionKernel axis 0, 1e8 float32", lambda: norm(rows, axis=0))
measure("ReductionKernel axis 1, 1e8 float32", lambda: norm(rows, axis=1))
block = x.reshape(100, 1000, 1000)
measure("ReductionKernel axis 1 of (100, 1000, 1000)", lambda: norm(block, axis=1))
measure("ReductionKernel axis (0, 2) of (100, 1000, 1000)", lambda: norm(block, axis=(0, 2)))
short = x.reshape(10 ** 7, 10)
measure("ReductionKernel axis 1 of (1e7, 10)", lambda: norm(short, axis=1))
measure("ReductionKernel axis 0 of (1e7, 10)", lambda: norm(short, axis=0))
