#include "runtime/ops/fft.h"

#include <algorithm>
#include <numeric>

#include "runtime/core/interrupt.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/recording.h"
#include "runtime/graph/write_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/family_place.h"
#include "runtime/ops/shape.h"

namespace gpy::rt {

namespace {

bool is_single(DType dtype) {
  const DType native = dtype.native();
  return native == DType::kFloat32 || native == DType::kComplex64 || native == DType::kFloat16 ||
         native == DType::kBFloat16;
}

using FftPlace = FamilyPlace<&Backend::fft>;

bool is_aligned(const Layout& layout) {
  const int64_t item = layout.item_size();
  return layout.offset % item == 0 &&
         std::ranges::all_of(layout.strides, [&](int64_t stride) { return stride % item == 0; });
}

std::vector<int64_t> last_axes(int rank, size_t count) {
  std::vector<int64_t> axes(count);
  std::iota(axes.begin(), axes.end(), rank - static_cast<int64_t>(count));
  return axes;
}

DType part_of(const Array& array) {
  return is_single(array.dtype()) ? DType::kFloat32 : DType::kFloat64;
}
DType complex_of(DType part) {
  return part == DType::kFloat32 ? DType::kComplex64 : DType::kComplex128;
}

FftWork work_of(const Array& source, const Transform& what, DType part) {
  FftWork work{.kind = what.kind,
               .dtype = part,
               .shape = source.shape(),
               .axes = what.axes,
               .forward = what.forward,
               .factor = what.factor,
               .in_strides = source.strides(),
               .out_strides = {},
               .dense = is_c_contiguous(source.layout())};
  if (what.kind == FftKind::kHalfToReal) work.shape[what.axes.back()] = what.points;
  return work;
}

Array run(Session& session, const Array& source, const FftPlace& at, FftWork work) {
  const bool halves = work.kind == FftKind::kRealToHalf;
  Dims out = work.shape;
  if (halves) out[work.axes.back()] = out[work.axes.back()] / 2 + 1;
  const DType dtype = work.kind == FftKind::kHalfToReal ? work.dtype : complex_of(work.dtype);
  work.out_strides = c_strides(out, item_size(dtype));
  const RecordedWorkOf records(session, source.space());
  const ReadAccess read(session, source, at.place());
  const Array made = make_empty(session, dtype, out, at.space());
  if (element_count(out) == 0) return made;
  const WriteAccess write(session, made, at.place());
  const InterruptScope scope(session.interrupt);
  if (recording()) record(at.family().as_part(work, read.data(), write.data()));
  else at.family().run(work, read.data(), write.data());
  return made;
}

bool are_last(const std::vector<int>& axes, int rank) {
  return axes.back() == rank - 1 && axes.front() == rank - static_cast<int>(axes.size());
}

Array transformed(Session& session, const Array& array, const FftPlace& at, Transform what);

// A complex transform along several axes.
Array one_by_one(Session& session, const Array& array, const FftPlace& at, const Transform& what) {
  Array result = array;
  for (const int axis : what.axes) {
    Transform part = what;
    part.axes = {axis};
    if (axis != what.axes.front()) part.factor = 1;
    result = transformed(session, result, at, std::move(part));
  }
  return result;
}

// One work of the family. Where that cannot do it as it is, the axes are brought to the end first:
// complex ones each by itself.
Array transformed(Session& session, const Array& array, const FftPlace& at, Transform what) {
  const DType part = part_of(array);
  const DType taken = what.kind == FftKind::kRealToHalf ? part : complex_of(part);
  Array source = astype(session, array.as_array(), taken, Casting::kUnsafe, false);
  if (!is_aligned(source.layout())) source = copy(session, source, 'C');
  FftWork work = work_of(source, what, part);
  std::vector<int64_t> from(what.axes.begin(), what.axes.end()), to = from;
  if (!at.family().takes(work)) {
    const bool complex = what.kind == FftKind::kComplex && what.axes.size() > 1;
    if (complex && !are_last(what.axes, source.rank())) {
      return one_by_one(session, source, at, what);
    }
    to = last_axes(source.rank(), from.size());
    source = move_axes(source, from, to);
    what.axes.assign(to.begin(), to.end());
    if (!is_c_contiguous(source.layout())) source = copy(session, source, 'C');
    work = work_of(source, what, part);
  }
  const Array made = to_space(session, run(session, source, at, std::move(work)), array.space());
  return from == to ? made : move_axes(made, to, from);
}

// The axes in groups that the family takes at once, of which the last has the halved axis.
std::vector<std::vector<int>> groups_of(const Transform& what, const Fft& family) {
  const bool half = what.kind != FftKind::kComplex;
  std::vector<int> axes = what.axes;
  std::vector<std::vector<int>> groups;
  while (!axes.empty()) {
    size_t count = std::min(axes.size(), Fft::kMostAxes);
    const bool is_last = groups.empty();
    if (half && is_last && !family.takes_half_along_many(what.kind)) count = 1;
    groups.emplace(groups.begin(), axes.end() - static_cast<ptrdiff_t>(count), axes.end());
    axes.resize(axes.size() - count);
  }
  return groups;
}

}  // namespace

Array transform(Session& session, const Array& array, const Transform& transform) {
  const FftPlace at(session, array.space());
  ++session.backend(at.place()).counters.library_calls;
  std::vector<std::vector<int>> groups = groups_of(transform, at.family());
  if (transform.kind == FftKind::kRealToHalf) std::ranges::reverse(groups);
  const size_t halved = transform.kind == FftKind::kRealToHalf ? 0 : groups.size() - 1;
  Array result = array;
  for (size_t i = 0; i < groups.size(); ++i) {
    Transform part = transform;
    part.axes = groups[i];
    if (i != halved) part.kind = FftKind::kComplex;
    if (i > 0 || !at.family().scales()) part.factor = 1;
    result = transformed(session, result, at, std::move(part));
  }
  if (transform.factor == 1 || at.family().scales()) return result;
  return ops::multiply(session, result, Scalar::weak(transform.factor));
}

}  // namespace gpy::rt
