// The CUDA backend over a driver that runs nothing: its launches, their bytes, and its
// behaviour when calls fail.

#include <doctest/doctest.h>

#if GPY_HAVE_CUDA
#include <dlfcn.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <numeric>

#include "../backend_suite/plan_maker.h"
#include "fake_cuda.h"
#include "runtime/core/cuda_error.h"
#include "runtime/cuda/make_backend.h"
#include "runtime/cuda/nvrtc.h"
#include "runtime/kernel/module_cache.h"
#include "runtime/kernel/texture_references.h"
#include "runtime/kernel/user_kernel.h"
#include "runtime/memory/raw_memory.h"
#include "runtime/memory/textures.h"
#include "runtime/session.h"

namespace gpy::rt {
namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr int kOutOfMemory = 2, kInvalidValue = 1, kIllegalAddress = 700, kInvalidImage = 200;

const FakeCuda& fake() {
  static const FakeCuda* controls = [] {
    void* library = dlopen(GPY_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
    REQUIRE_MESSAGE(library, dlerror());
    return reinterpret_cast<const FakeCuda* (*)()>(dlsym(library, "fake_cuda_controls"))();
  }();
  return *controls;
}

bool has_nvrtc() {
  std::string why_not;
  static const bool found = cuda::Nvrtc::open(0, &why_not) != nullptr;
  return found;
}

// A backend over the fake, with a kernel cache of its own.
struct FakeGpu {
  FakeGpu() {
    char name[] = "/tmp/gpy-fake-gpu-XXXXXX";
    folder = mkdtemp(name);
    setenv("GPY_CACHE_DIR", folder.c_str(), 1);
    fake().reset();
    backend = make_cuda_backend(GPY_FAKE_CUDA, 0, &why_not);
  }
  ~FakeGpu() {
    backend.reset();
    unsetenv("GPY_CACHE_DIR");
    std::filesystem::remove_all(folder);
  }
  std::unique_ptr<Backend> again() { return make_cuda_backend(GPY_FAKE_CUDA, 0, &why_not); }

  std::string folder, why_not;
  std::unique_ptr<Backend> backend;
};

#define NEEDS_NVRTC()                        \
  if (!has_nvrtc()) {                        \
    MESSAGE("skipped: NVRTC was not found"); \
    return;                                  \
  }

Plan sum_plan(int64_t n) {
  test::PlanMaker make({n});
  const Register x = make.input(DType::kFloat32), y = make.input(DType::kFloat32);
  return make.output(make.op("add", {x, y})).finish();
}

Plan total_plan(int64_t n) {
  test::PlanMaker make({n});
  return make.reduce("add", make.input(DType::kFloat32), 0, n).finish();
}

void run_sum(Backend& backend, int64_t n) {
  const Ref<Buffer> x = backend.allocate(4 * n), y = backend.allocate(4 * n),
                    z = backend.allocate(4 * n);
  const Plan plan = sum_plan(n);
  backend.prepare(plan, true)->run({{x->data(), y->data()}, {}, {z->data()}}, nullptr);
}

template <class F> Error error_of(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::kRuntime, "nothing was thrown"};
}

template <class T> T parameter(const FakeLaunch& launch, size_t at) {
  T value;
  REQUIRE(at + sizeof(T) <= launch.parameter_bytes);
  std::memcpy(&value, launch.parameters + at, sizeof(T));
  return value;
}

}  // namespace

TEST_CASE("a map is launched with its addresses and its count") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  const Ref<Buffer> x = gpu.backend->allocate(4000), y = gpu.backend->allocate(4000),
                    z = gpu.backend->allocate(4000);
  const Plan plan = sum_plan(1000);
  gpu.backend->prepare(plan, true)->run({{x->data(), y->data()}, {}, {z->data()}}, nullptr);
  REQUIRE(fake().launches() == 1);
  const FakeLaunch& launch = *fake().launch(0);
  CHECK(std::string(launch.kernel) == "gpy_kernel");
  CHECK(launch.grid[0] == 1);  // 4 elements a thread, 256 threads
  CHECK(launch.block[0] == 256);
  CHECK(parameter<void*>(launch, 0) == x->data());
  CHECK(parameter<void*>(launch, 8) == y->data());
  CHECK(parameter<void*>(launch, 16) == z->data());
  CHECK(parameter<int32_t>(launch, 32) == 1000);
  CHECK(launch.parameter_bytes == 48);
}

TEST_CASE("one kernel serves every shape of its structure, and a later process") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  for (int64_t n : {1000, 1001, 5, 100000}) run_sum(*gpu.backend, n);
  CHECK(gpu.backend->counters.kernels_compiled == 1);
  CHECK(gpu.backend->counters.plans_run == 4);
  CHECK(fake().launch(3)->grid[0] == 98);
  const auto later = gpu.again();
  run_sum(*later, 1000);
  CHECK(later->counters.kernels_compiled == 0);
  CHECK(later->counters.kernels_loaded == 1);
}

TEST_CASE("a cached kernel that does not load is made again") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  run_sum(*gpu.backend, 10);
  const auto later = gpu.again();
  fake().fail("cuModuleLoadData", 1, kInvalidImage);
  run_sum(*later, 10);
  CHECK(later->counters.kernels_compiled == 1);
}

TEST_CASE("the splits of a reduction share a workspace that is cleared once") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  const Ref<Buffer> x = gpu.backend->allocate(4 << 20), total = gpu.backend->allocate(4);
  for (int i = 0; i < 3; ++i) {
    const Plan plan = total_plan(1 << 20);
    gpu.backend->prepare(plan, true)->run({{x->data()}, {}, {total->data()}}, nullptr);
  }
  CHECK(fake().launches() == 3);
  CHECK(fake().calls("cuMemsetD8Async") == 1);
  CHECK(fake().launch(2)->grid[0] == fake().launch(0)->grid[0]);
}

TEST_CASE("the context is the caller's again after every entry") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  run_sum(*gpu.backend, 10);
  gpu.backend->synchronize();
  gpu.backend->memory_use();
  CHECK(fake().contexts_pushed() == 0);
}

TEST_CASE("copies go both ways and within the device") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  for (size_t bytes : {size_t{1}, size_t{1000}, size_t{40000}, 33 * kMiB + 17}) {
    std::vector<unsigned char> data(bytes), back(bytes);
    std::iota(data.begin(), data.end(), static_cast<unsigned char>(3));
    const Ref<Buffer> a = gpu.backend->allocate(bytes), b = gpu.backend->allocate(bytes);
    gpu.backend->upload(a->data(), data.data(), bytes);
    gpu.backend->copy(b->data(), a->data(), bytes);
    gpu.backend->download(back.data(), b->data(), bytes);
    CHECK(back == data);
    gpu.backend->fill_zero(b->data(), bytes);
    gpu.backend->download(back.data(), b->data(), bytes);
    CHECK(back == std::vector<unsigned char>(bytes));
  }
  CHECK(gpu.backend->counters.bytes_to_device == 41001 + 33 * kMiB + 17);
}

TEST_CASE("the pool grows by chunks, trims and retries once, then says how much was asked") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  fake().set_memory(200 * kMiB);
  Ref<Buffer> first = gpu.backend->allocate(1000);
  CHECK(fake().memory_largest() == 64 * kMiB);
  const int calls = fake().calls("cuMemAlloc");
  Ref<Buffer> second = gpu.backend->allocate(1000);
  CHECK(fake().calls("cuMemAlloc") == calls);
  Ref<Buffer> large = gpu.backend->allocate(100 * kMiB);
  large = nullptr;
  large = gpu.backend->allocate(130 * kMiB);  // once the 100 went back
  const Error error = error_of([&] { gpu.backend->allocate(150 * kMiB); });
  CHECK(error.kind() == ErrorKind::kMemory);
  CHECK(error.message().starts_with(
      "Out of memory allocating 157,286,400 bytes (allocated so far: 136,"));
  CHECK(gpu.backend->allocate(2000));  // allocations go on
}

TEST_CASE("a fault loses the device for good, and nothing crashes") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  Ref<Buffer> kept = gpu.backend->allocate(1000);
  run_sum(*gpu.backend, 10);
  fake().fail("cuCtxSynchronize", 1, kIllegalAddress);
  const Error first = error_of([&] { gpu.backend->synchronize(); });
  CHECK(first.kind() == ErrorKind::kDeviceLost);
  CHECK(first.message().find("CUDA_ERROR_ILLEGAL_ADDRESS") != std::string::npos);
  CHECK(first.message().find("cuCtxSynchronize") != std::string::npos);
  // The driver may seem to work again, but the context does not.
  int value = 0;
  CHECK(error_of([&] { run_sum(*gpu.backend, 10); }).kind() == ErrorKind::kDeviceLost);
  CHECK(error_of([&] { gpu.backend->download(&value, kept->data(), 4); }).kind() ==
        ErrorKind::kDeviceLost);
  CHECK(error_of([&] { gpu.backend->allocate(10); }).kind() == ErrorKind::kDeviceLost);
  fake().lose(kIllegalAddress);  // destruction works even if every call fails
}

// Whether the open library answers to the driver's name: a real driver that was there first would.
bool fake_has_the_name() {
  fake();
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return library && dlsym(library, "fake_cuda_controls");
}

TEST_CASE("a runtime waits for the devices in use, and tells a fault once") {
  NEEDS_NVRTC();
  if (!fake_has_the_name()) {
    MESSAGE("left out: this machine has a real driver");
    return;
  }
  FakeGpu gpu;
  Runtime runtime;
  Backend& backend = runtime.backend(1);
  const int waits = fake().calls("cuCtxSynchronize");
  runtime.synchronize();
  CHECK(fake().calls("cuCtxSynchronize") == waits + 1);
  fake().fail("cuCtxSynchronize", 1, kIllegalAddress);
  CHECK(error_of([&] { runtime.synchronize(); }).kind() == ErrorKind::kDeviceLost);
  CHECK(backend.lost());
  runtime.synchronize();
}

TEST_CASE("a launch that is refused is an error of that launch alone") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  run_sum(*gpu.backend, 10);
  fake().fail("cuLaunchKernel", 1, kInvalidValue);
  try {
    run_sum(*gpu.backend, 10);
    FAIL("it was not refused");
  } catch (const CudaError& error) {
    CHECK(error.kind() == ErrorKind::kRuntime);
    CHECK(error.code() == kInvalidValue);
    CHECK(error.facts() == "cuLaunchKernel");
  }
  run_sum(*gpu.backend, 10);
}

TEST_CASE("any call may fail once: an error or a success, and the next run works") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  run_sum(*gpu.backend, 1000);  // later runs find the kernel on disk
  for (const char* call : {"cuCtxGetCurrent", "cuCtxPushCurrent", "cuDevicePrimaryCtxRetain",
                           "cuMemAlloc", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemHostAlloc",
                           "cuStreamSynchronize", "cuModuleLoadData", "cuModuleGetFunction",
                           "cuLaunchKernel", "cuMemsetD8Async", "cuInit", "cuDeviceGet"}) {
    for (int n : {1, 2, 3}) {
      CAPTURE(call);
      fake().fail(call, n, kOutOfMemory);
      try {
        const auto backend = gpu.again();
        if (!backend) continue;
        run_sum(*backend, 1000);
        float value = 0;
        const Ref<Buffer> buffer = backend->allocate(4);
        backend->upload(buffer->data(), &value, 4);
        backend->download(&value, buffer->data(), 4);
      } catch (const Error&) {
      }
      fake().reset();
      run_sum(*gpu.backend, 1000);
    }
  }
}

TEST_CASE("what is missing is said in one line") {
  std::string why_not;
  CHECK(make_cuda_backend("/nonexistent/libcuda.so.1", 0, &why_not) == nullptr);
  CHECK(why_not == "no NVIDIA driver is installed (libcuda.so.1 was not found)");
  fake().reset();
  fake().set_devices(0);
  CHECK(make_cuda_backend(GPY_FAKE_CUDA, 0, &why_not) == nullptr);
  CHECK(why_not == "the NVIDIA driver sees no GPU");
  fake().reset();
  CHECK(make_cuda_backend(GPY_FAKE_CUDA, 3, &why_not) == nullptr);
  CHECK(why_not == "there is no GPU 3: this machine has 1 (cuda:0)");
  fake().fail("cuInit", 1, 803);
  CHECK(make_cuda_backend(GPY_FAKE_CUDA, 0, &why_not) == nullptr);
  CHECK(why_not.starts_with("the NVIDIA driver does not start: "));
  setenv("GPY_CUDA_PATH", "none", 1);
  CHECK(make_cuda_backend(GPY_FAKE_CUDA, 0, &why_not) == nullptr);
  CHECK(why_not.starts_with("the CUDA compiler library NVRTC was not found"));
  unsetenv("GPY_CUDA_PATH");
}

TEST_CASE("users' modules: instances of one text, attributes, code from elsewhere") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  UserKernels& kernels = gpu.backend->user_kernels();
  const std::string source =
      "template <class T> __global__ void fill(T* x) { x[threadIdx.x] = 1; }\n"
      "namespace inner { __global__ void clear(float* x) { *x = 0; } }\n";
  const std::vector<std::string> instances = {"fill<int>", "inner::clear"};
  const auto module = kernels.compile(source, "demo", {}, instances);
  void* pointer = nullptr;
  void* arguments[] = {&pointer};
  const auto clear = module->function("inner::clear");
  clear->launch({{2, 1, 1}, {32, 1, 1}, 0, arguments});
  CHECK(std::string(fake().launch(0)->kernel).find("clear") != std::string::npos);
  CHECK(fake().calls("cuModuleLoadData") == 1);
  module->function("fill<int>")
      ->launch({.grid = {3}, .block = {64}, .arguments = arguments, .cooperative = true});
  CHECK(fake().calls("cuLaunchCooperativeKernel") == 1);
  CHECK(fake().calls("cuModuleLoadData") == 1);
  CHECK(clear->attribute(FunctionAttribute::kMaxThreadsPerBlock) == 1024);
  clear->set_attribute(FunctionAttribute::kMaxDynamicSharedSizeBytes, 70000);
  clear->launch({{}, {}, 60000, arguments});
  CHECK(fake().calls("cuFuncSetAttribute") == 1);
  CHECK(error_of([&] {
          clear->set_attribute(FunctionAttribute::kMaxDynamicSharedSizeBytes, 1 << 20);
        }).kind() == ErrorKind::kValue);
  CHECK_FALSE(module->global("nothing"));
  const auto loaded = kernels.load("//\n.version 7.0\n.target sm_50\n.entry f(\n)", "f.ptx");
  loaded->function("f")->launch({{}, {}, 0, arguments});
  CHECK(error_of([&] { loaded->function("g"); }).kind() == ErrorKind::kValue);
  CHECK(error_of([&] { kernels.load("no code", "x.cubin"); }).kind() == ErrorKind::kValue);
}

TEST_CASE("of users' modules those that no function needs are unloaded when there are many") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  UserKernels& kernels = gpu.backend->user_kernels();
  // The name tells modules apart, and not what they are compiled from: NVRTC is asked once.
  const std::string source = "extern \"C\" __global__ void f() {}";
  const auto held = kernels.compile(source, "held", {})->function("f");
  for (size_t i = 1; i < ModuleCache::kMost; ++i) kernels.compile(source, std::to_string(i), {});
  CHECK(fake().calls("cuModuleUnload") == 0);
  kernels.compile(source, "one more", {});
  CHECK(fake().calls("cuModuleUnload") == ModuleCache::kMost / 2);
  CHECK(kernels.compile(source, "held", {})->function("f") == held);
  held->launch({{}, {}, 0, {}});
  CHECK(std::string(fake().launch(0)->kernel) == "f");
}

TEST_CASE("users' kernels: found, launched, refused with the compiler's words") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  UserKernels& kernels = gpu.backend->user_kernels();
  const std::string source =
      "extern \"C\" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n"
      "template <class T> __global__ void thrice(T* x) { x[threadIdx.x] *= 3; }\n"
      "template <class T> __global__ void part(T* x) { x->no_member = 0; }\n";
  const auto module = kernels.compile(source, "demo", {});
  void* pointer = nullptr;
  void* arguments[] = {&pointer};
  module->function("twice")->launch({{2, 3, 1}, {32, 1, 1}, 0, arguments});
  CHECK(std::string(fake().launch(0)->kernel) == "twice");
  CHECK(fake().launch(0)->grid[1] == 3);
  module->function("thrice<double>")->launch({{}, {}, 60000, arguments});
  CHECK(fake().calls("cuFuncSetAttribute") == 1);
  CHECK(fake().launch(1)->shared_bytes == 60000);
  CHECK(error_of([&] { module->function("absent"); }).kind() == ErrorKind::kValue);
  const Error instance = error_of([&] { module->function("part<double>"); });
  CHECK(instance.message().starts_with("demo: there is no kernel of the name 'part<double>':\n"));
  CHECK(instance.message().find("demo(3): error: expression must have") != std::string::npos);
  CHECK(error_of([&] {
          module->function("twice")->launch({{}, {2048, 1, 1}, 0, arguments});
        }).kind() == ErrorKind::kValue);
  CHECK(error_of([&] {
          module->function("twice")->launch({{}, {}, 1 << 20, arguments});
        }).kind() == ErrorKind::kValue);
  const Error error = error_of(
      [&] { kernels.compile("#line 7 \"mine.gpy\"\nint f() { return nothing; }", "demo", {}); });
  CHECK(error.kind() == ErrorKind::kCompile);
  CHECK(error.message().find("mine.gpy(7): error: identifier \"nothing\" is undefined") !=
        std::string::npos);
}

TEST_CASE("recorded work is a graph of the driver's, and leaves nothing where that fails") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  Backend& backend = *gpu.backend;
  const auto module = backend.user_kernels().compile(
      "extern \"C\" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }", "demo", {});
  const auto function = module->function("twice");
  void* pointer = nullptr;
  void* arguments[] = {&pointer};
  const RecordedWork work = {[&] {
                               function->launch({{2, 1, 1}, {32, 1, 1}, 0, arguments});
                             },
                             [&] {
                               function->launch({{3, 1, 1}, {32, 1, 1}, 0, arguments});
                             }};
  const int begun = fake().launches();
  auto graph = backend.make_graph(work);
  CHECK(fake().launches() == begun);
  graph->upload();
  for (int i = 0; i < 2; ++i) graph->launch();
  CHECK(fake().launches() == begun + 4);
  CHECK(fake().launch(begun + 3)->grid[0] == 3);
  CHECK(graph->describe(0).starts_with("digraph"));
  graph.reset();
  CHECK(fake().calls("cuGraphExecDestroy") == 1);
  CHECK(fake().calls("cuGraphDestroy") == 1);
  for (const char* call : {"cuStreamBeginCapture", "cuStreamEndCapture",
                           "cuGraphInstantiateWithFlags", "cuLaunchKernel"}) {
    fake().fail(call, 1, kInvalidValue);
    CHECK(error_of([&] { backend.make_graph(work); }).kind() != ErrorKind::kCompile);
    CHECK(backend.make_graph(work));
  }
  CHECK(fake().calls("cuGraphDestroy") == fake().calls("cuStreamEndCapture") - 1);
}

TEST_CASE("texture references are compiled by NVRTC, and textures leave nothing where they fail") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  const std::string source = with_texture_references(
      "texture<float, 2> a;\ntexture<uchar4, cudaTextureType3D, cudaReadModeNormalizedFloat> b;\n"
      "texture<short, 1> c;\nsurface<void, 2> s;\nextern \"C\" __global__ void f(float* x) {\n"
      "  x[0] = tex2D(a, 1, 2) + tex3D(b, 1, 2, 3).w + tex1Dfetch(c, 4);\n"
      "  surf2Dwrite(x[0], s, 4, 2);\n  surf2Dread(x, s, 0, 0, cudaBoundaryModeClamp);\n}\n");
  CHECK(gpu.backend->user_kernels().compile(source, "demo", {})->function("f"));
  Textures& textures = gpu.backend->raw_memory().textures();
  Queue& queue = gpu.backend->own_queue();
  const TexelFormat format{TexelFormat::Kind::kUnsigned, 16, 2};
  const uintptr_t array = textures.make_array(format, {4, 3, 0}, kSurfaceArray);
  uint16_t texels[24], back[24] = {};
  std::iota(std::begin(texels), std::end(texels), uint16_t{0});
  const TexelBox box{
      .width_bytes = 16, .height = 3, .pitch = 16, .slice_height = 3, .on_host = true};
  textures.copy_in(array, box, texels, queue);
  textures.copy_out(back, array, box, queue);
  CHECK(std::equal(std::begin(back), std::end(back), texels));
  TextureOptions options;
  options.linear = true;
  CHECK(error_of([&] { textures.make_texture({.array = array}, options); }).kind() ==
        ErrorKind::kRuntime);
  options.as_floats = true;
  for (const char* call : {"cuTexObjectCreate", "cuArray3DGetDescriptor"}) {
    fake().fail(call, 1, kInvalidValue);
    CHECK(error_of([&] { textures.make_texture({.array = array}, options); }).kind() ==
          ErrorKind::kRuntime);
  }
  textures.end_texture(textures.make_texture({.array = array}, options));
  textures.end_surface(textures.make_surface(array));
  textures.free_array(array);
  CHECK(error_of([&] { textures.free_array(array); }).kind() == ErrorKind::kRuntime);
  CHECK(error_of([&] {
          textures.make_array(format, {size_t{1} << 40, 1, 1}, 0);
        }).kind() == ErrorKind::kRuntime);
}

namespace {

// One interpreter's thread: its work goes to what `set` holds.
struct Queues {
  explicit Queues(Backend& backend) : backend(backend) {}
  void use(Ref<Queue> queue) { set[backend.place()] = std::move(queue); }

  Backend& backend;
  QueueSet set;
  QueueScope scope{&set};
};

}  // namespace

TEST_CASE("work on another queue waits for whoever wrote what it reads") {
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  Backend& backend = *gpu.backend;
  const Ref<Queue> first = backend.make_queue({}), second = backend.make_queue({.blocking = false});
  Queues queues(backend);
  auto waits = [before = fake().calls("cuStreamWaitEvent")] {
    return fake().calls("cuStreamWaitEvent") - before;
  };
  const Ref<Buffer> made = backend.allocate(4096);
  backend.will_write(*made);
  backend.will_read(*made);
  CHECK(waits() == 0);
  queues.use(first);
  backend.will_read(*made);
  CHECK(waits() == 1);
  backend.will_read(*made);
  CHECK(waits() == 1);
  queues.use(second);
  backend.will_write(*made);  // after the device's own queue and after the reader
  CHECK(waits() == 3);
  queues.use(nullptr);
  backend.will_read(*made);
  CHECK(waits() == 4);
}

TEST_CASE(
    "a stream that is named by its handle is one queue, and lives as long as anybody names it") {
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  Backend& backend = *gpu.backend;
  Ref<Queue> made = backend.make_queue({});
  const uintptr_t handle = made->handle();
  Ref<Queue> named = backend.make_queue({.external = handle});
  CHECK(named == made);
  const int ended = fake().calls("cuStreamDestroy");
  made = nullptr;
  CHECK(fake().calls("cuStreamDestroy") == ended);
  named = nullptr;
  CHECK(fake().calls("cuStreamDestroy") == ended + 1);
  // A queue of somebody else, who may have ended it: it is not called. Its memory stays with it.
  const void* address;
  {
    Queues queues(backend);
    queues.use(backend.make_queue({.external = handle}));
    address = backend.allocate(4096)->data();
  }
  Queues queues(backend);
  queues.use(backend.make_queue({.external = handle}));
  CHECK(backend.allocate(4096)->data() == address);
}

TEST_CASE("freed memory is used again at once on its own queue only") {
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  Backend& backend = *gpu.backend;
  const size_t held = fake().memory_held();  // bytes that an earlier test lost
  const void* address = backend.allocate(1 << 20)->data();
  CHECK(backend.allocate(1 << 20)->data() == address);
  {
    const Ref<Queue> other = backend.make_queue({});
    Queues queues(backend);
    queues.use(other);
    const void* elsewhere = backend.allocate(1 << 20)->data();
    CHECK(elsewhere != address);
    CHECK(backend.allocate(1 << 20)->data() == elsewhere);
    queues.use(nullptr);
    CHECK(backend.allocate(1 << 20)->data() == address);
  }
  CHECK(backend.memory_use().used == 0);
  backend.free_all_blocks();
  CHECK(fake().memory_held() == held);
}

TEST_CASE("a queue that is out of memory takes what others have free, after their work") {
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  fake().set_memory(fake().memory_held() + (64 << 20));
  Backend& backend = *gpu.backend;
  { const Ref<Buffer> all = backend.allocate(48 << 20); }
  Queues queues(backend);
  queues.use(backend.make_queue({}));
  const int waits = fake().calls("cuStreamWaitEvent");
  CHECK(backend.allocate(40 << 20)->bytes() == 40 << 20);
  CHECK(fake().calls("cuStreamWaitEvent") == waits + 1);
  CHECK(error_of([&] { backend.allocate(80 << 20); }).kind() == ErrorKind::kMemory);
}

TEST_CASE("a reduction on another queue has scratch memory of its own") {
  NEEDS_NVRTC();
  FakeGpu gpu;
  REQUIRE_MESSAGE(gpu.backend, gpu.why_not);
  Backend& backend = *gpu.backend;
  const Plan plan = total_plan(1 << 20);
  const auto prepared = backend.prepare(plan, true);
  const Ref<Buffer> x = backend.allocate(4 << 20), total = backend.allocate(4);
  auto used = [&] {
    prepared->run({{x->data()}, {}, {total->data()}}, nullptr);
    return backend.memory_use().used;
  };
  const size_t own = used();
  CHECK(used() == own);
  Queues queues(backend);
  queues.use(backend.make_queue({}));
  const size_t both = used();
  CHECK(both > own);
  queues.use(nullptr);
  CHECK(used() == both);
}

}  // namespace gpy::rt
#endif
