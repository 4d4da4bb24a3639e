#include "runtime/host_kernel/access_shadow.h"

#include <sys/mman.h>

#include <algorithm>

#include "runtime/core/error.h"

namespace gpy::rt {
namespace {

// The bytes of word `word` that lie in [begin, end), a bit each.
uint32_t bytes_of(size_t word, size_t begin, size_t end) {
  const size_t start = word * AccessShadow::kWordBytes;
  const size_t first = std::max(begin, start) - start;
  const size_t last = std::min(end, start + AccessShadow::kWordBytes) - start;
  return (1u << last) - (1u << first);
}

}  // namespace

// Fresh pages are zeros, and those that nobody touches cost nothing.
AccessShadow::AccessShadow(size_t bytes, bool of_block)
    : words_((bytes + kWordBytes - 1) / kWordBytes),
      of_block_(of_block),
      mapped_(std::max<size_t>(words_, 1) * sizeof(Word)) {
  void* const memory = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    fail(ErrorKind::kMemory, "no memory for {} bytes that a checked launch needs", mapped_);
  madvise(memory, mapped_, MADV_HUGEPAGE);
  all_ = static_cast<Word*>(memory);
}

AccessShadow::~AccessShadow() { munmap(all_, mapped_); }

void AccessShadow::Word::forget_read(const Moment& by) {
  for (Access* each : {&read, &other_read}) {
    Moment& moment = each->moment;
    if (moment.block == by.block && moment.rank == by.rank) moment.block = 0;
  }
}

std::optional<AccessShadow::Meeting> AccessShadow::access(const ThreadOrder& order,
                                                          const Moment& now, size_t begin,
                                                          size_t end, MemoryUse use) {
  std::optional<Meeting> found;
  for (size_t i = begin / kWordBytes; i * kWordBytes < end; ++i) {
    Word& word = all_[i];
    const uint32_t bytes = bytes_of(i, begin, end);
    const auto meets = [&](const Access& access, bool atomic = false) {
      const Moment& before = access.moment;
      if (found || !(access.bytes & bytes) || (of_block_ && before.block != now.block)) return;
      if (order.races(before, now)) found = Meeting{before, atomic};
    };
    meets(word.write);
    if (!is_atomic(use)) meets(word.atomic, true);
    if (is_atomic(use)) word.forget_read(now);
    if (writes(use)) {
      meets(word.read);
      meets(word.other_read);
    }
    if (use == MemoryUse::kRead) {
      const Moment& last = word.read.moment;
      if (last.block == now.block && last.rank != now.rank) word.other_read = word.read;
      word.read = {now, bytes};
      continue;
    }
    if (use == MemoryUse::kAtomicRead) continue;
    (use == MemoryUse::kWrite ? word.write : word.atomic) = {now, bytes};
    if (word.block != now.block) word.written = 0;
    word.block = now.block;
    word.written |= bytes;
  }
  return found;
}

bool AccessShadow::has_unwritten(uint32_t block, size_t begin, size_t end) const {
  for (size_t i = begin / kWordBytes; i * kWordBytes < end; ++i) {
    const Word& word = all_[i];
    if (word.block != block || (bytes_of(i, begin, end) & ~word.written)) return true;
  }
  return false;
}

}  // namespace gpy::rt
