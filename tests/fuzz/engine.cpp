#include "engine.h"

#include <cstring>

#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/pin.h"
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

rt::Operand Engine::operand(const Statement& s) const {
  if (s.b >= 0) return variables_.at(s.b);
  const Array& a = variables_.at(s.a);
  if (rt::is_float(a.dtype())) return rt::Scalar::weak(s.number);
  return rt::Scalar::weak(static_cast<int64_t>(s.number));
}

namespace {

Array created(rt::Session& session, const Statement& s, rt::Space space) {
  int64_t count = 1;
  for (int64_t extent : s.list) count *= extent;
  std::vector<double> numbers = contents(s.seed, count, s.dtype);
  std::vector<std::byte> bytes(std::max<int64_t>(count, 1) * 8);
  for (int64_t i = 0; i < count; ++i) {
    rt::Scalar::weak(numbers[i]).store(s.dtype, bytes.data() + i * rt::item_size(s.dtype));
  }
  return rt::from_host(session, s.dtype, s.list, bytes.data(), space);
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

bool Engine::run(const Statement& s) {
  auto a = [&]() -> const Array& { return variables_.at(s.a); };
  auto set = [&](Array array) { variables_[s.dst] = std::move(array); };
  switch (s.verb) {
    case Verb::kCreate: set(created(session_, s, space_)); break;
    case Verb::kAlias: set(a()); break;
    case Verb::kCopy: set(rt::copy(session_, a())); break;
    case Verb::kCast: set(rt::astype(session_, a(), s.dtype)); break;
    case Verb::kSlice: set(sliced(session_, a(), s)); break;
    case Verb::kTranspose: set(rt::transpose(a(), s.list)); break;
    case Verb::kReshape: set(rt::reshape(session_, rt::copy(session_, a()), s.list)); break;
    case Verb::kBroadcast: set(rt::broadcast_to(a(), s.list)); break;
    case Verb::kUnary: set(rt::apply(session_, s.op, {a()})); break;
    case Verb::kBinary: set(rt::apply(session_, s.op, {a(), operand(s)})); break;
    case Verb::kReduce: {
      rt::ReduceOptions options;
      options.axes = std::vector<int64_t>(s.list.begin(), s.list.end());
      set(rt::reduce(session_, s.op, a(), options));
      break;
    }
    case Verb::kScan:
      set(rt::accumulate(session_, s.op, a(), s.list[0], std::nullopt, nullptr));
      break;
    case Verb::kGather: {
      const rt::IndexItem items[] = {variables_.at(s.b)};
      set(rt::get_items(session_, a(), items));
      break;
    }
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
