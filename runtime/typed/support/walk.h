// Loops over the elements of arrays that broadcast, in functions on the host.
#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__)

template <int R> struct Shape {
  i64 extent[R > 0 ? R : 1];
  i64 count() const {
    i64 out = 1;
    for (int axis = 0; axis < R; ++axis) out *= extent[axis];
    return out;
  }
};

// What is read: an array as a view, a number as it is.
template <class T, int R> static inline View<T, R> leaf(const View<T, R>& array) { return array; }
template <class T, int R> static inline View<T, R> leaf(const Dense<T, R>& array) {
  return as_view(array);
}
template <class A> static inline auto leaf(const Owned<A>& array) { return leaf((const A&)array); }
template <class N> static inline N leaf(const N& number) { return number; }

template <class A> struct ElementOf;
template <class T, int R> struct ElementOf<View<T, R>> { typedef T Type; };

// Elements that follow one another in C order.
template <class T, int R> static inline bool is_dense(const View<T, R>& array) {
  i64 step = sizeof(T);
  for (int axis = R - 1; axis >= 0; --axis) {
    if (array.shape[axis] != 1 && array.stride[axis] != step) return false;
    step *= array.shape[axis];
  }
  return true;
}

// The way of an array through the places of a shape.
template <class T, int R> struct Walker {
  char* place;
  i64 stride[R > 0 ? R : 1];
  bool flat;
  T& flat_at(i64 i) const { return ((T*)place)[i]; }
  T& at(i64 i) const { return *(T*)(place + i * stride[R - 1]); }
  bool is_unit() const { return stride[R - 1] == i64(sizeof(T)); }
  void step(int axis) { place += stride[axis]; }
};
// A number is the same at each of them.
template <class T> struct Constant {
  T value;
  bool flat;
  const T& flat_at(i64) const { return value; }
  const T& at(i64) const { return value; }
  bool is_unit() const { return true; }
  void step(int) {}
};

template <int R, class T, int Q>
static inline Walker<T, R> walker(const View<T, Q>& array, const Shape<R>& shape) {
  Walker<T, R> out;
  out.place = (char*)array.data;
  out.flat = is_dense(array);
  for (int axis = 0; axis < R; ++axis) {
    const int own = axis - (R - Q);
    const bool spreads = own < 0 || (array.shape[own] == 1 && shape.extent[axis] != 1);
    out.stride[axis] = spreads ? 0 : array.stride[own];
    if (spreads && shape.extent[axis] != 1) out.flat = false;
  }
  return out;
}
template <int R, class N> static inline Constant<N> walker(const N& number, const Shape<R>&) {
  return {number, true};
}

template <int R, class F, class... W> static inline void walk_row(i64 count, F& f, W... all) {
  if ((all.is_unit() && ...)) {
    _GPY_INDEPENDENT
    for (i64 i = 0; i < count; ++i) f(all.flat_at(i)...);
  } else {
    for (i64 i = 0; i < count; ++i) f(all.at(i)...);
  }
}
template <int Axis, int R, class F, class... W>
static inline void walk_axis(const Shape<R>& shape, F& f, W... all) {
  if constexpr (Axis == R - 1) {
    walk_row<R>(shape.extent[Axis], f, all...);
  } else {
    for (i64 i = 0; i < shape.extent[Axis]; ++i) {
      walk_axis<Axis + 1, R>(shape, f, all...);
      (all.step(Axis), ...);
    }
  }
}
// f(x, y, ...) of the elements at each place. The places may be taken in any order.
template <int R, class F, class... W>
static inline void walk(const Shape<R>& shape, F f, W... all) {
  if ((all.flat && ...)) {
    const i64 count = shape.count();
    _GPY_INDEPENDENT
    for (i64 i = 0; i < count; ++i) f(all.flat_at(i)...);
  } else if constexpr (R > 0) {
    walk_axis<0, R>(shape, f, all...);
  }
}

// f(x) of each element in C order, one after the other.
template <int Axis, class T, int R, class F>
static inline void each_below(const View<T, R>& array, char* place, F& f) {
  if constexpr (Axis == R) {
    f(*(T*)place);
  } else {
    for (i64 i = 0; i < array.shape[Axis]; ++i)
      each_below<Axis + 1>(array, place + i * array.stride[Axis], f);
  }
}
template <class A, class F> static inline void each(const A& array, F f) {
  const auto view = leaf(array);
  if (is_dense(view)) {
    const i64 count = element_count(view);
    for (i64 i = 0; i < count; ++i) f(view.data[i]);
  } else {
    each_below<0>(view, (char*)view.data, f);
  }
}

// The same of two arrays of one shape.
template <int Axis, class T, class S, int R, class F>
static inline void each_pair(const View<T, R>& array, const View<S, R>& other, char* place,
                             char* beside, F f) {
  if constexpr (Axis == R) {
    f(*(T*)place, *(S*)beside);
  } else {
    for (i64 i = 0; i < array.shape[Axis]; ++i) {
      each_pair<Axis + 1>(array, other, place + i * array.stride[Axis],
                          beside + i * other.stride[Axis], f);
    }
  }
}

// Makes a shape as large as its arrays ask.
template <int R, class T, int Q>
static inline void broaden(Shape<R>& shape, const View<T, Q>& array) {
  for (int axis = 0; axis < Q; ++axis) {
    i64& extent = shape.extent[axis + R - Q];
    if (extent == 1) extent = array.shape[axis];
    else if (array.shape[axis] != 1 && array.shape[axis] != extent) fail(kShapes);
  }
}
template <int R, class N> static inline void broaden(Shape<R>&, const N&) {}

template <int R, class T, int Q>
static inline bool fits(const Shape<R>& shape, const View<T, Q>& array) {
  for (int axis = 0; axis < Q; ++axis) {
    if (array.shape[axis] != 1 && array.shape[axis] != shape.extent[axis + R - Q]) return false;
  }
  return true;
}
template <int R, class N> static inline bool fits(const Shape<R>&, const N&) { return true; }

// --- elementwise expressions ---------------------------------------------------------------------

template <class T, int R, class F, class... L>
static inline Owned<Dense<T, R>> computed(F f, const L&... leaves) {
  Shape<R> shape;
  for (int axis = 0; axis < R; ++axis) shape.extent[axis] = 1;
  (broaden(shape, leaves), ...);
  Owned<Dense<T, R>> out = make_shaped<T, R>(false, shape.extent);
  walk(
      shape, [f](T& to, const auto&... each) { to = T(f(each...)); }, walker(leaf(out), shape),
      walker(leaves, shape)...);
  return out;
}
template <class T, int R, class F, class... A>
static inline Owned<Dense<T, R>> elementwise(F f, const A&... arrays) {
  return computed<T, R>(f, leaf(arrays)...);
}

template <class T, int R> static inline void bounds(const View<T, R>& array, i64& low, i64& high) {
  low = high = i64(array.data);
  for (int axis = 0; axis < R; ++axis) {
    const i64 way = (array.shape[axis] - 1) * array.stride[axis];
    (way < 0 ? low : high) += way;
  }
  high += sizeof(T);
}
template <class T, int R, class S, int Q>
static inline bool overlaps(const View<T, R>& array, const View<S, Q>& other) {
  i64 low, high, other_low, other_high;
  bounds(array, low, high);
  bounds(other, other_low, other_high);
  return low < other_high && other_low < high;
}
// Whether writing to `to` changes what is still to be read of `from`: not where each element is
// read at the place that it is written to.
template <class T, int R, class S, int Q>
static inline bool collides(const View<T, R>& to, const View<S, Q>& from) {
  if (Q == R && sizeof(T) == sizeof(S) && (void*)to.data == (void*)from.data) {
    bool same = true;
    for (int axis = 0; axis < (Q < R ? Q : R); ++axis) {
      same = same && to.shape[axis] == from.shape[axis] && to.stride[axis] == from.stride[axis];
    }
    if (same) return false;
  }
  return overlaps(to, from);
}
template <class T, int R, class N> static inline bool collides(const View<T, R>&, const N&) {
  return false;
}

template <class T, int R, class F, class... L>
static inline void compute_into(const View<T, R>& to, F f, const L&... leaves) {
  Shape<R> shape;
  for (int axis = 0; axis < R; ++axis) shape.extent[axis] = to.shape[axis];
  if (!(fits(shape, leaves) && ...)) fail(kAssigned);
  if (shape.count() == 0) return;
  const auto out = walker(to, shape);
  if ((collides(to, leaves) || ...)) {
    const auto all = computed<T, R>(f, leaves...);
    walk(
        shape, [](T& place, const T& value) { place = value; }, out, walker(leaf(all), shape));
  } else {
    walk(
        shape, [f](T& place, const auto&... each) { place = T(f(each...)); }, out,
        walker(leaves, shape)...);
  }
}
template <class F, class D, class... A>
static inline void elementwise_into(F f, const D& to, const A&... arrays) {
  compute_into(leaf(to), f, leaf(arrays)...);
}
#endif
