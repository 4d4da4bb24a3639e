#pragma once
// The fake GPU in a test program's own process, which links load.cpp and wraps `access`.

struct FakeCuda;

namespace gpy::test {

// Loads the fake GPU, which computes nothing. Null where the build has no fakes.
const FakeCuda* load_fake_cuda();

}  // namespace gpy::test
