#pragma once

// The parameters of a generated kernel, in one order for both its readers: the text of the struct
// and the bytes of a launch.
//
//   addresses of inputs, outputs, result, workspace; scalars, 16 bytes each; strides of iota
//   inputs, 64 bits each; then divisors, counts and strides, 32 or 64 bits as the kernel's indices
//   are.

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "runtime/cuda/text/schedule.h"

namespace gpy::rt::cuda {

// True where launches pass operand's stride along `dim`.
bool passes_stride(const Schedule& schedule, Access access, int dim);

// The parameters of a kernel, in order. Visitor: pointer(kind, i), scalar(i), iota_stride(i, dim),
// divisor(dim), extent(dim), number(which), input_stride(i, dim), output_stride(i, dim),
// result_stride(dim), align().
enum class Pointer : uint8_t { kInput, kOutput, kResult, kPartials, kCounters };
enum class Number : uint8_t { kCount, kRows, kLength, kSplits, kSplitLength };

// The parameters that differ from launch to launch of a plan; they come first.
template <class Visitor> void visit_bindings(const Plan& plan, const Schedule& s, Visitor&& v) {
  const int inputs = static_cast<int>(plan.inputs.size());
  const int outputs = static_cast<int>(plan.outputs.size());
  for (int i = 0; i < inputs; ++i) {
    if (s.inputs[i] != Access::kIota) v.pointer(Pointer::kInput, i);
  }
  for (int i = 0; i < outputs; ++i) v.pointer(Pointer::kOutput, i);
  if (plan.reduction) {
    v.pointer(Pointer::kResult, 0);
    v.pointer(Pointer::kPartials, 0);
    v.pointer(Pointer::kCounters, 0);
  }
  for (int i = 0; i < static_cast<int>(plan.scalars.size()); ++i) v.scalar(i);
}

template <class Visitor> void visit_parameters(const Plan& plan, const Schedule& s, Visitor&& v) {
  const int inputs = static_cast<int>(plan.inputs.size());
  const int outputs = static_cast<int>(plan.outputs.size());
  visit_bindings(plan, s, v);
  v.align();
  for (int i = 0; i < inputs; ++i) {
    if (s.inputs[i] != Access::kIota) continue;
    for (int d = 0; d < s.dims; ++d) v.iota_stride(i, d);
  }
  // The first kept and the first reduced dimension need no divisor: their index remains.
  for (int d = 1; d < s.dims; ++d) {
    if (d != s.kept) v.divisor(d);
  }
  if (s.form == Form::kTiled) {
    for (int d = 0; d < s.dims; ++d) v.extent(d);
  }
  v.number(Number::kCount);
  if (plan.reduction) {
    for (Number n : {Number::kRows, Number::kLength, Number::kSplits, Number::kSplitLength}) {
      v.number(n);
    }
  }
  for (int i = 0; i < inputs; ++i) {
    for (int d = 0; d < s.dims; ++d) {
      if (passes_stride(s, s.inputs[i], d)) v.input_stride(i, d);
    }
  }
  for (int i = 0; i < outputs; ++i) {
    for (int d = 0; d < s.dims; ++d) {
      if (passes_stride(s, s.outputs[i], d)) v.output_stride(i, d);
    }
  }
  if (!plan.reduction) return;
  for (int d = 0; d < plan.reduction->strides.size(); ++d) v.result_stride(d);
}

// `struct Params { ... };`
std::string parameter_text(const Plan& plan, const Schedule& schedule);

// The bytes of one launch. The next launch overwrites them.
class ParameterBlock {
 public:
  // `partials` and `counters` are the reduction's workspace.
  std::span<const std::byte> pack(const Plan& plan, const Schedule& schedule,
                                  const Bindings& bindings, void* partials, void* counters);
  // The same for another launch of what was packed last.
  std::span<const std::byte> bind(const Plan& plan, const Schedule& schedule,
                                  const Bindings& bindings, void* partials, void* counters);

  // The same, followed by the number of blocks for a kernel that walks its grid.
  std::span<const std::byte> with_blocks(uint32_t blocks);

  template <class T> void put(const T& value) {
    align(sizeof(T));
    const size_t at = end_;
    reach(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  void align(size_t to) { reach((end_ + to - 1) / to * to); }

 private:
  void reach(size_t end) {
    end_ = end;
    if (bytes_.size() < end) bytes_.resize(end);
  }

  std::vector<std::byte> bytes_;
  size_t end_ = 0;  // of what was put
  size_t packed_ = 0;
};

}  // namespace gpy::rt::cuda
