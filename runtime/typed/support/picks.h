// Elements of arrays by masks and by arrays of places, in functions on the host.
#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__)

// --- a mask of all elements ----------------------------------------------------------------------

template <class T, int R, class M>
static inline auto masked(const View<T, R>& array, const View<M, R>& mask) {
  i64 count = 0;
  each(mask, [&](const M& taken) { count += truth(taken); });
  for (int axis = 0; axis < R; ++axis) {
    if (mask.shape[axis] != array.shape[axis]) fail(kShapes);
  }
  auto out = make_array<T, 1>(false, count);
  T* to = out.data;
  each_pair<0>(array, mask, (char*)array.data, (char*)mask.data, [&](T& x, const M& taken) {
    if (truth(taken)) *to++ = x;
  });
  return out;
}
template <class A, class M> static inline auto take_masked(const A& array, const M& mask) {
  return masked(leaf(array), leaf(mask));
}
template <class T, int R, class M, class N>
static inline void store_where(const View<T, R>& array, const View<M, R>& mask, const N& value) {
  for (int axis = 0; axis < R; ++axis) {
    if (mask.shape[axis] != array.shape[axis]) fail(kShapes);
  }
  each_pair<0>(array, mask, (char*)array.data, (char*)mask.data, [&](T& x, const M& taken) {
    if (truth(taken)) x = T(value);
  });
}
template <class A, class M, class N>
static inline void store_masked(const A& array, const M& mask, const N& value) {
  store_where(leaf(array), leaf(mask), value);
}

// --- places along an axis, by number or where a mask of the axis holds ---------------------------

template <bool masks, class I> static inline i64 place_count(const View<I, 1>& index) {
  if constexpr (!masks) return index.shape[0];
  i64 count = 0;
  each(index, [&](const I& taken) { count += truth(taken); });
  return count;
}
// f(number, place) of each.
template <bool masks, class I, class F>
static inline void each_place(const View<I, 1>& index, i64 extent, F f) {
  if (masks && index.shape[0] != extent) fail(kMask);
  i64 number = 0;
  for (i64 i = 0; i < index.shape[0]; ++i) {
    if (masks) {
      if (truth(index.at(i))) f(number++, i);
    } else {
      const i64 at = from_end(i64(index.at(i)), extent);
      if (at < 0 || at >= extent) fail(kIndex);
      f(i, at);
    }
  }
}
// What an array has at a place of an axis.
template <int axis, class T, int R>
static inline View<T, R - 1> without(const View<T, R>& array, i64 at) {
  View<T, R - 1> out;
  for (int k = 0; k < R - 1; ++k) {
    out.shape[k] = array.shape[k < axis ? k : k + 1];
    out.stride[k] = array.stride[k < axis ? k : k + 1];
  }
  out.data = (T*)((char*)array.data + at * array.stride[axis]);
  return out;
}

template <int axis, bool masks, class T, int R, class I>
static inline auto taken(const View<T, R>& array, const View<I, 1>& index) {
  i64 extents[R];
  for (int k = 0; k < R; ++k) extents[k] = array.shape[k];
  extents[axis] = place_count<masks>(index);
  auto out = make_shaped<T, R>(false, extents);
  const View<T, R> to = leaf(out);
  each_place<masks>(index, array.shape[axis], [&](i64 number, i64 at) {
    if constexpr (R == 1) to.at(number) = array.at(at);
    else
      compute_into(
          without<axis>(to, number), [](const T& x) { return x; }, without<axis>(array, at));
  });
  return out;
}
template <int axis, bool masks, class A, class I>
static inline auto take_at(const A& array, const I& index) {
  return taken<axis, masks>(leaf(array), leaf(index));
}

template <int axis, bool masks, class T, int R, class I, class N>
static inline void put(const View<T, R>& array, const View<I, 1>& index, const N& value) {
  each_place<masks>(index, array.shape[axis], [&](i64, i64 at) {
    if constexpr (R == 1) array.at(at) = cast<T>(value);
    else
      compute_into(
          without<axis>(array, at), [](const N& x) { return cast<T>(x); }, value);
  });
}
template <int axis, bool masks, class T, int R, class I, class S, int Q>
static inline void put(const View<T, R>& array, const View<I, 1>& index, const View<S, Q>& value) {
  Shape<R> shape;
  View<S, R> all;
  for (int k = 0; k < R; ++k) shape.extent[k] = array.shape[k];
  shape.extent[axis] = place_count<masks>(index);
  if (!fits(shape, value)) fail(kAssigned);
  all.data = value.data;
  const auto way = walker(value, shape);
  for (int k = 0; k < R; ++k) {
    all.shape[k] = shape.extent[k];
    all.stride[k] = way.stride[k];
  }
  each_place<masks>(index, array.shape[axis], [&](i64 number, i64 at) {
    if constexpr (R == 1) array.at(at) = cast<T>(all.at(number));
    else
      compute_into(
          without<axis>(array, at), [](const S& x) { return cast<T>(x); },
          without<axis>(all, number));
  });
}
// A copy of what is read while the array changes.
template <class A, class T, int R>
static inline auto apart(const View<T, R>& read, const A& array) {
  Owned<Dense<T, R>> copy;
  if (!overlaps(array, read)) return sharing(read, copy);
  copy = copied<T>(read);
  return as_view(copy);
}
template <class A, class N> static inline N apart(const N& number, const A&) { return number; }
template <int axis, bool masks, class A, class I, class V>
static inline void store_at(const A& array, const I& index, const V& value) {
  const auto to = leaf(array);
  const auto places = apart(leaf(index), to);
  const auto given = apart(leaf(value), to);
  put<axis, masks>(to, leaf(places), leaf(given));
}
#endif
