#pragma once

// The reference model: arrays that always copy, evaluated at once, one element after another. It
// shares no code with the engine but the dtypes and which of them promote and cast to which.
// The elements' arithmetic is in elements.h.

#include <map>
#include <memory>
#include <stdexcept>

#include "elements.h"
#include "trace.h"

namespace gpy::fuzz {

struct Memory {
  std::vector<std::byte> bytes;
  bool read_two_ways = false;  // a view reads its floats as other floats, so no NaN may go in
};

// A view is a list of places in shared memory: no strides that could be wrong.
struct ModelArray {
  rt::DType dtype = rt::DType::kFloat64;
  rt::Dims shape;
  std::shared_ptr<Memory> memory;
  std::vector<int64_t> places;  // of each element's first byte, C order
  bool read_only = false;       // stretched by broadcasting, or a view of such
  bool lent = false;            // all of the memory that a host lent, not a view of it

  Cell cell(int64_t place) const { return load(dtype, &memory->bytes[place]); }
};

std::vector<Cell> cells_of(const ModelArray& array);

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
  void end_loan(const Memory& memory);
  // Whether the statement has an index that is outside.
  bool is_refused(const Statement& s) const;
  std::vector<Cell> operand(const Statement& s, const rt::Dims& shape, rt::DType dtype) const;
  ModelArray binary(const Statement& s) const;

  std::map<int, ModelArray> variables_;
};

// The rules that the generator needs to know.
// Whether an array of shape `from` broadcasts to `to`.
bool stretches(const rt::Dims& from, const rt::Dims& to);
// Whether the elements of each row of the last axis lie side by side in memory.
bool has_whole_rows(const ModelArray& array);
// Whether `b`, or a number where it is null, may be combined with `a`: into `a`, or into a new
// array.
bool fits_in_place(const std::string& op, const ModelArray& a, const ModelArray* b);
bool fits_binary(const std::string& op, const ModelArray& a, const ModelArray* b);
// Whether the elements may be taken for those of another type of the same size.
bool may_view(const ModelArray& a, rt::DType dtype);
// Whether elements of the array index others.
bool is_index(const ModelArray& array);

}  // namespace gpy::fuzz
