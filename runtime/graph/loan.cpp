#include "runtime/graph/loan.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/make_node.h"

namespace gpy::rt {

namespace {

// The allocator of memory that a host lent.
class Lender final : public Allocator {
 public:
  explicit Lender(std::function<void()> release) : release_(std::move(release)) {}
  void release(Buffer&) noexcept override {
    release_();
    delete this;
  }

 private:
  std::function<void()> release_;
};

// Checks a host's numbers: the bytes that they reach must be counted in 63 bits, strides are whole
// numbers of elements, and there is memory where there are elements.
void check_lent(const Layout& layout, const void* data) {
  const bool empty = element_count(layout.shape, layout.item_size()) == 0;
  if (!data && !empty) {
    fail(ErrorKind::kValue, "null data for an array of shape {}", tuple_text(layout.shape));
  }
  int64_t reach = layout.item_size();
  for (int axis = 0; axis < layout.rank() && !empty; ++axis) {
    const int64_t stride = layout.strides[axis];
    if (stride % layout.item_size() != 0) {
      fail(ErrorKind::kValue, "strides must be multiples of {} bytes for {} (got {})",
           layout.item_size(), name(layout.dtype), stride);
    }
    if (stride == INT64_MIN) checked_product(stride, -1);
    reach = checked_sum(reach, checked_product(layout.shape[axis] - 1, std::abs(stride)));
  }
}

Array borrow(Session& session, DType dtype, const Dims& shape, const Dims& strides, void* data,
             bool writeable) {
  Layout layout{dtype, shape, strides, 0};
  check_lent(layout, data);
  const auto [low, high] = byte_range(layout);
  layout.offset = -low;
  return borrow_host(session, layout, static_cast<std::byte*>(data) + low, high - low, writeable,
                     [] {});
}

// True if anything but the loan itself needs it: handles on the storage, nodes that read the value.
bool is_needed(const Storage& storage) {
  return storage.use_count() > 1 || storage.value()->use_count() > 1;
}

}  // namespace

Array borrow_host(Session& session, Layout layout, void* data, int64_t bytes, bool writeable,
                  std::function<void()> release) {
  auto lender = std::make_unique<Lender>(std::move(release));
  Ref<Buffer> buffer = make_ref<Buffer>(*lender, data, bytes);
  lender.release();  // the buffer's from here on
  Array array =
      make_ready(session, std::move(buffer), kHostPlace, std::move(layout), Space::host());
  array.storage().lend();
  return writeable ? array : array.read_only();
}

Loan::Loan(Session& session, DType dtype, const Dims& shape, const Dims& strides, void* data,
           bool writeable)
    : session_(session), array_(borrow(session, dtype, shape, strides, data, writeable)) {
  make_spare();
}

Loan::~Loan() {
  try {
    end();
  } catch (...) {
    give_up();
  }
}

void Loan::settle() {
  if (!array_) return;
  make_spare();
  const Ref<Value> value = array_.value();
  while (!value->readers().empty()) {
    evaluate(session_, *Ref<Value>(value->readers().back()->owner));
  }
  value->drop_copies_except(kHostPlace);
}

// Memory for a copy; null where there is none.
static Ref<Buffer> try_copy(Session& session, const Buffer& memory) {
  try {
    Ref<Buffer> copy = session.backend(kHostPlace).allocate(memory.bytes());
    std::memcpy(copy->data(), memory.data(), memory.bytes());
    return copy;
  } catch (...) {
    return nullptr;
  }
}

void Loan::make_spare() {
  if (!spare_) spare_ = make_ref<Value>(array_.value()->bytes());
}

void Loan::detach() noexcept {
  if (!array_) return;
  const Ref<Value> read = array_.value();
  read->drop_copies_except(kHostPlace);
  if (read->readers().empty()) return;
  if (!spare_) return give_up();
  Ref<Buffer> copy = try_copy(session_, *read->at(kHostPlace));
  array_.storage().move_memory(kHostPlace, std::move(spare_), std::move(copy), kHostPlace);
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
  storage.take_back();
  array_ = {};
}

void Loan::give_up() noexcept {
  array_.value()->drop_copy(kHostPlace);
  array_.storage().take_back();
  array_ = {};
}

}  // namespace gpy::rt
