// Scalars of dates and records: instances of classes of stdlib/numpy/kinds, made without a call for
// each. A date has `_count` and `_dtype`; a record has `_rows`, an array of rows of bytes,
// `_at`, its place there, and `_dtype`.
#include <cstring>
#include <limits>

#include "runtime/graph/read_access.h"
#include "runtime/ops/elementwise.h"
#include "src/array/read_arguments.h"
#include "src/classes/instance.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/kind_arguments.h"
#include "stdlib/native/numpy/kinds.h"
#include "stdlib/native/text/ascii_rows.h"

namespace gpy::lib {

namespace {

Value date_of(Interpreter& vm, Type* cls, int64_t count, const Value& dtype) {
  Ref<Instance> made = Instance::make(cls);
  made->set(vm, vm.intern("_count"), Value::integer(count));
  made->set(vm, vm.intern("_dtype"), dtype);
  return made;
}

Value record_of(Interpreter& vm, Type* cls, const Value& rows, int64_t at, const Value& dtype) {
  Ref<Instance> made = Instance::make(cls);
  made->set(vm, vm.intern("_rows"), rows);
  made->set(vm, vm.intern("_at"), Value::integer(at));
  made->set(vm, vm.intern("_dtype"), dtype);
  return made;
}

// Another instance of the class of one, with the same attributes.
Ref<Instance> another(const Instance& one) {
  Ref<Instance> made =
      Instance::make(one.type);  // with room for them, since the class has seen one
  for (uint32_t i = 0; i < one.shape->count(); ++i) made->values[i] = one.values[i];
  made->shape = one.shape;
  return made;
}

// A list of instances like the first, whose attribute at a position is the int that number(i)
// gives.
template <class Number>
Value another_list(Interpreter& vm, const Value& first, int64_t count, int position,
                   Number&& number) {
  std::vector<Value> made;
  vm.claim(static_cast<size_t>(count), sizeof(Value));
  made.reserve(static_cast<size_t>(count));
  InterruptPoll poll(vm);
  for (int64_t i = 0; i < count; ++i) {
    poll.step();
    Ref<Instance> each = another(*first.as<Instance>());
    each->values[position] = Value::integer(number(i));
    made.push_back(std::move(each));
  }
  return vm.list(std::move(made));
}

// The places of int64 in an array with one axis, or of one in each row.
class Counts {
 public:
  Counts(Interpreter& vm, const rt::Array& counts) : counts_(counts), read_(session(vm), counts) {
    const bool has_one = counts.rank() == 1 || (counts.rank() == 2 && counts.shape()[1] > 0);
    if (!has_one || counts.dtype() != rt::DType::kInt64) {
      vm.raise_type_error("an array of counts is needed here");
    }
  }
  int64_t size() const { return counts_.shape()[0]; }
  int64_t operator[](int64_t at) const {
    int64_t count;
    std::memcpy(&count, read_.data() + at * counts_.strides()[0], sizeof count);
    return count;
  }

 private:
  rt::Array counts_;
  rt::HostRead read_;
};

Type* class_of_instances(Interpreter& vm, const Value& cls) {
  return class_with_layout(vm, cls, Instance::kLayout);
}

// These take Args: the parameter types for arrays have a Shape of their own, and so have instances.

Value date_scalar(Interpreter& vm, Args args) {
  return date_of(vm, class_of_instances(vm, args[0]), vm.to_index(args[1]), args[2]);
}

Value date_scalars(Interpreter& vm, Args args) {
  const Counts counts(vm, array_argument(vm, args, 1));
  const Value first = date_of(vm, class_of_instances(vm, args[0]), 0, args[2]);
  return another_list(vm, first, counts.size(), 0, [&](int64_t i) { return counts[i]; });
}

Value date_at(Interpreter& vm, Args args) {
  const Counts counts(vm, array_argument(vm, args, 1));
  const int64_t place = checked_row(vm, vm.to_index(args[2]), counts.size());
  return date_of(vm, class_of_instances(vm, args[0]), counts[place], args[3]);
}

Value record_scalars(Interpreter& vm, Args args) {
  const Value first = record_of(vm, class_of_instances(vm, args[0]), args[1], 0, args[3]);
  return another_list(vm, first, vm.to_index(args[2]), 1, [](int64_t i) { return i; });
}

Value record_at(Interpreter& vm, Args args) {
  const rt::Array rows = array_argument(vm, args, 1);
  if (rows.rank() == 0) vm.raise_type_error("an array of rows is needed here");
  const int64_t place = checked_row(vm, vm.to_index(args[2]), rows.shape()[0]);
  return record_of(vm, class_of_instances(vm, args[0]), args[1], place, args[3]);
}

// The number of a dtype at a place of a row.
Value number_in_row(Interpreter& vm, Args args) {
  const HostRows rows(vm, array_argument(vm, args, 0));
  const rt::DType dtype = to_dtype(vm, args[3]);
  const int64_t size = rt::item_size(dtype);
  return wrap_element(vm, dtype, rows.at(vm.to_index(args[1]), vm.to_index(args[2]), size, size));
}

// A str or bytes, or an object of a class over it.
Value text_of(Interpreter&, Type* cls, TextView<char> text) {
  return cls->vm->make<Bytes>(cls, std::string(text));
}
Value text_of(Interpreter&, Type* cls, TextView<char32_t> text) {
  std::string buffer;
  return Str::make_of(cls, as_utf8(text, buffer));
}

template <class Unit> Value text_at(Interpreter& vm, Args args, ObjectLayout layout) {
  constexpr int64_t kSize = sizeof(Unit);
  Type* const cls = class_with_layout(vm, args[0], layout);
  const HostRows rows(vm, array_argument(vm, args, 1));
  const int64_t width = checked_width(vm, vm.to_index(args[4]));
  const int64_t most = std::numeric_limits<int64_t>::max() / kSize;
  const std::byte* units =
      rows.at(vm.to_index(args[2]), vm.to_index(args[3]), std::min(width, most) * kSize, kSize);
  return text_of(vm, cls, text_in_row<Unit>(units, static_cast<size_t>(width)));
}

// The text, or the bytes, of some units at a place of a row, as an object of a class.
Value text_in_row_at(Interpreter& vm, Args args) {
  if (vm.truth(args[5])) return text_at<char>(vm, args, Bytes::kLayout);
  return text_at<char32_t>(vm, args, Str::kLayout);
}

Type* class_of_text(Interpreter& vm, const Value& cls, TextView<char>) {
  return class_with_layout(vm, cls, Bytes::kLayout);
}
Type* class_of_text(Interpreter& vm, const Value& cls, TextView<char32_t>) {
  return class_with_layout(vm, cls, Str::kLayout);
}

// A list of the texts of all rows.
Value text_scalars(Interpreter& vm, Args args) {
  RowLoop<1, 0> loop(vm, {array_argument(vm, args, 1)});
  std::vector<Value> made;
  loop.run([&](auto text) {
    append_item(vm, made, text_of(vm, class_of_text(vm, args[0], text), text));
  });
  return vm.list(std::move(made));
}

const Native kRows[] = {
    {"_date_scalar", "(cls, count, dtype, /)", date_scalar, "A date of a count."},
    {"_date_scalars", "(cls, counts, dtype, /)", date_scalars, "A list of dates of counts."},
    {"_date_at", "(cls, counts, at, dtype, /)", date_at, "The date at a place."},
    {"_record_scalars", "(cls, rows, count, dtype, /)", record_scalars,
     "A list of all records of rows."},
    {"_record_at", "(cls, rows, at, dtype, /)", record_at, "The record at a place."},
    {"_number_in_row", "(rows, at, place, dtype, /)", number_in_row,
     "The number of a dtype that lies at a place of a row of bytes."},
    {"_text_scalars", "(cls, rows, /)", text_scalars, "A list of the texts of all rows."},
    {"_text_in_row", "(cls, rows, at, place, width, of_bytes, /)", text_in_row_at,
     "The text of some units that lies at a place of a row."},
};

}  // namespace

std::span<const Native> kind_scalar_rows() { return kRows; }

}  // namespace gpy::lib
