#include "tests/ends/standing.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <thread>

namespace {
std::atomic<size_t> blocks{0};
}

// This program replaces operator new to count blocks. Under sanitizers theirs stay: they find more,
// and their quarantine keeps freed memory resident.
#ifndef __SANITIZE_ADDRESS__
namespace {

void* counted(size_t bytes, size_t alignment) {
  void* block = alignment > alignof(std::max_align_t)
                    ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                    : std::malloc(bytes ? bytes : 1);
  if (!block) throw std::bad_alloc();
  ++blocks;
  return block;
}

void give_back(void* block) noexcept {
  if (!block) return;
  --blocks;
  std::free(block);
}

}  // namespace

void* operator new(size_t bytes) { return counted(bytes, 1); }
void* operator new(size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* block) noexcept { give_back(block); }
void operator delete(void* block, size_t) noexcept { give_back(block); }
void operator delete(void* block, std::align_val_t) noexcept { give_back(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept { give_back(block); }
#endif

namespace gpy::test {

static int entries(const char* folder) {
  const std::filesystem::directory_iterator all(folder);
  return static_cast<int>(std::distance(begin(all), end(all)));
}

Standing Standing::now() {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // ended threads stay for a moment
  Standing standing;
  standing.blocks = ::blocks;
#ifndef __SANITIZE_ADDRESS__
  size_t whole = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> whole >> resident;
  standing.resident = resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
#endif
  standing.threads = entries("/proc/self/task");
  standing.files = entries("/proc/self/fd");
  return standing;
}

}  // namespace gpy::test
