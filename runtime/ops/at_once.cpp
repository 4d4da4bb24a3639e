#include "runtime/ops/at_once.h"

#include <algorithm>

#include "runtime/graph/events.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/write_access.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/integer_range.h"
#include "runtime/ops/reduction.h"
#include "runtime/ops/reduction_loops.h"
#include "runtime/ops/ufunc.h"
#include "runtime/tiles/small_run.h"
#include "runtime/tiles/tiles.h"

namespace gpy::rt {

namespace {

// The start of the memory of a host array whose content is ready to be read as it is; else null.
const std::byte* memory_of(const Array& array) {
  const Value& value = *array.value();
  const bool is_there = !value.pending() && value.valid_at(kHostPlace);
  if (!array.space().is_host() || !is_there || !array.dtype().is_native()) return nullptr;
  return static_cast<const std::byte*>(value.at(kHostPlace)->data());
}

void tell(Session& session, int events, std::string_view op) {
  if (events == 0) return;
  tell_events(session, events, op, session.origin());
}

// `b` stretched to `a` where they differ; whether they fit each other is checked later.
Dims stretched(const Dims& a, const Dims& b) {
  Dims both = a;
  while (both.size() < b.size()) both.insert(0, 1);
  const int skip = both.size() - b.size();
  for (int axis = 0; axis < b.size(); ++axis) {
    if (both[skip + axis] == 1) both[skip + axis] = b[axis];
  }
  return both;
}

// The shape that the arrays have together: `out`'s, one of theirs, or `room`.
const Dims* common_shape(std::span<const Term> terms, const Array* out, Dims& room) {
  const Dims* shape = out ? &out->shape() : nullptr;
  for (const Term& term : terms) {
    if (!term.is_array()) continue;
    const Dims& own = term.array().shape();
    if (out && own.size() > shape->size()) return nullptr;
    if (!shape) {
      shape = &own;
    } else if (!out && !(*shape == own)) {
      room = stretched(*shape, own);
      shape = &room;
    }
  }
  return shape;
}

// The operands that the loop reads: kMaxArity at most, each with two rooms.
struct Inputs {
  std::array<SmallView, kMaxArity> views;  // of the arrays; of numbers unset
  std::array<SmallFeed, kMaxArity> feeds;
  int cast_events = 0;

  bool look(std::span<const Term> terms, const SmallShape& shape) {
    for (size_t i = 0; i < terms.size(); ++i) {
      if (!terms[i].is_array()) continue;
      const std::byte* memory = memory_of(terms[i].array());
      if (!memory || !views[i].set(terms[i].array().layout(), memory, shape)) return false;
    }
    return true;
  }
  // NumPy's K order is C order for the result.
  bool in_order(std::span<const Term> terms) const {
    for (size_t i = 0; i < terms.size(); ++i) {
      if (terms[i].is_array() && !views[i].packed && !views[i].has_c_axis_order()) return false;
    }
    return true;
  }
  void read(std::span<const Term> terms, const SmallShape& shape, const UfuncLoop& loop) {
    for (size_t i = 0; i < terms.size(); ++i) {
      const int room = static_cast<int>(2 * i);
      feeds[i] = terms[i].is_array() ? feed(views[i], shape, loop.in[i], room, cast_events)
                                     : feed(terms[i].scalar(), loop.in[i]);
    }
  }
};
constexpr int kResultRoom = 2 * kMaxArity;

Array ready_array(Session& session, Ref<Buffer> buffer, DType dtype, const Dims& shape) {
  return make_ready(session, std::move(buffer), kHostPlace,
                    {dtype, shape, c_strides(shape, item_size(dtype)), 0}, Space::host());
}

// True if writing `out` in order while the loop runs could overwrite what it reads later.
bool clobbers_inputs(std::span<const Term> terms, const Inputs& inputs, const Array& out,
                     const SmallRegion& region) {
  for (size_t i = 0; i < terms.size(); ++i) {
    if (!terms[i].is_array() || !(terms[i].array().storage_ref() == out.storage_ref())) continue;
    const bool in_place = inputs.feeds[i].data == inputs.views[i].data;
    if (in_place && inputs.feeds[i].data != region.data) return true;
    if (in_place && item_size(inputs.views[i].dtype) != item_size(region.dtype)) return true;
  }
  return false;
}

}  // namespace

bool acts_at_once(const Session& session) {
  return session.at_once && session.lazy && !session.errors.tells_at_once();
}

const std::byte* try_elements(const Array& array) {
  const std::byte* memory = memory_of(array);
  return memory ? memory + array.offset() : nullptr;
}

const UfuncLoop* quick_loop(const Ufunc& ufunc, std::span<const Term> terms) {
  std::optional<DType> strong;
  Weak weak = Weak::kNo;
  for (const Term& term : terms) {
    if (!term.is_array() && term.scalar().weakness() != Weak::kNo) {
      weak = std::max(weak, term.scalar().weakness());
    } else if (!strong) {
      strong = term.dtype();
    } else if (*strong != term.dtype()) {
      return nullptr;
    }
  }
  // Ints must fit the arrays' dtype: float64 and int64 take them all.
  if (weak == Weak::kComplex) return nullptr;
  if (!strong) strong = weak == Weak::kFloat ? DType::kFloat64 : DType::kInt64;
  if (weak != Weak::kNo && !is_float(*strong)) {
    if (weak != Weak::kInt || *strong != DType::kInt64) return nullptr;
    for (const Term& term : terms) {
      if (!term.is_array() && term.scalar().dtype() != DType::kInt64) return nullptr;
    }
  }
  if (*strong == DType::kBool && ufunc.refuses_bool) return nullptr;
  if (weak != Weak::kNo && !is_numpys_own(*strong)) return nullptr;
  auto is_exact = [&](const UfuncLoop& loop) {
    bool exact = true;
    for (size_t i = 0; i < terms.size(); ++i) exact = exact && loop.in[i] == *strong;
    return exact;
  };
  // Most rows have a loop for each dtype from some first one on.
  const size_t guess = strong->index() - ufunc.loops[0].in[0].index();
  if (guess < ufunc.loops.size() && is_exact(ufunc.loops[guess])) return &ufunc.loops[guess];
  const auto found = std::ranges::find_if(ufunc.loops, is_exact);
  return found == ufunc.loops.end() ? nullptr : &*found;
}

namespace {

// One call that has been checked and will be done.
struct Call {
  Session& session;
  const Ufunc& ufunc;
  const UfuncLoop& loop;
  std::span<const Term> terms;
  const SmallShape& shape;
  Inputs& inputs;
  int events = 0;

  void run(std::byte* to) {
    const std::span<const SmallFeed> feeds(inputs.feeds.data(), terms.size());
    events = run_loop(loop.tile, feeds, to, item_size(loop.out), shape.count);
    ++session.backend(kHostPlace).counters.plans_run;
  }
  void tell_all() {
    tell(session, inputs.cast_events, "cast");
    if (!ufunc.quiet) tell(session, events, ufunc.name);
  }
};

Array fresh_result(Call call, const Dims& shape) {
  call.inputs.read(call.terms, call.shape, call.loop);
  const DType dtype = call.loop.out;
  Ref<Buffer> buffer =
      call.session.backend(kHostPlace).allocate(call.shape.count * item_size(dtype));
  call.run(static_cast<std::byte*>(buffer->data()));
  Array result = ready_array(call.session, std::move(buffer), dtype, shape);
  call.tell_all();
  return result;
}

void store_result(Call call, const Array& out, const SmallRegion& region) {
  call.inputs.read(call.terms, call.shape, call.loop);
  const bool direct = region.packed && !clobbers_inputs(call.terms, call.inputs, out, region);
  std::byte* to = direct ? region.data : small_room(kResultRoom);
  call.run(to);
  if (!direct) unpack(to, call.shape, region);
  call.tell_all();
}

}  // namespace

std::optional<Array> try_apply_at_once(Session& session, const Ufunc& ufunc, const UfuncLoop& loop,
                                       std::span<const Term> terms) {
  if (!acts_at_once(session) || checks_exponents(ufunc, loop)) return std::nullopt;
  Dims room;
  const Dims* common = common_shape(terms, nullptr, room);
  SmallShape shape;
  Inputs inputs;
  if (!common || !shape.set(*common) || !inputs.look(terms, shape)) return std::nullopt;
  if (!inputs.in_order(terms)) return std::nullopt;
  return fresh_result({session, ufunc, loop, terms, shape, inputs}, *common);
}

bool try_store_at_once(Session& session, const Ufunc& ufunc, const UfuncLoop& loop,
                       std::span<const Term> terms, const Array& out) {
  if (!acts_at_once(session) || checks_exponents(ufunc, loop) || out.dtype() != loop.out)
    return false;
  Dims room;
  const Dims* common = common_shape(terms, &out, room);
  SmallShape shape;
  Inputs inputs;
  if (!common || !shape.set(*common) || !inputs.look(terms, shape)) return false;
  SmallRegion region{};
  std::byte* memory = WriteAccess::try_memory(out);
  if (!memory || !region.set(out.layout(), memory, shape)) return false;
  store_result({session, ufunc, loop, terms, shape, inputs}, out, region);
  return true;
}

std::optional<Array> try_copy_at_once(Session& session, const Array& array, DType dtype,
                                      char order) {
  SmallShape shape;
  SmallView view{};
  const std::byte* memory = memory_of(array);
  if (!acts_at_once(session) || !memory || !dtype.is_native()) return std::nullopt;
  if (!shape.set(array.shape()) || !view.set(array.layout(), memory, shape)) return std::nullopt;
  const bool in_order = order == 'C' || (order == 'K' && (view.packed || view.has_c_axis_order()));
  if (!in_order || array.is_scalar()) return std::nullopt;
  const int64_t size = item_size(dtype);
  Ref<Buffer> buffer = session.backend(kHostPlace).allocate(shape.count * size);
  auto* to = static_cast<std::byte*>(buffer->data());
  int events = 0;
  if (dtype == array.dtype()) {
    pack(view, shape, to);
  } else {
    const SmallFeed from[] = {feed(view, shape, array.dtype(), 0, events)};
    events = run_loop(cast_loop(array.dtype(), dtype), from, to, size, shape.count);
  }
  Array result = ready_array(session, std::move(buffer), dtype, array.shape());
  tell(session, events, "cast");
  return result;
}

std::optional<Array> try_fill_at_once(Session& session, const Dims& shape, const Scalar& number,
                                      DType dtype) {
  SmallShape small;
  if (!acts_at_once(session) || !dtype.is_native() || !small.set(shape)) return std::nullopt;
  SmallRegion all{};
  Ref<Buffer> buffer = session.backend(kHostPlace).allocate(small.count * item_size(dtype));
  all.data = static_cast<std::byte*>(buffer->data());
  all.dtype = dtype;
  all.packed = true;
  fill(all, small, number.cast(dtype));
  return ready_array(session, std::move(buffer), dtype, shape);
}

std::optional<Array> try_count_at_once(Session& session, const Dims& shape) {
  SmallShape small;
  if (!acts_at_once(session) || !small.set(shape)) return std::nullopt;
  Ref<Buffer> buffer = session.backend(kHostPlace).allocate(small.count * 8);
  auto* numbers = static_cast<int64_t*>(buffer->data());
  for (int64_t i = 0; i < small.count; ++i) numbers[i] = i;
  return ready_array(session, std::move(buffer), DType::kInt64, shape);
}

bool try_write_at_once(Session& session, const Array& target, const Term& source) {
  SmallShape shape;
  SmallRegion region{};
  SmallView view{};
  if (!acts_at_once(session) || !shape.set(target.shape())) return false;
  std::byte* memory = WriteAccess::try_memory(target);
  if (!memory || !region.set(target.layout(), memory, shape)) return false;
  if (!source.is_array()) {
    fill(region, shape, source.scalar().cast(target.dtype()));
    return true;
  }
  const std::byte* from = memory_of(source.array());
  if (!from || !view.set(source.array().layout(), from, shape)) return false;
  const bool apart = !(source.array().storage_ref() == target.storage_ref());
  int events = 0;
  if (view.dtype == region.dtype && region.packed && apart) {
    pack(view, shape, region.data);
  } else if (view.dtype == region.dtype && view.packed && apart) {
    unpack(view.data, shape, region);
  } else {
    std::byte* elements = small_room(0);
    pack(view, shape, elements);
    if (view.dtype != region.dtype) {
      const SmallFeed raw[] = {{elements, item_size(view.dtype)}};
      elements = small_room(1);
      events = run_loop(cast_loop(view.dtype, region.dtype), raw, elements, item_size(region.dtype),
                        shape.count);
    }
    unpack(elements, shape, region);
  }
  tell(session, events, "cast");
  return true;
}

namespace {

// What all() or any() of longer arrays gives where the first elements settle it.
std::optional<Scalar> try_settle(const Reduction& reduction, const Array& array) {
  constexpr int64_t kFirst = 256;
  const bool all = reduction.id == static_cast<uint16_t>(Fold::logical_and);
  if (!all && reduction.id != static_cast<uint16_t>(Fold::logical_or)) return std::nullopt;
  if (array.dtype() != DType::kBool || !is_c_contiguous(array.layout())) return std::nullopt;
  const std::byte* const first = try_elements(array);
  const std::byte* const end = first + std::min(array.size(), kFirst);
  const auto settles = [all](std::byte truth) { return (truth == std::byte{0}) == all; };
  if (std::find_if(first, end, settles) == end) return std::nullopt;
  return Scalar(!all);
}

}  // namespace

std::optional<Scalar> try_reduce_at_once(Session& session, const Reduction& reduction,
                                         const Array& array, DType dtype) {
  SmallShape shape;
  SmallView view{};
  const std::byte* memory = memory_of(array);
  if (!acts_at_once(session) || !memory) return std::nullopt;
  if (!shape.set(array.shape())) return try_settle(reduction, array);
  if (!view.set(array.layout(), memory, shape)) return std::nullopt;
  size_t index = 0;
  while (index < reduction.loops.size() && reduction.loops[index].in != dtype) ++index;
  if (index == reduction.loops.size()) return std::nullopt;
  int cast_events = 0;
  view.single = false;  // a number seen as many is reduced as many
  const SmallFeed elements = feed(view, shape, dtype, 0, cast_events);
  const ReductionTiles& tiles = reduction_tiles(reduction, static_cast<int>(index));
  alignas(16) std::byte accumulator[32];
  alignas(16) std::byte out[16];
  clear_events();
  tiles.start(accumulator, 1);
  tiles.fold_rows(accumulator, elements.data, 1, shape.count, shape.count, 0);
  const int events = raised_events();
  tiles.finish(accumulator, out, 1);
  ++session.backend(kHostPlace).counters.plans_run;
  tell(session, cast_events, "cast");
  if (!tiles.quiet) tell(session, events, "reduce");
  return Scalar::load(reduction.loops[index].out, out);
}

}  // namespace gpy::rt
