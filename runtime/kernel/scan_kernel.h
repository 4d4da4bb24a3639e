#pragma once

// `kernel scan NAME(T x) -> (T y) { identity: 0  map: x  scan: a + b  post: y = a }`: running
// results of an associative operator along an axis. Long rows are scanned in parts: the totals of
// the parts, what comes before each part, then the parts. How many there are depends on the shape
// alone, so the result is the same in every run.

#include <memory>
#include <unordered_map>

#include "runtime/core/process.h"
#include "runtime/kernel/checks/checked_kernel.h"
#include "runtime/kernel/generated.h"

namespace gpy::rt {

struct ScanText {
  std::string name;
  std::vector<KernelParameter> inputs, outputs;  // one output
  std::string identity;                          // empty: there is none
  std::string map, scan, post;
  std::string type;  // of a and b; empty: the output's
  std::string preamble;
  KernelPlace identity_place, map_place, scan_place, post_place, type_place, preamble_place;
};

struct ScanCall {
  std::vector<Operand> inputs;
  std::optional<int64_t> axis;  // none: all elements in C order, as one row
  bool exclusive = false;       // each result leaves its own element out
  const Array* out = nullptr;
};

class ScanKernel {
 public:
  explicit ScanKernel(ScanText text);

  Array operator()(Session& session, const ScanCall& call, Space fallback);

  const ScanText& text() const { return text_; }
  // What was compiled so far.
  std::vector<CompiledVersion> versions() const;

 private:
  struct Rows;
  void launch(Session& session, const TypeBinding& types, Rows& rows, bool exclusive, Space space);

  ScanText text_;
  mutable ForkSafe<std::mutex> mutex_;
  std::unordered_map<std::string, std::shared_ptr<UserModule>> compiled_;  // by text_key
  std::vector<CompiledVersion> versions_;
  std::shared_ptr<CheckedKernel> checked_;
};

}  // namespace gpy::rt
