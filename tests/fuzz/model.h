#pragma once

// The reference model: arrays that always copy, evaluated at once, one element after another. It
// shares no code with the engine but the dtypes and which of them promote and cast to which.

#include <map>
#include <memory>
#include <stdexcept>

#include "trace.h"

namespace gpy::fuzz {

// One element: `i` for bool and integers, `f` for floats.
struct Cell {
  int64_t i = 0;
  double f = 0;
};

// A view is a list of places in shared memory: no strides that could be wrong.
struct ModelArray {
  rt::DType dtype = rt::DType::kFloat64;
  rt::Dims shape;
  std::shared_ptr<std::vector<Cell>> memory;
  std::vector<int64_t> places;  // C order
  bool read_only = false;       // stretched by broadcasting, or a view of such
  bool lent = false;            // all of the memory that a host lent, not a view of it
};

class Model final : public Machine {
 public:
  bool run(const Statement& statement) override;
  Content content(int variable) override;

  const std::map<int, ModelArray>& variables() const { return variables_; }

 private:
  // Throws std::invalid_argument for a statement that is no program here: shrinking makes such.
  void require_valid(const Statement& s) const;
  ModelArray made(const Statement& s) const;
  void write(const Statement& s);
  bool is_greater(const Statement& s) const;
  void end_loan(const std::shared_ptr<std::vector<Cell>>& memory);
  // Whether the statement has an index that is outside.
  bool is_refused(const Statement& s) const;
  std::vector<Cell> operand(const Statement& s, const rt::Dims& shape, rt::DType dtype) const;
  ModelArray binary(const Statement& s) const;

  std::map<int, ModelArray> variables_;
};

// The rules that the generator needs to know.
rt::DType binary_dtype(const std::string& op, rt::DType a, rt::DType b);
bool is_floating(rt::DType dtype);
// Whether an array of shape `from` broadcasts to `to`.
bool stretches(const rt::Dims& from, const rt::Dims& to);
// Whether the elements of each row of the last axis lie side by side in memory.
bool has_whole_rows(const ModelArray& array);
// Whether a cast is defined: one of floats to integers depends on the platform.
bool castable(rt::DType from, rt::DType to);

}  // namespace gpy::fuzz
