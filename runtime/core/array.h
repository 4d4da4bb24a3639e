#pragma once

// A cheap handle on a view of a storage. Copying it copies no elements; the storage may be pending.

#include "runtime/core/layout.h"
#include "runtime/core/scalar.h"
#include "runtime/core/space.h"
#include "runtime/graph/storage.h"

namespace gpy::rt {

class Array {
 public:
  Array() = default;
  Array(Ref<Storage> storage, Layout layout, Space space)
      : storage_(std::move(storage)), layout_(std::move(layout)), space_(space) {}

  explicit operator bool() const { return static_cast<bool>(storage_); }

  DType dtype() const { return layout_.dtype; }
  const Dims& shape() const { return layout_.shape; }
  const Dims& strides() const { return layout_.strides; }  // bytes
  int64_t offset() const { return layout_.offset; }        // bytes into the storage
  int rank() const { return layout_.rank(); }
  int64_t size() const { return element_count(layout_.shape); }
  int64_t item_size() const { return layout_.item_size(); }
  int64_t bytes() const { return size() * item_size(); }
  const Layout& layout() const { return layout_; }
  Space space() const { return space_; }
  Storage& storage() const { return *storage_; }
  const Ref<Storage>& storage_ref() const { return storage_; }
  const Ref<Value>& value() const { return storage_->value(); }

  // A NumPy scalar: 0-d, read-only, hashable.
  bool is_scalar() const { return scalar_; }
  bool writeable() const { return writeable_ && !scalar_; }

  Array with_layout(Layout layout) const {
    Array view(storage_, std::move(layout), space_);
    view.writeable_ = writeable_;
    return view;
  }
  Array as_scalar() const {
    Array view = *this;
    view.scalar_ = true;
    return view;
  }
  Array as_array() const {
    Array view = *this;
    view.scalar_ = false;
    return view;
  }
  Array read_only() const {
    Array view = *this;
    view.writeable_ = false;
    return view;
  }

 private:
  Ref<Storage> storage_;
  Layout layout_;
  Space space_;
  bool scalar_ = false;
  bool writeable_ = true;
};

// The argument that an operation takes and keeps: an array, or a number of the language.
class Operand {
 public:
  Operand(Array array) : array_(std::move(array)) {}
  Operand(Scalar scalar) : scalar_(scalar) {}

  bool is_array() const { return static_cast<bool>(array_); }
  const Array& array() const { return array_; }
  const Scalar& scalar() const { return scalar_; }
  DType dtype() const { return is_array() ? array_.dtype() : scalar_.dtype(); }
  Weak weakness() const { return is_array() ? Weak::kNo : scalar_.weakness(); }

  // True if the caller gives the array up: it is the only one that has its storage, and does not
  // read it after this operation.
  bool is_last_use() const { return last_use_; }
  Operand for_last_use() && {
    last_use_ = true;
    return std::move(*this);
  }

 private:
  Array array_;
  Scalar scalar_;
  bool last_use_ = false;
};

// An operand that does not keep its array: for the length of a call.
class Term {
 public:
  Term() = default;
  Term(const Array& array) : array_(&array) {}
  Term(Array&&) = delete;
  Term(const Scalar& scalar) : scalar_(scalar) {}
  Term(const Operand& operand) {
    if (operand.is_array()) array_ = &operand.array();
    else scalar_ = operand.scalar();
  }

  bool is_array() const { return array_ != nullptr; }
  const Array& array() const { return *array_; }
  const Scalar& scalar() const { return scalar_; }
  DType dtype() const { return is_array() ? array_->dtype() : scalar_.dtype(); }
  Weak weakness() const { return is_array() ? Weak::kNo : scalar_.weakness(); }
  Operand kept() const { return is_array() ? Operand(*array_) : Operand(scalar_); }

 private:
  const Array* array_ = nullptr;
  Scalar scalar_;
};

}  // namespace gpy::rt
