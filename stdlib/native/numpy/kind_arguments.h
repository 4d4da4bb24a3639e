#pragma once
// What the natives of stdlib/numpy/kinds check of their arguments. The classes there are written in
// gpy, so a script can change the attributes that these natives are given: whatever it puts there
// raises an error at the worst, and reads nothing beyond an array's memory.

#include <optional>
#include <span>

#include "runtime/graph/read_access.h"
#include "src/array/convert.h"
#include "src/objects/containers.h"
#include "stdlib/native/numpy/calendar.h"

namespace gpy::lib {

// A list's items, for loops that run no code of a script; TypeError.
std::span<const Value> listed(Interpreter& vm, const Value& list);

// A list's items for loops that run such code, which may shorten the list.
class ListItems {
 public:
  ListItems(Interpreter& vm, const Value& list);
  size_t size() const { return list_->items.size(); }
  // IndexError where the item is gone.
  Value at(size_t i) const;

 private:
  Interpreter& vm_;
  Ref<List> list_;
};

// The values of an array as int64, side by side on the host.
class Int64Values {
 public:
  Int64Values(Interpreter& vm, const rt::Array& array);

  const rt::Dims& shape() const { return dense_.shape(); }
  size_t size() const { return values_.size(); }
  std::span<const int64_t> all() const { return values_; }
  int64_t operator[](size_t i) const { return values_[i]; }

 private:
  rt::Array dense_;
  rt::HostRead read_;
  std::span<const int64_t> values_;
};

// Rows of an array with two axes, the units of a row side by side; TypeError for other arrays.
class HostRows {
 public:
  HostRows(Interpreter& vm, const rt::Array& rows);

  // The address of `size` bytes from a place of a row on, at a multiple of `step`. A row counts
  // from the end if it is negative. IndexError beyond the rows, ValueError beyond the row.
  const std::byte* at(int64_t row, int64_t place, int64_t size, int64_t step) const;

 private:
  Interpreter& vm_;
  rt::Array rows_;
  rt::HostRead read_;
};

// A place among so many rows, counted from the end if it is negative; IndexError.
int64_t checked_row(Interpreter& vm, int64_t row, int64_t count);

// A class whose objects have a layout; TypeError.
Type* class_with_layout(Interpreter& vm, const Value& cls, ObjectLayout layout);

// The unit of a number; ValueError where there is none.
DateUnit date_unit(Interpreter& vm, int64_t number);

}  // namespace gpy::lib
