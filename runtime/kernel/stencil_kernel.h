#pragma once

// `kernel stencil NAME(T x) -> (T y) { y = x(-1) - 2 * x(0) + x(1); }`: each element from the
// elements around its place. Arrays broadcast and keep their axes; an offset is given for each.

#include <memory>
#include <unordered_map>

#include "runtime/core/process.h"
#include "runtime/kernel/checks/checked_kernel.h"
#include "runtime/kernel/boundary.h"
#include "runtime/kernel/generated.h"

namespace gpy::rt {

struct StencilText {
  std::string name;
  std::vector<KernelParameter> inputs, outputs;
  std::string body;
  std::string preamble;
  std::string boundary;  // as parse_boundaries takes it
  KernelPlace place, preamble_place, boundary_place;
};

struct StencilCall {
  std::vector<Operand> inputs;
  std::vector<std::optional<Operand>> outputs;  // none: all are made
  std::optional<std::string> boundary;          // instead of the text's own
};

class StencilKernel {
 public:
  // Throws kValue for a boundary that there is not.
  explicit StencilKernel(StencilText text);

  // Gives the outputs. Elements that are not computed keep what an output that was given had, and
  // are 0 in one that is made.
  std::vector<Array> operator()(Session& session, const StencilCall& call, Space fallback);

  const StencilText& text() const { return text_; }
  // What was compiled so far.
  std::vector<CompiledVersion> versions() const;

 private:
  void launch(Session& session, const TypeBinding& types, std::span<const Bound> bound,
              const Dims& shape, std::span<const Boundary> boundaries, Space space);

  StencilText text_;
  std::vector<Boundary> boundaries_;
  mutable ForkSafe<std::mutex> mutex_;
  std::unordered_map<std::string, std::shared_ptr<UserFunction>> compiled_;
  std::vector<CompiledVersion> versions_;
  std::shared_ptr<CheckedKernel> checked_;
};

}  // namespace gpy::rt
