// Raw memory of the host and of the fake GPU: one contract.

#include "runtime/memory/raw_memory.h"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "runtime/core/cuda_error.h"
#include "runtime/cpu/cpu_backend.h"
#include "runtime/cuda/make_backend.h"

namespace gpy::rt {
namespace {

using Source = RawMemory::Source;

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<std::unique_ptr<Backend>> all;
  all.push_back(make_cpu_backend());
#if GPY_HAVE_CUDA
  std::string why_not;
  if (auto gpu = make_cuda_backend(GPY_FAKE_CUDA, 0, &why_not)) all.push_back(std::move(gpu));
#endif
  return all;
}

template <class F> int code_of(F&& f) {
  try {
    f();
  } catch (const CudaError& error) {
    return error.code();
  }
  return 0;
}

TEST_CASE("raw memory is copied, filled and told about") {
  for (const auto& backend : backends()) {
    RawMemory& memory = backend->raw_memory();
    CAPTURE(backend->device_info().kind);
    char text[16] = "raw memory here", back[16] = {};
    for (Source source : {Source::kDevice, Source::kManaged, Source::kPinned, Source::kOrdered}) {
      RawBlock block(memory, source, 16);
      RawBlock other(memory, 16, Ref<Queue>(&backend->own_queue()));
      memory.copy(block.address(), text, 16);
      memory.copy(other.address(), block.address(), 16, &backend->own_queue());
      memory.copy(back, other.address(), 16);
      CHECK(std::memcmp(text, back, 16) == 0);
      memory.fill(block.address(), 7, 8);
      memory.copy(back, block.address(), 16);
      CHECK(back[7] == 7);
      CHECK(back[8] == text[8]);
      const PointerFacts facts = memory.facts(static_cast<char*>(block.address()) + 3);
      CHECK(facts.kind == (source == Source::kManaged  ? PointerKind::kManaged
                           : source == Source::kPinned ? PointerKind::kHost
                                                       : PointerKind::kDevice));
      CHECK(facts.device == 0);
      block.free();
      CHECK(block.address() == nullptr);
    }
    CHECK(memory.facts(text).kind == PointerKind::kUnregistered);
  }
}

TEST_CASE("rows with pitches are copied as rows") {
  for (const auto& backend : backends()) {
    RawMemory& memory = backend->raw_memory();
    char text[] = "abcdefgh", back[5] = {};
    RawBlock block(memory, Source::kDevice, 8);
    memory.copy(block.address(), text, 8);
    memory.copy_rows(back, block.address(), {2, 4, 2, 2});
    CHECK(std::string(back) == "abef");
    CHECK(code_of([&] { memory.copy_rows(back, block.address(), {1, 4, 2, 2}); }) == 12);
  }
}

TEST_CASE("what cannot be is refused in CUDA's words") {
  for (const auto& backend : backends()) {
    RawMemory& memory = backend->raw_memory();
    RawBlock block(memory, Source::kDevice, 8), pinned(memory, Source::kPinned, 8);
    char text[16] = {};
    CHECK(code_of([&] { memory.allocate(Source::kManaged, 0); }) == 1);
    CHECK(memory.allocate(Source::kDevice, 0) == nullptr);
    CHECK(code_of([&] { memory.allocate(Source::kDevice, size_t{1} << 60); }) == 2);
    CHECK(code_of([&] { memory.free(Source::kDevice, text); }) == 1);
    CHECK(code_of([&] { memory.free(Source::kDevice, pinned.address()); }) == 1);
    CHECK(code_of([&] { memory.free(Source::kPinned, block.address()); }) == 1);
    CHECK(code_of([&] { memory.copy(block.address(), text, 16); }) == 1);
    CHECK(code_of([&] { memory.copy(nullptr, text, 1); }) == 1);
    CHECK(code_of([&] { memory.unregister_host(text); }) == 713);
    memory.register_host(text, 16, 0);
    CHECK(code_of([&] { memory.register_host(text, 16, 0); }) == 712);
    CHECK(memory.facts(text + 15).kind == PointerKind::kHost);
    memory.unregister_host(text);
    CHECK(code_of([&] { memory.advise(block.address(), 8, 1, 0); }) == 1);
  }
}

TEST_CASE("pools count what is taken from them") {
  constexpr int kThreshold = 4, kUsed = 7, kMostUsed = 8;
  for (const auto& backend : backends()) {
    RawMemory& memory = backend->raw_memory();
    CAPTURE(backend->device_info().kind);
    const uintptr_t own = memory.default_pool(), pool = memory.make_pool({});
    CHECK(memory.current_pool() == own);
    memory.set_current_pool(pool);
    {
      RawBlock block(memory, 1000, Ref<Queue>(&backend->own_queue()));
      RawBlock other(memory, 24, Ref<Queue>(&backend->own_queue()), own);
      CHECK(memory.pool_attribute(pool, kUsed) == 1000);
    }
    CHECK(memory.pool_attribute(pool, kUsed) == 0);
    CHECK(memory.pool_attribute(pool, kMostUsed) == 1000);
    memory.set_pool_attribute(pool, kThreshold, 5);
    CHECK(memory.pool_attribute(pool, kThreshold) == 5);
    memory.trim_pool(pool, 0);
    CHECK(code_of([&] { memory.pool_attribute(pool, 99); }) == 1);
    CHECK(code_of([&] { memory.destroy_pool(own); }) == 1);
    CHECK(code_of([&] { memory.set_current_pool(0); }) == 1);
    memory.destroy_pool(pool);
    CHECK(memory.current_pool() == own);
  }
}

TEST_CASE("errors have the runtime's names and the driver's") {
  CHECK(cuda_error_text(1) == "cudaErrorInvalidValue: invalid argument");
  CHECK(cuda_driver_error_text(400) == "CUDA_ERROR_INVALID_HANDLE: invalid resource handle");
  CHECK(cuda_error_text(12345) == "cudaErrorUnknown: unrecognized error code");
}

}  // namespace
}  // namespace gpy::rt
