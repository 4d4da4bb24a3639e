#pragma once

// `kernel elementwise NAME(T x, T y) -> (T z) { z = x + y; }`: CUDA C++ for one element, called
// with arrays and numbers that broadcast.

#include <functional>
#include <memory>
#include <unordered_map>

#include "runtime/core/process.h"
#include "runtime/kernel/checks/checked_kernel.h"
#include "runtime/kernel/generated.h"

namespace gpy::rt {

// The arguments that a body in another language than CUDA C++ is translated for: of each input its
// dtype and whether it is a number that gives way in promotion, of each output the dtype it must
// have, if something else decides that.
struct ElementwiseTypes {
  struct Input {
    DType dtype;
    Weak weak = Weak::kNo;
  };
  std::vector<Input> inputs;
  std::vector<std::optional<DType>> outputs;
};

// A translated body: functions to stand before the kernel, the statements of one element, and the
// dtypes of the outputs.
struct ElementwiseBody {
  std::string functions;
  std::string checked_functions;            // the same in its checked form
  std::shared_ptr<const ArrayNames> names;  // of arrays, by that form's numbers
  std::string statements;
  std::vector<DType> outputs;
};

struct ElementwiseText {
  std::string name;
  std::vector<KernelParameter> inputs, outputs;
  std::string body;
  std::string preamble;
  std::string loop_prep, after_loop;  // what each thread does before and after its elements
  KernelPlace place, preamble_place, loop_prep_place, after_loop_place;
  std::vector<std::string> options;
  bool checks_numbers = false;  // numbers that their parameters cannot hold are refused
  bool reduce_dims = true;      // dense arrays are one axis to `_ind`
  // Set where the body is not CUDA C++. Called once for each list of types, with no lock held.
  std::function<ElementwiseBody(const ElementwiseTypes&)> translate;

  bool has_loop_parts() const { return !loop_prep.empty() || !after_loop.empty(); }
};

struct ElementwiseCall {
  std::vector<Operand> arguments;          // the inputs, then none or all of the outputs
  std::vector<bool> missing;               // by argument: outputs to be made; empty: none of them
  std::optional<int64_t> size;             // the number of elements where every array is raw
  std::optional<int64_t> threads_a_block;  // on a GPU
};

class ElementwiseKernel {
 public:
  explicit ElementwiseKernel(ElementwiseText text);

  // Gives the outputs. Throws kType, kValue and kOverflow for arguments that do not fit, kCompile
  // with the user's line.
  std::vector<Array> operator()(Session& session, const ElementwiseCall& call, Space fallback);

  const ElementwiseText& text() const { return text_; }
  // What was compiled so far.
  std::vector<CompiledVersion> versions() const;

 private:
  // A call's arguments with the names of types that its text uses.
  struct Call {
    const TypeBinding& types;
    std::shared_ptr<const ElementwiseBody> body;  // null: the text's own
    std::string key;                              // of the types that the body is translated for
    std::vector<Bound> bound;
    unsigned threads;  // of a GPU's block
  };
  // The body for these arguments.
  void translate(Call& call, std::span<const Operand> inputs);
  std::vector<Array> bind_outputs(Session& session, Call& call, const ElementwiseCall& given,
                                  const Dims& shape, Space space);
  void launch(Session& session, const Call& call, const Dims& shape, Space space);

  ElementwiseText text_;
  std::vector<KernelParameter> parameters_;  // the inputs, then the outputs
  mutable ForkSafe<std::mutex> mutex_;
  std::unordered_map<std::string, std::shared_ptr<const ElementwiseBody>> translated_;
  std::unordered_map<std::string, std::shared_ptr<UserFunction>> compiled_;  // by text_key
  std::vector<CompiledVersion> versions_;
  std::unordered_map<std::string, std::shared_ptr<CheckedKernel>> checked_;  // by Call::key
};

}  // namespace gpy::rt
