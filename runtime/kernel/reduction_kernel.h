#pragma once

// `kernel reduction NAME(T x) -> (T y) { identity: 0  map: x * x  reduce: a + b  post: y = sqrt(a)
// }`. Two launches: parts of each output's elements, then the parts in order; one where an output
// has one part (reduction_schedule.h).

#include <memory>
#include <unordered_map>

#include "runtime/core/process.h"
#include "runtime/kernel/checks/checked_kernel.h"
#include "runtime/kernel/generated.h"

namespace gpy::rt {

struct ReductionText {
  std::string name;
  std::vector<KernelParameter> inputs, outputs;  // one output
  std::string identity;                          // empty: there is none
  std::string map, reduce, post;
  std::string reduce_type;  // of a and b; empty: the output's
  std::string preamble;
  KernelPlace identity_place, map_place, reduce_place, post_place, type_place, preamble_place;
  std::vector<std::string> options;
  bool checks_numbers = false;  // numbers that their parameters cannot hold are refused
};

class ReductionKernel {
 public:
  explicit ReductionKernel(ReductionText text);

  // `axes` none: all. `out` may be null.
  Array operator()(Session& session, std::span<const Operand> arguments,
                   const std::optional<std::vector<int64_t>>& axes, bool keepdims, const Array* out,
                   Space fallback);

  const ReductionText& text() const { return text_; }
  // What was compiled so far.
  std::vector<CompiledVersion> versions() const;

 private:
  struct Call;
  void launch(Session& session, Call& call);

  ReductionText text_;
  mutable ForkSafe<std::mutex> mutex_;
  std::unordered_map<std::string, std::shared_ptr<UserModule>> compiled_;  // by text_key
  std::vector<CompiledVersion> versions_;
  std::shared_ptr<CheckedKernel> checked_;
};

}  // namespace gpy::rt
