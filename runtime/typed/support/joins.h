// Arrays joined, or seen with other axes, in functions on the host.
#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__)

// The arguments behind the first that differ from it in an extent, but that of one axis, fail.
template <class T, int R, class U>
static inline void check_beside(const View<T, R>& first, const View<U, R>& other, int axis) {
  for (int k = 0; k < R; ++k) {
    if (k != axis && first.shape[k] != other.shape[k]) fail(kJoined);
  }
}
static inline int axis_of(i64 axis, int rank) {
  const i64 at = from_end(axis, rank);
  if (at < 0 || at >= rank) fail(kAxis);
  return int(at);
}

template <class T, int R, class U>
static inline void put_beside(View<T, R>& to, const View<U, R>& array, int axis) {
  View<T, R> part = to;
  part.shape[axis] = array.shape[axis];
  compute_into(
      part, [](const U& x) { return cast<T>(x); }, array);
  to.data = (T*)((char*)to.data + array.shape[axis] * to.stride[axis]);
}
template <class T, int R, class U, class... V>
static inline Owned<Dense<T, R>> joined_views(int axis, const View<U, R>& first, const V&... rest) {
  (check_beside(first, rest, axis), ...);
  i64 extents[R];
  for (int k = 0; k < R; ++k) extents[k] = first.shape[k];
  ((extents[axis] += rest.shape[axis]), ...);
  auto out = make_shaped<T, R>(false, extents);
  View<T, R> to = leaf(out);
  put_beside(to, first, axis);
  (put_beside(to, rest, axis), ...);
  return out;
}
// np.concatenate
template <class T, class A, class... B>
static inline auto concatenated(i64 axis, const A& first, const B&... rest) {
  constexpr int R = sizeof(leaf(first).shape) / sizeof(i64);
  return joined_views<T>(axis_of(axis, R), leaf(first), leaf(rest)...);
}

// The array with an axis of one place more.
template <class T, int R>
static inline View<T, R + 1> with_axis(const View<T, R>& array, int axis) {
  View<T, R + 1> out;
  out.data = array.data;
  for (int k = 0; k <= R; ++k) {
    out.shape[k] = k == axis ? 1 : array.shape[k - (k > axis)];
    out.stride[k] = k == axis ? 0 : array.stride[k - (k > axis)];
  }
  return out;
}
// np.stack
template <class T, class A, class... B>
static inline auto stacked(i64 axis, const A& first, const B&... rest) {
  constexpr int R = sizeof(leaf(first).shape) / sizeof(i64);
  const int at = axis_of(axis, R + 1);
  (check_beside(leaf(first), leaf(rest), R), ...);
  return joined_views<T>(at, with_axis(leaf(first), at), with_axis(leaf(rest), at)...);
}

// np.swapaxes
template <class T, int R> static inline View<T, R> swapped(const View<T, R>& array, i64 i, i64 j) {
  const int a = axis_of(i, R), b = axis_of(j, R);
  View<T, R> out = array;
  out.shape[a] = array.shape[b], out.stride[a] = array.stride[b];
  out.shape[b] = array.shape[a], out.stride[b] = array.stride[a];
  return out;
}
template <class T, int R> static inline View<T, R> swapped(const Dense<T, R>& array, i64 i, i64 j) {
  return swapped(as_view(array), i, j);
}
template <class A> static inline auto swapped(const Owned<A>& array, i64 i, i64 j) {
  return sharing(swapped((const A&)array, i, j), array);
}

// The view whose axis k is the array's axis axes[k].
template <class T, int R, class... N>
static inline View<T, R> turned(const View<T, R>& array, N... axes) {
  const i64 all[] = {i64(axes)...};
  View<T, R> out;
  out.data = array.data;
  bool is_there[R] = {};
  for (int k = 0; k < R; ++k) {
    const int from = axis_of(all[k], R);
    if (is_there[from]) fail(kAxisTwice);
    is_there[from] = true;
    out.shape[k] = array.shape[from];
    out.stride[k] = array.stride[from];
  }
  return out;
}
template <class T, int R, class... N>
static inline View<T, R> turned(const Dense<T, R>& array, N... axes) {
  return turned(as_view(array), axes...);
}
template <class A, class... N> static inline auto turned(const Owned<A>& array, N... axes) {
  return sharing(turned((const A&)array, axes...), array);
}

// np.broadcast_to
template <int R, class T, int Q, class... N>
static inline View<T, R> broadcast(const View<T, Q>& array, N... extents) {
  const i64 all[] = {i64(extents)...};
  View<T, R> out;
  out.data = array.data;
  for (int k = 0; k < R; ++k) {
    const int own = k - (R - Q);
    const bool spreads = own < 0 || array.shape[own < 0 ? 0 : own] == 1;
    if (all[k] < 0) fail(kNegativeExtent);
    if (!spreads && array.shape[own] != all[k]) fail(kShapes);
    out.shape[k] = all[k];
    out.stride[k] = spreads ? 0 : array.stride[own];
  }
  return out;
}
template <int R, class T, int Q, class... N>
static inline View<T, R> broadcast(const Dense<T, Q>& array, N... extents) {
  return broadcast<R>(as_view(array), extents...);
}
template <int R, class A, class... N>
static inline auto broadcast(const Owned<A>& array, N... extents) {
  return sharing(broadcast<R>((const A&)array, extents...), array);
}
#endif
