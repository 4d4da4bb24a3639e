#include "runtime/graph/loan.h"

#include <cstring>

#include "runtime/graph/evaluate.h"
#include "runtime/ops/create.h"

namespace gpy::rt {

namespace {

Array borrow(Session& session, DType dtype, const Dims& shape, const Dims& strides, void* data,
             bool writeable) {
  Layout layout{dtype, shape, strides, 0};
  const auto [low, high] = byte_range(layout);
  layout.offset = -low;
  return borrow_host(session, layout, static_cast<std::byte*>(data) + low, high - low, writeable,
                     [] {});
}

// Anybody but the loan itself: handles on the storage, nodes that read the value.
bool is_needed(const Storage& storage) {
  return storage.use_count() > 1 || storage.value()->use_count() > 1;
}

}  // namespace

Loan::Loan(Session& session, DType dtype, const Dims& shape, const Dims& strides, void* data,
           bool writeable)
    : session_(session), array_(borrow(session, dtype, shape, strides, data, writeable)) {}

Loan::~Loan() {
  try {
    end();
  } catch (...) {
    give_up();
  }
}

void Loan::settle() {
  if (!array_) return;
  const Ref<Value> value = array_.value();
  while (!value->readers().empty()) {
    evaluate(session_, *Ref<Value>(value->readers().back()->owner));
  }
  value->drop_copies_except(kHostPlace);
}

void Loan::end() {
  if (!array_) return;
  Storage& storage = array_.storage();
  if (is_needed(storage)) {
    Value& value = *storage.value();
    Ref<Buffer> copy = session_.backend(kHostPlace).allocate(value.bytes());
    std::memcpy(copy->data(), value.at(kHostPlace)->data(), value.bytes());
    value.add_copy(kHostPlace, std::move(copy));
  }
  storage.add_pin(-1);
  array_ = {};
}

void Loan::give_up() noexcept {
  array_.value()->take_copy(kHostPlace);
  array_.storage().add_pin(-1);
  array_ = {};
}

}  // namespace gpy::rt
