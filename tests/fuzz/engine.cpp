#include "engine.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/index.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"

namespace gpy::fuzz {

using rt::Array;

Engine::Engine(std::shared_ptr<rt::Runtime> runtime, bool lazy, rt::Space space)
    : session_(std::move(runtime)), space_(space) {
  session_.lazy = lazy;
}

rt::Array Engine::apply(const Statement& s, const std::vector<rt::Operand>& inputs) {
  return rt::apply(session_, *rt::find_ufunc(s.op), inputs, {}, rt::Space::automatic());
}

rt::Operand Engine::operand(const Statement& s) const {
  if (s.b >= 0) return variables_.at(s.b);
  const Array& a = variables_.at(s.a);
  // Beside bfloat16 a float is a float32, and an int has no type of its own.
  const bool real = rt::is_float(a.dtype()) && rt::is_numpys_own(a.dtype());
  return real ? rt::Scalar::weak(s.number) : rt::Scalar::weak(static_cast<int64_t>(s.number));
}

namespace {

std::vector<std::byte> bytes_of(const Statement& s) {
  int64_t count = 1;
  for (int64_t extent : s.list) count *= extent;
  std::vector<double> numbers = contents(s.seed, count, s.dtype);
  const int64_t item = rt::item_size(s.dtype);
  std::vector<std::byte> bytes(std::max<int64_t>(count, 1) * item);
  for (int64_t i = 0; i < count; ++i) {
    const double x = numbers[i];
    const rt::Scalar number = rt::is_complex(s.dtype)
                                  ? rt::Scalar::weak(std::complex(x, imaginary_beside(x)))
                                  : rt::Scalar::weak(x);
    number.store(s.dtype, bytes.data() + i * item);
  }
  return bytes;
}

Array created(rt::Session& session, const Statement& s, rt::Space space) {
  return rt::from_host(session, s.dtype, s.list, bytes_of(s).data(), space);
}

Array sliced(rt::Session& session, const Array& a, const Statement& s) {
  std::vector<rt::IndexItem> items;
  for (const Slice& slice : s.slices) {
    rt::SliceIndex index{slice.start, std::nullopt, slice.step};
    if (slice.stop >= 0) index.stop = slice.stop;
    items.emplace_back(index);
  }
  return rt::get_items(session, a, items);
}

}  // namespace

bool Engine::gather(const Statement& s) {
  Array index = variables_.at(s.b);
  if (s.verb == Verb::kGatherHalf) {
    // A result may lie in another order than the model's.
    const int last = index.rank() - 1;
    const bool whole = index.shape()[last] == 1 || index.strides()[last] == index.item_size();
    index =
        rt::view_as(session_, whole ? index : rt::copy(session_, index, 'C'), rt::DType::kInt32);
  }
  try {
    const rt::IndexItem items[] = {index};
    variables_[s.dst] = rt::get_items(session_, variables_.at(s.a), items);
  } catch (const rt::Error& error) {
    if (error.kind() == rt::ErrorKind::kIndex) return false;
    throw;
  }
  return true;
}

Array Engine::lend(const Statement& s) {
  Lent& lent = lent_.emplace_back(Lent{bytes_of(s), nullptr});
  lent.loan = std::make_unique<rt::Loan>(session_, s.dtype, s.list,
                                         rt::c_strides(s.list, rt::item_size(s.dtype)),
                                         lent.memory.data(), true);
  return lent.loan->array();
}

Engine::Lent& Engine::lent(int variable) {
  for (Lent& lent : lent_) {
    if (lent.loan && lent.loan->array().storage_ref() == variables_.at(variable).storage_ref()) {
      return lent;
    }
  }
  throw std::logic_error("nobody lent this");
}

void Engine::host_write(const Statement& s) {
  Lent& memory = lent(s.a);
  memory.loan->settle();
  std::ranges::copy(bytes_of(s), memory.memory.begin());
}

void Engine::end_loan(const Statement& s) {
  Lent& memory = lent(s.a);
  memory.loan->end();
  memory.loan = nullptr;
  std::ranges::fill(memory.memory, std::byte{0xcb});
}

static const rt::Reduction& reduction_named(std::string_view name) {
  return *std::ranges::find(rt::reductions(), name, &rt::Reduction::name);
}

bool Engine::run(const Statement& s) {
  auto a = [&]() -> const Array& { return variables_.at(s.a); };
  auto set = [&](Array array) { variables_[s.dst] = std::move(array); };
  switch (s.verb) {
    case Verb::kCreate: set(created(session_, s, space_)); break;
    case Verb::kAlias: set(a()); break;
    case Verb::kCopy: set(rt::copy(session_, a())); break;
    case Verb::kCast: set(rt::astype(session_, a(), s.dtype)); break;
    case Verb::kView: set(rt::view_as(session_, a(), s.dtype)); break;
    case Verb::kSlice: set(sliced(session_, a(), s)); break;
    case Verb::kTranspose: set(rt::transpose(a(), s.list)); break;
    case Verb::kReshape: set(rt::reshape(session_, rt::copy(session_, a()), s.list)); break;
    case Verb::kBroadcast: set(rt::broadcast_to(a(), s.list)); break;
    case Verb::kUnary: set(apply(s, {a()})); break;
    case Verb::kBinary: set(apply(s, {a(), operand(s)})); break;
    case Verb::kReduce: {
      rt::ReduceOptions options;
      options.axes = std::vector<int64_t>(s.list.begin(), s.list.end());
      set(rt::reduce(session_, reduction_named(s.op), a(), options));
      break;
    }
    case Verb::kScan:
      set(rt::accumulate(session_, reduction_named(s.op), a(), s.list[0], std::nullopt, nullptr));
      break;
    case Verb::kGather:
    case Verb::kGatherHalf: return gather(s);
    case Verb::kLend: set(lend(s)); break;
    case Verb::kHostWrite: host_write(s); break;
    case Verb::kEndLoan: end_loan(s); break;
    case Verb::kAssign: rt::write(session_, a(), operand(s)); break;
    case Verb::kInPlace: {
      const Array out = a();
      rt::UfuncOptions options;
      options.out = &out;
      const rt::Operand inputs[] = {out, operand(s)};
      rt::apply(session_, *rt::find_ufunc(s.op), inputs, options, space_);
      break;
    }
    case Verb::kScatter:
    case Verb::kMaskAssign: {
      const rt::IndexItem items[] = {variables_.at(s.b)};
      Statement number = s;
      number.b = -1;
      rt::set_items(session_, a(), items, operand(number));
      break;
    }
    case Verb::kForce: rt::evaluate(session_, *a().value()); break;
    case Verb::kBranch: {
      const Array flat = rt::ravel(session_, a());
      const rt::IndexItem at[] = {s.list[0]};
      const rt::Scalar value = rt::item(session_, rt::get_items(session_, flat, at));
      return (value.as_double() > s.number) == s.taken;
    }
    case Verb::kDelete: variables_.erase(s.a); break;
  }
  return true;
}

Content Engine::content(int variable) {
  const Array& a = variables_.at(variable);
  const Array dense = rt::copy(session_, a, 'C');
  const rt::HostRead read(session_, dense);
  Content out{a.dtype(), a.shape(), {}};
  out.bytes.assign(read.data(), read.data() + dense.bytes());
  return out;
}

}  // namespace gpy::fuzz
