#include "fake_cuda.h"

#include "fake_memory.h"

#include <cuda.h>
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace {

struct Failure {
  int after = 0;
  CUresult code = CUDA_SUCCESS;
};

// Lets the n-th of all calls fail.
struct AnyFailure {
  int n = 0, calls = 0;
  bool stays = false;
  CUresult code = CUDA_SUCCESS;
  std::string first;  // the first call that failed

  CUresult enter(const char* function) {
    ++calls;
    const bool fails = n > 0 && (calls == n || (calls > n && stays));
    if (!fails) return CUDA_SUCCESS;
    if (first.empty()) first = function;
    return code;
  }
};

struct Launch {
  FakeLaunch seen{};
  std::vector<unsigned char> parameters;
};

struct Block {
  size_t bytes;
  bool managed;
};

struct State {
  std::mutex mutex;
  std::atomic<bool> counts{true};
  int devices = 1, version = 13000;
  size_t memory = size_t{1} << 30;
  size_t held = 0, largest = 0;
  CUresult lost = CUDA_SUCCESS;
  std::map<std::string, int> calls;
  std::map<std::string, Failure> failures;
  AnyFailure any;
  std::map<CUdeviceptr, Block> blocks;
  std::map<void*, size_t> pinned;
  std::deque<Launch> launches;
  std::deque<std::string> kernels;

  State() {
    if (const char* text = std::getenv("GPY_FAKE_CUDA_DEVICES")) devices = std::atoi(text);
    if (const char* text = std::getenv("GPY_FAKE_CUDA_VERSION")) version = std::atoi(text);
    if (const char* text = std::getenv("GPY_FAKE_CUDA_MEMORY"))
      memory = std::strtoull(text, nullptr, 10);
    if (const char* text = std::getenv("GPY_FAKE_CUDA_FAIL")) read_failure(text);
  }
  void read_failure(const std::string& text) {
    const size_t first = text.find(':'), second = text.find(':', first + 1);
    if (second == std::string::npos) return;
    failures[text.substr(0, first)] = {std::atoi(text.c_str() + first + 1),
                                       static_cast<CUresult>(std::atoi(text.c_str() + second + 1))};
  }
};

thread_local std::vector<CUcontext> contexts;

State& state() {
  static State& state = *new State;  // threads may outlive the end of main
  return state;
}

// Acts as the driver does at the end of a process.
__attribute__((destructor)) void end() { state().lost = CUDA_ERROR_DEINITIALIZED; }

// Counts the call. Gives the error that it must return at once, if any.
CUresult enter(const char* function) {
  State& s = state();
  if (!s.counts.load(std::memory_order_relaxed)) return CUDA_SUCCESS;
  const std::lock_guard lock(s.mutex);
  ++s.calls[function];
  if (const CUresult code = s.any.enter(function); code != CUDA_SUCCESS) return code;
  const auto failure = s.failures.find(function);
  if (failure != s.failures.end() && --failure->second.after == 0) {
    const CUresult code = failure->second.code;
    s.failures.erase(failure);
    return code;
  }
  return s.lost;
}

// Streams are numbered, and numbers are reused. The first is for lent streams and the driver's own.
constexpr size_t kFirstStream = 0x2000, kStreams = size_t{1} << 16;

std::atomic<bool>& has_ended(CUstream stream) {
  static std::atomic<bool> flags[kStreams];
  const size_t index = reinterpret_cast<size_t>(stream) - kFirstStream;
  return flags[index < kStreams ? index : 0];
}

FakeStream& stream_at(CUstream stream) {
  static FakeStream streams[kStreams];
  const size_t index = reinterpret_cast<size_t>(stream) - kFirstStream;
  return streams[index < kStreams ? index : 0];
}

CUstream new_stream(unsigned flags, int priority) {
  static std::atomic<size_t> made{0};
  const auto stream = reinterpret_cast<CUstream>(kFirstStream + 1 + made++ % (kStreams - 1));
  has_ended(stream) = false;
  stream_at(stream).flags = flags;
  stream_at(stream).priority = priority;
  return stream;
}

// The driver crashes where it is given a stream that has ended.
CUresult enter(const char* function, CUstream stream) {
  if (!has_ended(stream)) return enter(function);
  std::fprintf(stderr, "%s of a stream that has ended\n", function);
  std::abort();
}

#define ENTER(...) \
  if (const CUresult code_ = enter(__VA_ARGS__); code_ != CUDA_SUCCESS) return code_

template <class T> T handle(size_t number) { return reinterpret_cast<T>(number); }

// --- start and devices ---

CUresult init(unsigned) {
  ENTER("cuInit");
  return CUDA_SUCCESS;
}
CUresult driver_version(int* version) {
  ENTER("cuDriverGetVersion");
  *version = state().version;
  return CUDA_SUCCESS;
}
CUresult error_name(CUresult code, const char** text) {
  *text = code == CUDA_ERROR_OUT_OF_MEMORY       ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == CUDA_ERROR_NO_BINARY_FOR_GPU ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : code == CUDA_ERROR_ILLEGAL_ADDRESS   ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                                 : "CUDA_ERROR_FAKE";
  return CUDA_SUCCESS;
}
CUresult error_string(CUresult, const char** text) {
  *text = "as the test asked";
  return CUDA_SUCCESS;
}
CUresult device_get(CUdevice* device, int ordinal) {
  ENTER("cuDeviceGet");
  *device = ordinal;
  return ordinal < state().devices ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult device_count(int* count) {
  ENTER("cuDeviceGetCount");
  *count = state().devices;
  return CUDA_SUCCESS;
}
CUresult device_name(char* name, int bytes, CUdevice) {
  ENTER("cuDeviceGetName");
  std::strncpy(name, "Fake GPU", bytes);
  return CUDA_SUCCESS;
}
CUresult device_attribute(int* value, CUdevice_attribute which, CUdevice) {
  ENTER("cuDeviceGetAttribute");
  if (which < 1 || which >= CU_DEVICE_ATTRIBUTE_MAX) return CUDA_ERROR_INVALID_VALUE;
  *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? 9
           : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0
                                                                   : 132;
  return CUDA_SUCCESS;
}

// --- contexts and streams ---

CUresult retain(CUcontext* context, CUdevice device) {
  ENTER("cuDevicePrimaryCtxRetain");
  *context = handle<CUcontext>(0x1000 + device);
  return CUDA_SUCCESS;
}
CUresult release_context(CUdevice) {
  ENTER("cuDevicePrimaryCtxRelease");
  return CUDA_SUCCESS;
}
CUresult current(CUcontext* context) {
  ENTER("cuCtxGetCurrent");
  *context = contexts.empty() ? nullptr : contexts.back();
  return CUDA_SUCCESS;
}
CUresult push(CUcontext context) {
  ENTER("cuCtxPushCurrent");
  contexts.push_back(context);
  return CUDA_SUCCESS;
}
CUresult pop(CUcontext* context) {
  if (contexts.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (context) *context = contexts.back();
  contexts.pop_back();
  ENTER("cuCtxPopCurrent");
  return CUDA_SUCCESS;
}
CUresult context_synchronize() {
  ENTER("cuCtxSynchronize");
  return CUDA_SUCCESS;
}
CUresult priority_range(int* lowest, int* highest) {
  ENTER("cuCtxGetStreamPriorityRange");
  *lowest = 0;
  *highest = -5;
  return CUDA_SUCCESS;
}
CUresult stream_create(CUstream* stream, unsigned flags) {
  ENTER("cuStreamCreate");
  *stream = new_stream(flags, 0);
  return CUDA_SUCCESS;
}
CUresult stream_create_with_priority(CUstream* stream, unsigned flags, int priority) {
  ENTER("cuStreamCreateWithPriority");
  *stream = new_stream(flags, priority);
  return CUDA_SUCCESS;
}
CUresult stream_query(CUstream stream) {
  ENTER("cuStreamQuery", stream);
  return CUDA_SUCCESS;
}
CUresult event_query(CUevent) {
  ENTER("cuEventQuery");
  return CUDA_SUCCESS;
}
CUresult stream_destroy(CUstream stream) {
  ENTER("cuStreamDestroy", stream);
  has_ended(stream) = true;
  return CUDA_SUCCESS;
}
CUresult synchronize(CUstream stream) {
  ENTER("cuStreamSynchronize", stream);
  return fake_invalidates(stream) ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}
// Events are numbered, and numbers are reused.
constexpr size_t kFirstEvent = 0x300000, kEvents = size_t{1} << 16;

struct EventState {
  std::atomic<bool> timed, recorded;
};
EventState& event_state(CUevent event) {
  static EventState states[kEvents];
  return states[(reinterpret_cast<size_t>(event) - kFirstEvent) % kEvents];
}

CUresult event_create(CUevent* event, unsigned flags) {
  ENTER("cuEventCreate");
  static std::atomic<size_t> made{0};
  *event = handle<CUevent>(kFirstEvent + made++ % kEvents);
  event_state(*event).timed = !(flags & CU_EVENT_DISABLE_TIMING);
  event_state(*event).recorded = false;
  return CUDA_SUCCESS;
}
CUresult event_destroy(CUevent) {
  ENTER("cuEventDestroy");
  return CUDA_SUCCESS;
}
CUresult event_record(CUevent event, CUstream stream) {
  ENTER("cuEventRecord", stream);
  event_state(event).recorded = true;
  return CUDA_SUCCESS;
}
CUresult elapsed(float* milliseconds, CUevent start, CUevent end) {
  ENTER("cuEventElapsedTime");
  for (CUevent each : {start, end}) {
    if (!event_state(each).timed || !event_state(each).recorded) return CUDA_ERROR_INVALID_HANDLE;
  }
  *milliseconds = 0.5f;
  return CUDA_SUCCESS;
}
CUresult event_synchronize(CUevent) {
  ENTER("cuEventSynchronize");
  return CUDA_SUCCESS;
}
CUresult stream_wait(CUstream stream, CUevent, unsigned) {
  ENTER("cuStreamWaitEvent", stream);
  return CUDA_SUCCESS;
}

// --- memory ---

CUresult memory_info(size_t* free, size_t* total) {
  ENTER("cuMemGetInfo");
  State& s = state();
  const std::lock_guard lock(s.mutex);
  *total = s.memory;
  *free = s.memory - s.held;
  return CUDA_SUCCESS;
}
CUresult allocate(CUdeviceptr* address, size_t bytes) {
  ENTER("cuMemAlloc");
  return fake_allocate(address, bytes, false);
}
CUresult free_memory(CUdeviceptr address) {
  ENTER("cuMemFree");
  return fake_free(address);
}
CUresult host_allocate(void** address, size_t bytes, unsigned) {
  ENTER("cuMemHostAlloc");
  *address = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.pinned[*address] = bytes;
  return CUDA_SUCCESS;
}
CUresult host_free(void* address) {
  ENTER("cuMemFreeHost");
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (s.pinned.erase(address) == 0) return CUDA_ERROR_INVALID_VALUE;
  std::free(address);
  return CUDA_SUCCESS;
}
CUresult to_device(CUdeviceptr to, const void* from, size_t bytes, CUstream) {
  ENTER("cuMemcpyHtoDAsync");
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return CUDA_SUCCESS;
}
CUresult to_host(void* to, CUdeviceptr from, size_t bytes, CUstream) {
  ENTER("cuMemcpyDtoHAsync");
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return CUDA_SUCCESS;
}
CUresult within_device(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream) {
  ENTER("cuMemcpyDtoDAsync");
  std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return CUDA_SUCCESS;
}
CUresult fill(CUdeviceptr to, unsigned char value, size_t count, CUstream) {
  ENTER("cuMemsetD8Async");
  std::memset(reinterpret_cast<void*>(to), value, count);
  return CUDA_SUCCESS;
}
CUresult fill_rows(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t rows,
                   CUstream) {
  ENTER("cuMemsetD2D8Async");
  for (size_t i = 0; i < rows; ++i) {
    std::memset(reinterpret_cast<char*>(to) + i * pitch, value, width);
  }
  return CUDA_SUCCESS;
}
// --- modules and launches ---

struct Module {
  std::string image;
  bool is_ptx = false;
};

// The newest PTX that it takes, as "8.2"; below CUDA 12 it takes none.
double newest_ptx() {
  const int version = state().version;
  if (version < 12000) return 0;
  return version / 1000 - 4 + version % 1000 / 100.0;
}
// Cubins of toolkits of a newer major version than its own are refused.
CUresult load_ptx(CUmodule* module, const std::string& text) {
  const size_t label = text.find("\n.version ");
  if (label == text.npos) return CUDA_ERROR_INVALID_IMAGE;
  if (std::atof(text.c_str() + label + 10) > newest_ptx())
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  *module = reinterpret_cast<CUmodule>(new Module{text, true});
  return CUDA_SUCCESS;
}

// The size of a cubin, an ELF file that ends with its section headers or its program headers.
size_t image_bytes(const void* image) {
  const auto* header = static_cast<const Elf64_Ehdr*>(image);
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return 0;
  const size_t sections = header->e_shoff + size_t{header->e_shentsize} * header->e_shnum;
  const size_t programs = header->e_phoff + size_t{header->e_phentsize} * header->e_phnum;
  return std::max(sections, programs);
}
CUresult module_load(CUmodule* module, const void* image) {
  ENTER("cuModuleLoadData");
  const size_t bytes = image_bytes(image);
  if (bytes == 0) return load_ptx(module, static_cast<const char*>(image));
  if (fake_cuda_is_older()) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  *module = reinterpret_cast<CUmodule>(new Module{{static_cast<const char*>(image), bytes}, false});
  return CUDA_SUCCESS;
}
// What is linked is the code alone.
CUresult link_create(unsigned, CUjit_option*, void**, CUlinkState* state) {
  ENTER("cuLinkCreate");
  *state = reinterpret_cast<CUlinkState>(new std::string);
  return CUDA_SUCCESS;
}
CUresult link_data(CUlinkState state, CUjitInputType, void* data, size_t bytes, const char*,
                   unsigned, CUjit_option*, void**) {
  ENTER("cuLinkAddData");
  reinterpret_cast<std::string*>(state)->assign(static_cast<const char*>(data), bytes);
  return CUDA_SUCCESS;
}
CUresult link_file(CUlinkState, CUjitInputType, const char*, unsigned, CUjit_option*, void**) {
  ENTER("cuLinkAddFile");
  return CUDA_SUCCESS;
}
CUresult link_complete(CUlinkState state, void** code, size_t* bytes) {
  ENTER("cuLinkComplete");
  auto& linked = *reinterpret_cast<std::string*>(state);
  *code = linked.data();
  *bytes = linked.size();
  return CUDA_SUCCESS;
}
CUresult link_destroy(CUlinkState state) {
  ENTER("cuLinkDestroy");
  delete reinterpret_cast<std::string*>(state);
  return CUDA_SUCCESS;
}
CUresult module_unload(CUmodule module) {
  ENTER("cuModuleUnload");
  delete reinterpret_cast<Module*>(module);
  return CUDA_SUCCESS;
}
CUresult module_function(CUfunction* function, CUmodule module, const char* name) {
  ENTER("cuModuleGetFunction");
  const auto& [image, is_ptx] = *reinterpret_cast<Module*>(module);
  const std::string symbol =
      is_ptx ? std::string(".entry ") + name + '(' : '\0' + (name + std::string(1, '\0'));
  if (image.find(symbol) == std::string::npos) {
    return CUDA_ERROR_NOT_FOUND;
  }
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.kernels.push_back(name);
  *function = reinterpret_cast<CUfunction>(&s.kernels.back());
  return CUDA_SUCCESS;
}
// A module of the fake has no variables.
CUresult module_global(CUdeviceptr*, size_t*, CUmodule, const char*) {
  ENTER("cuModuleGetGlobal");
  return CUDA_ERROR_NOT_FOUND;
}
CUresult read_attribute(int* value, CUfunction_attribute attribute, CUfunction) {
  ENTER("cuFuncGetAttribute");
  *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 0;
  return CUDA_SUCCESS;
}
CUresult function_attribute(CUfunction, CUfunction_attribute, int value) {
  ENTER("cuFuncSetAttribute");
  return value > 227 * 1024 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult occupancy(int* blocks, CUfunction, int threads, size_t) {
  ENTER("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  *blocks = 132 / threads;
  return CUDA_SUCCESS;
}
void note_launch(Launch record) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.launches.push_back(std::move(record));
  FakeLaunch& kept = s.launches.back().seen;
  const std::vector<unsigned char>& parameters = s.launches.back().parameters;
  if (!parameters.empty()) kept.parameters = parameters.data();
  kept.parameter_bytes = parameters.size();
}
CUresult launch(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                unsigned by, unsigned bz, unsigned shared, CUstream stream, void**, void** extra) {
  ENTER("cuLaunchKernel");
  if (gx * gy * gz == 0 || bx * by * bz == 0 || bx * by * bz > 1024)
    return CUDA_ERROR_INVALID_VALUE;
  State& s = state();
  if (!s.counts.load(std::memory_order_relaxed)) return CUDA_SUCCESS;
  Launch record;
  record.seen = {reinterpret_cast<std::string*>(function)->c_str(),
                 {gx, gy, gz},
                 {bx, by, bz},
                 shared,
                 nullptr,
                 0};
  if (extra) {
    const auto* bytes = static_cast<const unsigned char*>(extra[1]);
    record.parameters.assign(bytes, bytes + *static_cast<size_t*>(extra[3]));
  }
  if (!fake_capture(stream, [record] { note_launch(record); })) note_launch(std::move(record));
  return CUDA_SUCCESS;
}
CUresult launch_together(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                         unsigned by, unsigned bz, unsigned shared, CUstream stream,
                         void** arguments) {
  ENTER("cuLaunchCooperativeKernel");
  return launch(function, gx, gy, gz, bx, by, bz, shared, stream, arguments, nullptr);
}

// --- controls ---

void reset() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.counts = true;
  s.devices = 1;
  s.memory = size_t{1} << 30;
  s.largest = 0;
  s.lost = CUDA_SUCCESS;
  s.calls.clear();
  s.failures.clear();
  s.any = {};
  s.launches.clear();
  s.kernels.clear();
  contexts.clear();
}

const FakeCuda kControls = {
    reset,
    [](int count) { state().devices = count; },
    [](size_t bytes) { state().memory = bytes; },
    [](const char* function, int n, int code) {
      state().failures[function] = {n, static_cast<CUresult>(code)};
    },
    [](int n, int code, bool stays) {
      State& s = state();
      const std::lock_guard lock(s.mutex);
      s.any = {n, 0, stays, static_cast<CUresult>(code), {}};
    },
    [] { return state().any.calls; },
    [] { return state().any.first.empty() ? nullptr : state().any.first.c_str(); },
    [](int code) { state().lost = static_cast<CUresult>(code); },
    [](bool counts) { state().counts = counts; },
    [](const char* function) { return state().calls[function]; },
    [] { return state().held; },
    [] { return state().largest; },
    [] { return static_cast<int>(contexts.size()); },
    [] { return static_cast<int>(state().launches.size()); },
    [](int index) -> const FakeLaunch* { return &state().launches.at(index).seen; },
};

// Every entry must have the type that the driver's header gives it.
template <class Function> void* address_of(Function* function, Function* checked) {
  static_cast<void>(checked);
  return reinterpret_cast<void*>(function);
}

std::map<std::string, void*> with_memory(std::map<std::string, void*> entries) {
  entries.merge(fake_memory_entries());
  entries.merge(fake_control_entries());
  entries.merge(fake_graph_entries());
  entries.merge(fake_texture_entries());
  return entries;
}

const std::map<std::string, void*>& entries() {
#define ENTRY(name, function) \
  { #name, address_of(function, static_cast <decltype(&::name)>(nullptr)) }
  static const std::map<std::string, void*> kEntries = with_memory({
      ENTRY(cuInit, init),
      ENTRY(cuDriverGetVersion, driver_version),
      ENTRY(cuGetErrorName, error_name),
      ENTRY(cuGetErrorString, error_string),
      ENTRY(cuDeviceGet, device_get),
      ENTRY(cuDeviceGetCount, device_count),
      ENTRY(cuDeviceGetName, device_name),
      ENTRY(cuDeviceGetAttribute, device_attribute),
      ENTRY(cuDevicePrimaryCtxRetain, retain),
      {"cuDevicePrimaryCtxRelease",
       address_of(release_context, static_cast<decltype(&::cuDevicePrimaryCtxRelease)>(nullptr))},
      ENTRY(cuCtxGetCurrent, current),
      ENTRY(cuCtxSynchronize, context_synchronize),
      ENTRY(cuCtxGetStreamPriorityRange, priority_range),
      ENTRY(cuStreamCreateWithPriority, stream_create_with_priority),
      ENTRY(cuStreamQuery, stream_query),
      ENTRY(cuEventQuery, event_query),
      {"cuEventElapsedTime",
       address_of(elapsed, static_cast<decltype(&::cuEventElapsedTime)>(nullptr))},
      {"cuCtxPushCurrent", address_of(push, static_cast<decltype(&::cuCtxPushCurrent)>(nullptr))},
      {"cuCtxPopCurrent", address_of(pop, static_cast<decltype(&::cuCtxPopCurrent)>(nullptr))},
      ENTRY(cuStreamCreate, stream_create),
      {"cuStreamDestroy",
       address_of(stream_destroy, static_cast<decltype(&::cuStreamDestroy)>(nullptr))},
      ENTRY(cuStreamSynchronize, synchronize),
      ENTRY(cuStreamWaitEvent, stream_wait),
      ENTRY(cuEventCreate, event_create),
      {"cuEventDestroy",
       address_of(event_destroy, static_cast<decltype(&::cuEventDestroy)>(nullptr))},
      ENTRY(cuEventRecord, event_record),
      ENTRY(cuEventSynchronize, event_synchronize),
      {"cuMemGetInfo", address_of(memory_info, static_cast<decltype(&::cuMemGetInfo)>(nullptr))},
      {"cuMemAlloc", address_of(allocate, static_cast<decltype(&::cuMemAlloc)>(nullptr))},
      {"cuMemFree", address_of(free_memory, static_cast<decltype(&::cuMemFree)>(nullptr))},
      ENTRY(cuMemHostAlloc, host_allocate),
      ENTRY(cuMemFreeHost, host_free),
      {"cuMemcpyHtoDAsync",
       address_of(to_device, static_cast<decltype(&::cuMemcpyHtoDAsync)>(nullptr))},
      {"cuMemcpyDtoHAsync",
       address_of(to_host, static_cast<decltype(&::cuMemcpyDtoHAsync)>(nullptr))},
      {"cuMemcpyDtoDAsync",
       address_of(within_device, static_cast<decltype(&::cuMemcpyDtoDAsync)>(nullptr))},
      ENTRY(cuMemsetD8Async, fill),
      ENTRY(cuMemsetD2D8Async, fill_rows),
      ENTRY(cuModuleLoadData, module_load),
      ENTRY(cuModuleUnload, module_unload),
      {"cuLinkCreate", address_of(link_create, static_cast<decltype(&::cuLinkCreate)>(nullptr))},
      {"cuLinkAddData", address_of(link_data, static_cast<decltype(&::cuLinkAddData)>(nullptr))},
      {"cuLinkAddFile", address_of(link_file, static_cast<decltype(&::cuLinkAddFile)>(nullptr))},
      ENTRY(cuLinkComplete, link_complete),
      ENTRY(cuLinkDestroy, link_destroy),
      {"cuModuleGetGlobal",
       address_of(module_global, static_cast<decltype(&::cuModuleGetGlobal)>(nullptr))},
      ENTRY(cuModuleGetFunction, module_function),
      ENTRY(cuFuncGetAttribute, read_attribute),
      ENTRY(cuFuncSetAttribute, function_attribute),
      ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessor, occupancy),
      ENTRY(cuLaunchCooperativeKernel, launch_together),
      ENTRY(cuLaunchKernel, launch),
  });
#undef ENTRY
  return kEntries;
}

}  // namespace

// --- memory, for the functions of fake_memory.cpp too ---

CUresult fake_allocate(CUdeviceptr* address, size_t bytes, bool managed) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > s.memory - s.held) return CUDA_ERROR_OUT_OF_MEMORY;
  void* block = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (!block) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<CUdeviceptr>(block);
  s.blocks[*address] = {bytes, managed};
  s.held += bytes;
  s.largest = std::max(s.largest, bytes);
  return CUDA_SUCCESS;
}
CUresult fake_free(CUdeviceptr address) {
  fake_leave_pool(address);
  State& s = state();
  const std::lock_guard lock(s.mutex);
  const auto block = s.blocks.find(address);
  if (block == s.blocks.end()) return CUDA_ERROR_INVALID_VALUE;
  s.held -= block->second.bytes;
  s.blocks.erase(block);
  std::free(reinterpret_cast<void*>(address));
  return CUDA_SUCCESS;
}
CUresult fake_find(CUdeviceptr address, FakeBlock* found) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (auto next = s.blocks.upper_bound(address); next != s.blocks.begin()) {
    --next;
    *found = {next->first, next->second.bytes, false, next->second.managed};
    if (address - found->begin < found->bytes) return CUDA_SUCCESS;
  }
  void* const memory = reinterpret_cast<void*>(address);
  if (auto next = s.pinned.upper_bound(memory); next != s.pinned.begin()) {
    --next;
    *found = {reinterpret_cast<CUdeviceptr>(next->first), next->second, true, false};
    if (address - found->begin < found->bytes) return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

const FakeStream& fake_stream(CUstream stream) { return stream_at(stream); }

CUresult fake_pin(void* address, size_t bytes) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  return s.pinned.emplace(address, bytes).second ? CUDA_SUCCESS
                                                 : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
}

CUresult fake_unpin(void* address) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  return s.pinned.erase(address) ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}

extern "C" {

__attribute__((visibility("default"))) CUresult cuGetProcAddress_v2(
    const char* symbol, void** address, int, cuuint64_t, CUdriverProcAddressQueryResult* status) {
  const auto entry = entries().find(symbol);
  *address = entry == entries().end() ? nullptr : entry->second;
  if (status) {
    *status = *address ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  }
  return *address ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

__attribute__((visibility("default"))) const FakeCuda* fake_cuda_controls() { return &kControls; }

__attribute__((visibility("default"))) bool fake_cuda_is_older() {
  return state().version / 1000 < CUDA_VERSION / 1000;
}
__attribute__((visibility("default"))) int fake_cuda_enter(const char* function) {
  return enter(function);
}

// Preloaded: the device nodes that gpy looks for before it opens a driver are there.
__attribute__((visibility("default"))) int access(const char* path, int mode) {
  if (std::strncmp(path, "/dev/nvidia", 11) == 0) return 0;
  return faccessat(AT_FDCWD, path, mode, 0);
}
}
