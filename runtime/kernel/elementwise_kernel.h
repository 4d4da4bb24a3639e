#pragma once

// `kernel elementwise NAME(T x, T y) -> (T z) { z = x + y; }`: CUDA C++ for one element, called
// with arrays and numbers that broadcast.

#include <memory>
#include <unordered_map>

#include "runtime/core/process.h"
#include "runtime/kernel/generated.h"

namespace gpy::rt {

struct ElementwiseText {
  std::string name;
  std::vector<KernelParameter> inputs, outputs;
  std::string body;
  std::string preamble;
  KernelPlace place;
  std::vector<std::string> options;
  bool checks_numbers = false;  // numbers that their parameters cannot hold are refused
};

class ElementwiseKernel {
 public:
  explicit ElementwiseKernel(ElementwiseText text);

  // `arguments`: the inputs, then optionally all outputs, which are written and given back. `size`
  // is the number of elements where every array is raw. Throws kType, kValue and kOverflow for
  // arguments that do not fit, kCompile with the user's line.
  std::vector<Array> operator()(Session& session, std::span<const Operand> arguments,
                                std::optional<int64_t> size, Space fallback);

  const ElementwiseText& text() const { return text_; }

 private:
  std::string source(const TypeBinding& types, std::span<const Bound> bound,
                     const std::string& fields, int rank) const;
  void launch(Session& session, const TypeBinding& types, std::span<const Bound> bound,
              const Dims& shape, Space space);

  ElementwiseText text_;
  ForkSafe<std::mutex> mutex_;
  std::unordered_map<std::string, std::shared_ptr<UserFunction>> compiled_;  // by text_key
};

}  // namespace gpy::rt
