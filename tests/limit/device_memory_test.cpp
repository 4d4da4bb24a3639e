// Where arrays of a GPU lie, and what is told of it: on a driver that keeps memory on the host and
// runs no kernel, so that content changes by copies and by address alone.
#ifdef GPY_FAKE_CUDA

#include "tests/limit/fake_gpu.h"

namespace gpy::test {

TEST_CASE("managed memory is one buffer of the host and its device, copied in neither direction") {
  const Result result = FakeGpu().script(R"(
import cupy as cp, numpy as np
moved = lambda: (gp.counters()["bytes_to_device"], gp.counters()["bytes_to_host"])
pool = cp.cuda.MemoryPool(cp.cuda.malloc_managed)
cp.cuda.set_allocator(pool.malloc)
x = cp.asarray(np.arange(100000.0))
x[5:] += 1                          # runs no kernel: what was brought there stays
used = pool.used_bytes()
print(float(x[5]), used)
before = moved()
print(x[:3])
n = cp.asnumpy(x)
del x
n[1] = 42                           # the host writes to the same bytes
z = cp.asarray(n)
del n
z[5:] += 1                          # the device has them again
print(z[:3], moved() == before, pool.used_bytes() == used)
kept = cp.asnumpy(z)
z.data.memset(0, 16)                # who has the old content keeps it
print(z[:3], kept[:3])
)");
  CHECK(result.err == "");
  CHECK(result.out ==
        "5.0 800256\n[0. 1. 2.]\n[ 0. 42.  2.] True True\n[0. 0. 2.] [ 0. 42.  2.]\n");
}

TEST_CASE("a pool of a script's own function gives managed memory to both sides") {
  const Result result = FakeGpu().script(R"(
import cupy as cp, numpy as np
asked = []
def mine(size):
    asked.append(size)
    return cp.cuda.malloc_managed(size)
pool = cp.cuda.MemoryPool(mine)
with cp.cuda.using_allocator(pool.malloc):
    x = cp.asarray(np.arange(1000.0))
    x[5:] += 1
    before = gp.counters()["bytes_to_host"]
    print(x[:3], gp.counters()["bytes_to_host"] == before, set(asked), pool.used_bytes())
)");
  CHECK(result.err == "");
  CHECK(result.out == "[0. 1. 2.] True {8192} 8192\n");
}

TEST_CASE("what is written by address is read, whatever the host had read before") {
  const Result result = FakeGpu().script(R"(
import cupy as cp, numpy as np
for allocate in (cp.cuda.alloc, cp.cuda.malloc_managed):
    over = cp.ndarray(4, cp.float64, allocate(32))
    over.data.memset(0, 32)
    print(over)
    over.data.copy_from_device(cp.asarray(np.arange(4.0)).data, 32)
    print(over, float(over[3]))
)");
  CHECK(result.err == "");
  CHECK(result.out == "[0. 0. 0. 0.]\n[0. 1. 2. 3.] 3.0\n[0. 0. 0. 0.]\n[0. 1. 2. 3.] 3.0\n");
}

TEST_CASE("the driver's pools give and take in the order of streams, without waiting") {
  const Result result = FakeGpu().script(R"(
import cupy as cp, numpy as np
pool = cp.cuda.MemoryAsyncPool()
with cp.cuda.using_allocator(pool.malloc):
    x = cp.asarray(np.arange(1000.0))
    x[5:] += 1
    print(x[:3], pool.used_bytes())
    del x
    print(pool.used_bytes())
    try:
        gp.eval(cp.ones(1 << 30))
    except cp.cuda.memory.OutOfMemoryError as error:
        print(error)
    gp.eval(cp.ones(10))
    print(pool.used_bytes())
)",
                                         {{"GPY_FAKE_CUDA_MEMORY", "100000000"}});
  CHECK(result.err == "");
  CHECK(result.out == "[0. 1. 2.] 8000\n0\nOut of memory allocating 8,589,934,592 bytes\n0\n");
}

TEST_CASE("hooks are told of memory that work takes for itself") {
  const Result result = FakeGpu().script(R"(
import cupy as cp, numpy as np
class Tells(cp.cuda.MemoryHook):
    name = "Tells"
    def __init__(self):
        self.taken, self.given = [], []
    def malloc_postprocess(self, device_id, size, mem_size, mem_ptr, pmem_id):
        self.taken.append(mem_ptr)
        cp.zeros(10)
    def free_preprocess(self, device_id, mem_size, mem_ptr, pmem_id):
        self.given.append(mem_ptr)
a = cp.asarray(np.eye(64))
gp.eval(a + 0)
hook = Tells()
with hook:
    b = cp.linalg.inv(a)
    gp.eval(b)
print(len(hook.taken) > 1, len(hook.given) > 0, set(hook.given) <= set(hook.taken))
count = len(hook.taken)
gp.eval(cp.linalg.inv(a + 0))
print(len(hook.taken) == count)
class Raises(cp.cuda.MemoryHook):
    name = "Raises"
    def malloc_preprocess(self, **facts):
        raise KeyError("hook")
try:
    with Raises():
        gp.eval(cp.linalg.inv(a + 0))
except KeyError as error:
    print("raised", error)
print(cp.linalg.inv(a + 0).shape)
)");
  CHECK(result.err == "");
  CHECK(result.out == "True True True\nTrue\nraised 'hook'\n(64, 64)\n");
}

}  // namespace gpy::test

#endif
