// Arrays made and seen otherwise, in functions on the host.
#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__)

// The memory of an owned array lives as long as the variable that it is taken from.
template <class A> static inline A borrowed(const Owned<A>& array) { return array; }

// --- views ---------------------------------------------------------------------------------------

template <int Q, int... kinds, class A, class... N>
static inline auto subscript(const Owned<A>& array, N... numbers) {
  return sharing(subscript<Q, kinds...>((const A&)array, numbers...), array);
}

template <int kind, class A> static inline auto rows(const Owned<A>& array, i64 first, i64 end) {
  return sharing(rows<kind>((const A&)array, first, end), array);
}
template <class U, class A> static inline auto viewed(const Owned<A>& array) {
  return sharing(viewed<U>((const A&)array), array);
}

// --- new arrays ----------------------------------------------------------------------------------

template <class T, class A> static inline auto copied(const A& array) {
  return [&](auto view) {
    constexpr int R = sizeof(view.shape) / sizeof(i64);
    return computed<T, R>([](const auto& x) { return cast<T>(x); }, view);
  }(leaf(array));
}
template <class T, int R, class A> static inline auto made_like(bool zeroed, const A& array) {
  return make_shaped<T, R>(zeroed, array.shape);
}
template <class T, int R, class A> static inline auto filled_like(T value, const A& array) {
  auto out = make_shaped<T, R>(false, array.shape);
  const i64 count = element_count(out);
  for (i64 i = 0; i < count; ++i) out.data[i] = value;
  return out;
}
// Gives all places of a new array that are the first `low` or the last `high` along an axis a
// value.
template <class A, class T>
static inline void fill_border(const A& array, i64 axis, i64 low, i64 high, T value) {
  constexpr i64 rank = sizeof(array.shape) / sizeof(i64);
  const i64 extent = array.shape[axis];
  i64 outer = 1, inner = 1;
  for (i64 k = 0; k < axis; ++k) outer *= array.shape[k];
  for (i64 k = axis + 1; k < rank; ++k) inner *= array.shape[k];
  low = low < extent ? low : extent;
  high = high < extent ? high : extent;
  for (i64 k = 0; k < outer; ++k) {
    auto* row = array.data + k * extent * inner;
    for (i64 i = 0; i < low * inner; ++i) row[i] = value;
    for (i64 i = (extent - high) * inner; i < extent * inner; ++i) row[i] = value;
  }
}
// np.array of numbers that are written out.
template <class T, i64... extents, class... X> static inline auto array_of(X... items) {
  const i64 all[] = {extents...};
  auto out = make_shaped<T, int(sizeof...(extents))>(false, all);
  i64 at = 0;
  ((out.data[at++] = T(items)), ...);
  (void)at;
  return out;
}
template <class T> static inline auto arange(T first, T end, T step) {
  const f64 rounds = ceil((f64(end) - f64(first)) / f64(step));
  if (step == T(0)) fail(kStep);
  const i64 count = rounds > 0 ? i64(rounds) : 0;
  auto out = make_array<T, 1>(false, count);
  for (i64 i = 0; i < count; ++i) out.data[i] = T(first + T(i) * step);
  return out;
}
static inline auto linspace(f64 first, f64 end, i64 count, bool has_end) {
  auto out = make_array<f64, 1>(false, count);
  const i64 parts = has_end ? count - 1 : count;
  const f64 width = end - first, step = width / f64(parts);
  for (i64 i = 0; i < count; ++i) {
    out.data[i] =
        parts > 0 ? (step == 0 ? f64(i) / f64(parts) * width : f64(i) * step) + first : first;
  }
  if (has_end && count > 1) out.data[count - 1] = end;
  return out;
}
template <class T> static inline auto eye(i64 rows, i64 columns, i64 k) {
  auto out = make_array<T, 2>(true, rows, columns);
  for (i64 i = 0; i < rows; ++i) {
    if (i + k >= 0 && i + k < columns) out.at(i, i + k) = T(1);
  }
  return out;
}

// The same elements under other extents, one of which may be -1: a view of a dense array, else a
// new one.
template <int R, class T, int Q, class... N>
static inline Dense<T, R> reshaped(const Dense<T, Q>& array, N... extents) {
  const i64 all[] = {i64(extents)..., 1};
  const i64 count = element_count(array);
  i64 known = 1;
  int open = -1;
  for (int axis = 0; axis < R; ++axis) {
    if (all[axis] < 0 && open < 0) open = axis;
    else known *= all[axis];
  }
  if (open < 0 ? known != count : known <= 0 || count % known != 0) fail(kNewShape);
  Dense<T, R> out;
  out.data = array.data;
  for (int axis = 0; axis < R; ++axis) out.shape[axis] = axis == open ? count / known : all[axis];
  return out;
}
template <int R, class T, int Q, class... N>
static inline auto reshaped(const Owned<Dense<T, Q>>& array, N... extents) {
  return sharing(reshaped<R>((const Dense<T, Q>&)array, extents...), array);
}
template <int R, class A, class... N> static inline auto reshaped(const A& array, N... extents) {
  typedef typename ElementOf<decltype(leaf(array))>::Type T;
  return reshaped<R>(copied<T>(array), extents...);
}
#endif
