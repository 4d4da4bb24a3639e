#include "runtime/host_kernel/launch_watch.h"

#include <algorithm>
#include <cstring>

#include "runtime/host_kernel/guarded_run.h"
#include "runtime/host_kernel/host_shim.h"
#include "runtime/host_kernel/nan_bits.h"
#include "runtime/host_kernel/shared_memory.h"
#include "runtime/kernel/checks/check_text.h"

namespace gpy::rt {
namespace {

using Kind = Finding::Kind;

// Races on larger arrays are not looked for: what is remembered of a word takes 30 times its bytes.
constexpr int64_t kMostShadowed = int64_t{64} << 20;

Dim3 point_of(uint64_t index, Dim3 extents) {
  const uint64_t rest = index / extents.x;
  return {static_cast<uint32_t>(index % extents.x), static_cast<uint32_t>(rest % extents.y),
          static_cast<uint32_t>(rest / extents.y)};
}

void copy_point(uint32_t (&to)[3], Dim3 from) { to[0] = from.x, to[1] = from.y, to[2] = from.z; }

}  // namespace

LaunchWatch::LaunchWatch(LaunchChecks& checks, const KernelObject& object,
                         const KernelLaunch& launch)
    : checks_(checks), object_(object), grid_(launch.grid), extents_(launch.block) {
  shared_bytes_ = launch.shared_bytes;
  for (const CheckedMemory& each : checks.memory) {
    const bool shadowed = each.bytes > 0 && each.bytes <= kMostShadowed;
    globals_.push_back(
        {&each, shadowed ? std::make_unique<AccessShadow>(each.bytes, false) : nullptr});
  }
}

// --- findings ------------------------------------------------------------------------------------

void LaunchWatch::found(const Finding& finding, const KernelPosition& position) {
  PlacedFinding placed;
  static_cast<Finding&>(placed) = finding;
  if (const auto* file = reinterpret_cast<const char*>(finding.file)) placed.file_name = file;
  placed.element = position.element;
  keep(std::move(placed));
}

void LaunchWatch::keep(PlacedFinding finding) {
  if (finding.where) {
    const auto [at, is_new] = lines_.try_emplace(finding.where);
    if (is_new) at->second = object_.line_of(static_cast<const char*>(finding.where) - 1);
    const SourceLine& line = at->second;
    if (line.file != kCalledFile && line.file != kChecksFile) {
      finding.file_name = line.file;
      finding.line = line.line;
    }
  }
  checks_.keep(std::move(finding));
}

// Functions of CUDA's names have noted who called them.
PlacedFinding LaunchWatch::finding_at(Kind kind, const Block& block, unsigned rank,
                                      const Touch& touch, const KernelPosition& position) const {
  PlacedFinding out;
  static_cast<Finding&>(out) = {};
  out.kind = kind;
  out.array = -1;
  out.where = touch.where;
  if (position.file) out.file_name = position.file;
  out.line = position.line;
  out.element = position.element;
  copy_point(out.block, block.at);
  copy_point(out.thread, point_of(rank, extents_));
  return out;
}

void LaunchWatch::name_other(PlacedFinding& finding, const Moment& other) const {
  if (finding.element >= 0) {
    finding.other_element = static_cast<int64_t>(other.block) - 1;
    return;
  }
  copy_point(finding.other, point_of(other.rank, extents_));
  copy_point(finding.other_block, point_of(other.block - 1, grid_));
}

void LaunchWatch::name_shared(PlacedFinding& finding, const std::byte* at) const {
  auto after = shared_.upper_bound(at);
  if (after == shared_.begin()) return;
  const SharedArray& array = std::prev(after)->second;
  const auto offset = static_cast<uint64_t>(at - array.at);
  if (offset >= array.bytes) return;
  finding.index = array.bytes == array.item ? -1 : static_cast<int64_t>(offset / array.item);
  finding.name = (*checks_.names)[static_cast<size_t>(array.name)];
}

// --- accesses ------------------------------------------------------------------------------------

LaunchWatch::Block* LaunchWatch::block_of(const GuardedRun& run, const void* frame,
                                          unsigned& rank) {
  for (const BlockMemory& each : run.memory()) {
    if (!BlockStacks::find_thread(each.region, object_.stack_shift(), frame, &rank)) continue;
    const Dim3& at = run.position().thread;  // a copy would wait for the object's stores
    if (each.alone) rank = at.x + extents_.x * (at.y + extents_.y * at.z);
    const auto found = blocks_.find(each.region);
    return found == blocks_.end() ? nullptr : &found->second;
  }
  return nullptr;
}

void LaunchWatch::touched(const GuardedRun& run, const Touch& touch, const void* frame) {
  settle();
  unsigned rank = 0;
  Block* const block = block_of(run, frame, rank);
  if (!block) return;
  if (early_reads_.are_of_others({block, rank})) keep_early_reads();
  if (is_atomic(touch.use)) {
    early_reads_.prove(touch.at);
    ++atomics_;
  }
  for (SharedPart& part : block->shared) {
    const auto offset = static_cast<uint64_t>(touch.at - part.begin);
    if (touch.at >= part.begin && offset + touch.bytes <= part.shadow->bytes())
      touch_shared(*block, rank, touch, part, run.position());
  }
  for (Global& each : globals_) {
    const CheckedMemory& memory = *each.memory;
    const int64_t offset = touch.at - memory.address;
    if (offset < 0 || offset + static_cast<int64_t>(touch.bytes) > memory.bytes) continue;
    touch_global(*block, rank, touch, each, run.position());
    if (checks_.nan) look_for_nan(run, *block, rank, touch, each);
    break;
  }
  if (is_atomic(touch.use)) block->order.note_atomic(rank, atomics_);
}

void LaunchWatch::touch_shared(Block& block, unsigned rank, const Touch& touch, SharedPart& part,
                               const KernelPosition& position) {
  const auto begin = static_cast<size_t>(touch.at - part.begin), end = begin + touch.bytes;
  const Moment now = block.order.now(rank, atomics_);
  if (reads(touch.use) && part.shadow->has_unwritten(now.block, begin, end)) {
    PlacedFinding finding = finding_at(Kind::kUninitialised, block, rank, touch, position);
    name_shared(finding, touch.at);
    if (!finding.name.empty()) keep(std::move(finding));
  }
  const auto other = part.shadow->access(block.order, now, begin, end, touch.use);
  if (!other) return;
  PlacedFinding finding = finding_at(Kind::kSharedRace, block, rank, touch, position);
  name_other(finding, other->moment);
  name_shared(finding, touch.at);
  if (!finding.name.empty()) race(std::move(finding), touch, other->atomic);
}

// The elements of a generated kernel come in no order, whichever threads compute them.
Moment LaunchWatch::moment(const Block& block, unsigned rank, const KernelPosition& position) {
  Moment now = block.order.now(rank, atomics_);
  if (position.element >= 0) now.block = static_cast<uint32_t>(position.element) + 1;
  return now;
}

void LaunchWatch::touch_global(Block& block, unsigned rank, const Touch& touch, Global& global,
                               const KernelPosition& position) {
  if (!global.shadow) return;
  const CheckedMemory& memory = *global.memory;
  const auto begin = static_cast<size_t>(touch.at - memory.address), end = begin + touch.bytes;
  const Moment now = moment(block, rank, position);
  const auto other = global.shadow->access(block.order, now, begin, end, touch.use);
  if (!other) return;
  PlacedFinding finding = finding_at(Kind::kGlobalRace, block, rank, touch, position);
  name_other(finding, other->moment);
  finding.name = memory.name;
  finding.index = static_cast<int64_t>(begin) / item_size(memory.dtype);
  race(std::move(finding), touch, other->atomic);
}

// A thread that writes what is there already disturbs nobody.
void LaunchWatch::race(PlacedFinding finding, const Touch& touch, bool with_atomic) {
  if (!writes(touch.use) && with_atomic) return early_reads_.add(std::move(finding), touch.at);
  if (!writes(touch.use)) return keep(std::move(finding));
  pending_.race = std::move(finding);
  pending_.at = touch.at;
  pending_.bytes = std::min<size_t>(touch.bytes, sizeof(pending_.before));
  std::memcpy(pending_.before, touch.at, pending_.bytes);
}

void LaunchWatch::keep_early_reads() {
  for (PlacedFinding& each : early_reads_.take()) keep(std::move(each));
}

// A NaN that a block has read may go on, from thread to thread; one that is made of numbers is
// told.
void LaunchWatch::look_for_nan(const GuardedRun& run, const Block& block, unsigned rank,
                               const Touch& touch, const Global& global) {
  const CheckedMemory& memory = *global.memory;
  const Reader reader{block.order.now(rank, 0).block, run.position().element};
  if (reads(touch.use) && holds_nan(memory.dtype, touch.at, touch.bytes)) {
    nan_reader_ = reader;
    checks_.has_read_nan = true;
  }
  if (!writes(touch.use) || nan_reader_ == reader) return;
  if (checks_.combines && checks_.has_read_nan) return;
  PlacedFinding finding = finding_at(Kind::kNan, block, rank, touch, run.position());
  finding.name = memory.name;
  finding.index = (touch.at - memory.address) / item_size(memory.dtype);
  pending_.nan = std::move(finding);
  pending_.nan_at = touch;
  pending_.dtype = memory.dtype;
}

void LaunchWatch::settle() {
  if (pending_.race && std::memcmp(pending_.before, pending_.at, pending_.bytes) != 0)
    keep(std::move(*pending_.race));
  pending_.race.reset();
  if (pending_.nan && holds_nan(pending_.dtype, pending_.nan_at.at, pending_.nan_at.bytes))
    keep(std::move(*pending_.nan));
  pending_.nan.reset();
}

// --- blocks --------------------------------------------------------------------------------------

void LaunchWatch::start(Block& block, const GuardedRun& run, const void* region) {
  block.order.start_block(++blocks_run_);
  block.at = point_of(blocks_run_ - 1, grid_);
  block.arrived = block.ended = false;
  if (block.shared.empty()) add_shared(block, run, region);
  // What another block has left there is nobody's.
  for (const SharedPart& each : block.shared) std::memset(each.begin, 0xcb, each.shadow->bytes());
}

void LaunchWatch::add_shared(Block& block, const GuardedRun& run, const void* region) const {
  const auto add = [&](char* begin, size_t bytes) {
    block.shared.push_back(
        {reinterpret_cast<std::byte*>(begin), std::make_unique<AccessShadow>(bytes, true)});
  };
  for (const BlockMemory& each : run.memory()) {
    if (each.region != region) continue;
    add(static_cast<char*>(each.region) + kSharedOffset, kMostDeclaredBytes);
    if (each.shared) add(each.shared, shared_bytes_);
  }
}

void LaunchWatch::came(const GuardedRun& run, const BlockEvent& event) {
  settle();
  keep_early_reads();
  Block& block = blocks_.try_emplace(event.region, block_atomics_).first->second;
  switch (event.kind) {
    case BlockEvent::Kind::kStart: return start(block, run, event.region);
    case BlockEvent::Kind::kArrive: return arrive(block, event);
    case BlockEvent::Kind::kOpen: block.arrived = false; return block.order.open_barrier();
    case BlockEvent::Kind::kGrid: return block.order.open_grid();
    case BlockEvent::Kind::kWarp: return block.order.step_warp(event.rank);
    case BlockEvent::Kind::kEnd: return end(block, event);
  }
}

void LaunchWatch::arrive(Block& block, const BlockEvent& event) {
  if (block.ended) diverge(block, event, block.ended_rank, 0);
  if (!block.arrived) {
    block.first = event;
    block.arrived = true;
    return;
  }
  if (event.line != block.first.line || std::strcmp(event.file, block.first.file) != 0)
    diverge(block, event, block.first.rank, block.first.line);
}

void LaunchWatch::end(Block& block, const BlockEvent& event) {
  if (block.arrived && !block.ended) diverge(block, block.first, event.rank, 0);
  block.ended = true;
  block.ended_rank = event.rank;
}

void LaunchWatch::diverge(const Block& block, const BlockEvent& event, unsigned other, int line) {
  PlacedFinding finding = finding_at(Kind::kDivergent, block, event.rank, {}, {});
  finding.file_name = event.file;
  finding.line = event.line;
  finding.detail = line;
  copy_point(finding.other, point_of(other, extents_));
  keep(std::move(finding));
}

void LaunchWatch::declared(const SharedArray& array) { shared_[array.at] = array; }

}  // namespace gpy::rt
