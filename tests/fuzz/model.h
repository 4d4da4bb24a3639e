#pragma once

// The reference model: arrays that always copy, evaluated at once, one element after another. It
// shares no code with the engine but the names of dtypes.

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
};

class Model final : public Machine {
 public:
  bool run(const Statement& statement) override;
  Content content(int variable) override;

  const std::map<int, ModelArray>& variables() const { return variables_; }

 private:
  // Throws std::invalid_argument for a statement that is no program here: shrinking makes such.
  void require_valid(const Statement& s) const;
  ModelArray fresh(rt::DType dtype, const rt::Dims& shape, std::vector<Cell> cells);
  std::vector<Cell> read(const ModelArray& array) const;
  std::vector<Cell> operand(const Statement& s, const rt::Dims& shape, rt::DType dtype) const;
  ModelArray binary(const Statement& s) const;
  ModelArray reduce(const Statement& s) const;
  ModelArray scan(const Statement& s) const;
  ModelArray view(const Statement& s) const;
  void store(ModelArray& target, const std::vector<Cell>& cells);

  std::map<int, ModelArray> variables_;
};

// The rules that the generator needs to know.
rt::DType binary_dtype(const std::string& op, rt::DType a, rt::DType b);
bool is_floating(rt::DType dtype);

}  // namespace gpy::fuzz
