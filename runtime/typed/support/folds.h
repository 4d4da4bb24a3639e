// Sums and kin, orders and products of matrices, in functions on the host.
#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__)

// --- of all elements, from the first to the last -------------------------------------------------

template <class S, class A> static inline S sum_of(const A& array) {
  S out = S(0);
  each(array, [&](const auto& x) { out = add(out, cast<S>(x)); });
  return out;
}
template <class S, class A> static inline S product_of(const A& array) {
  S out = S(1);
  each(array, [&](const auto& x) { out = multiply(out, cast<S>(x)); });
  return out;
}
template <class A> static inline f64 mean_of_reals(const A& array) {
  return sum_of<f64>(array) / f64(element_count(leaf(array)));
}
template <class S, class A> static inline S mean_of(const A& array) {
  return divide(sum_of<S>(array), S(f64(element_count(leaf(array)))));
}
template <class A> static inline f64 variance_of(const A& array) {
  const f64 mean = mean_of<f64>(array);
  f64 out = 0;
  each(array, [&](const auto& x) { out += (cast<f64>(x) - mean) * (cast<f64>(x) - mean); });
  return out / f64(element_count(leaf(array)));
}
template <class A> static inline bool any_of(const A& array) {
  bool out = false;
  each(array, [&](const auto& x) { out |= truth(x); });
  return out;
}
template <class A> static inline bool all_of(const A& array) {
  bool out = true;
  each(array, [&](const auto& x) { out &= truth(x); });
  return out;
}

// The least and the greatest element, and NaN where there is one.
template <bool greatest, class T> static inline bool goes_before(const T& x, const T& y) {
  return greatest ? less(y, x) : less(x, y);
}
template <bool greatest, class T> static inline T extreme(const T& x, const T& y) {
  return is_nan(x) || !(goes_before<greatest>(y, x) || is_nan(y)) ? x : y;
}
template <class T, bool greatest, class A> static inline T extreme_of(const A& array) {
  const auto view = leaf(array);
  if (element_count(view) == 0) fail(greatest ? kEmptyGreatest : kEmptyLeast);
  T out = T(*view.data);
  each(view, [&](const auto& x) { out = extreme<greatest>(out, T(x)); });
  return out;
}
template <class T, bool greatest, class A> static inline i64 place_of_extreme(const A& array) {
  const auto view = leaf(array);
  if (element_count(view) == 0) fail(greatest ? kEmptyPlaceOfGreatest : kEmptyPlaceOfLeast);
  T best = T(*view.data);
  i64 out = 0, at = 0;
  each(view, [&](const auto& y) {
    const T x = T(y);
    if (!is_nan(best) && (goes_before<greatest>(x, best) || is_nan(x))) {
      best = x;
      out = at;
    }
    ++at;
  });
  return out;
}

// --- along an axis -------------------------------------------------------------------------------

// `out` seen at each place of the array that it is folded from.
template <class S, int R> static inline View<S, R> spread(const View<S, R - 1>& out, int axis) {
  View<S, R> all;
  all.data = out.data;
  for (int k = 0; k < R; ++k) {
    all.shape[k] = k == axis ? 1 : out.shape[k - (k > axis)];
    all.stride[k] = k == axis ? 0 : out.stride[k - (k > axis)];
  }
  return all;
}
// out = f(out, x) for the elements x along the axis, in their order; `place`: their number there.
template <class S, class T, int R, class F>
static inline void fold_into(const View<S, R - 1>& out, const View<T, R>& array, int axis, F f) {
  View<T, R> slice = array;
  slice.shape[axis] = 1;
  Shape<R> shape;
  for (int k = 0; k < R; ++k) shape.extent[k] = slice.shape[k];
  const View<S, R> to = spread<S, R>(out, axis);
  for (i64 i = 0; i < array.shape[axis]; ++i) {
    walk(
        shape, [f, i](S& sum, const T& x) { sum = f(sum, x, i); }, walker(to, shape),
        walker(slice, shape));
    slice.data = (T*)((char*)slice.data + array.stride[axis]);
  }
}
template <class S, class T, int R>
static inline Owned<Dense<S, R - 1>> without_axis(const View<T, R>& array, int axis, S start) {
  i64 extents[R];
  for (int k = 0; k + 1 < R; ++k) extents[k] = array.shape[k + (k >= axis)];
  auto out = make_shaped<S, R - 1>(false, extents);
  const i64 count = element_count(out);
  for (i64 i = 0; i < count; ++i) out.data[i] = start;
  return out;
}
template <class S, int axis, class A> static inline auto sum_along(const A& array) {
  const auto view = leaf(array);
  auto out = without_axis(view, axis, S(0));
  fold_into(leaf(out), view, axis,
            [](const S& sum, const auto& x, i64) { return add(sum, cast<S>(x)); });
  return out;
}
template <class S, int axis, class A> static inline auto product_along(const A& array) {
  const auto view = leaf(array);
  auto out = without_axis(view, axis, S(1));
  fold_into(leaf(out), view, axis,
            [](const S& all, const auto& x, i64) { return multiply(all, cast<S>(x)); });
  return out;
}
template <class S, int axis, class A> static inline auto mean_along(const A& array) {
  auto out = sum_along<S, axis>(array);
  const S extent = S(f64(leaf(array).shape[axis]));
  const i64 count = element_count(out);
  for (i64 i = 0; i < count; ++i) out.data[i] = divide(out.data[i], extent);
  return out;
}
template <class T, bool greatest, int axis, class A>
static inline auto extreme_along(const A& array) {
  const auto view = leaf(array);
  if (view.shape[axis] == 0) fail(greatest ? kEmptyGreatest : kEmptyLeast);
  auto out = without_axis(view, axis, typename ElementOf<decltype(leaf(array))>::Type());
  fold_into(leaf(out), view, axis, [](const auto& best, const auto& x, i64 i) {
    return i == 0 ? x : decltype(x)(extreme<greatest>(best, x));
  });
  return out;
}

template <class T, bool greatest, int axis, class A>
static inline auto place_along(const A& array) {
  auto slice = leaf(array);
  constexpr int R = sizeof(slice.shape) / sizeof(i64);
  const i64 count = slice.shape[axis];
  if (count == 0) fail(greatest ? kEmptyPlaceOfGreatest : kEmptyPlaceOfLeast);
  const auto best = without_axis(slice, axis, T());
  auto out = without_axis(slice, axis, i64(0));
  slice.shape[axis] = 1;
  Shape<R> shape;
  for (int k = 0; k < R; ++k) shape.extent[k] = slice.shape[k];
  const View<T, R> kept = spread<T, R>(leaf(best), axis);
  const View<i64, R> places = spread<i64, R>(leaf(out), axis);
  for (i64 i = 0; i < count; ++i) {
    walk(
        shape,
        [i](T& most, i64& place, const auto& y) {
          const T x = T(y);
          if (i > 0 && (is_nan(most) || !(goes_before<greatest>(x, most) || is_nan(x)))) return;
          most = x;
          place = i;
        },
        walker(kept, shape), walker(places, shape), walker(slice, shape));
    slice.data = (decltype(slice.data))((char*)slice.data + slice.stride[axis]);
  }
  return out;
}

// np.cumsum and np.cumprod of all elements.
template <class S, bool product, class A> static inline auto running(const A& array) {
  auto out = make_array<S, 1>(false, element_count(leaf(array)));
  S all = S(product ? 1 : 0);
  S* to = out.data;
  each(array, [&](const auto& x) {
    all = product ? multiply(all, cast<S>(x)) : add(all, cast<S>(x));
    *to++ = all;
  });
  return out;
}

// --- orders --------------------------------------------------------------------------------------

// NaN comes last.
template <class T> static inline bool sorts_before(const T& x, const T& y) {
  return less(x, y) || (is_nan(y) && !is_nan(x));
}
// Merges sorted runs of doubling length; equal elements keep their order.
template <class T, class F> static inline void merge_sort(T* data, i64 count, F before) {
  const i64 run = 16;
  for (i64 low = 0; low < count; low += run) {
    const i64 high = low + run < count ? low + run : count;
    for (i64 i = low + 1; i < high; ++i) {
      const T item = data[i];
      i64 at = i;
      for (; at > low && before(item, data[at - 1]); --at) data[at] = data[at - 1];
      data[at] = item;
    }
  }
  if (count <= run) return;
  auto other = make_array<T, 1>(false, count);
  T *from = data, *to = other.data;
  for (i64 width = run; width < count; width *= 2) {
    for (i64 low = 0; low < count; low += 2 * width) {
      const i64 middle = low + width < count ? low + width : count;
      const i64 high = middle + width < count ? middle + width : count;
      i64 left = low, right = middle;
      for (i64 at = low; at < high; ++at) {
        const bool takes_right =
            right < high && (left >= middle || before(from[right], from[left]));
        to[at] = takes_right ? from[right++] : from[left++];
      }
    }
    T* const last = from;
    from = to;
    to = last;
  }
  if (from != data) {
    for (i64 i = 0; i < count; ++i) data[i] = from[i];
  }
}
template <class T> static inline void sort_in_place(const View<T, 1>& array) {
  if (is_dense(array)) return merge_sort(array.data, array.shape[0], sorts_before<T>);
  auto all = copied<T>(array);
  merge_sort(all.data, array.shape[0], sorts_before<T>);
  compute_into(
      array, [](const T& x) { return x; }, leaf(all));
}
template <class A> static inline void sort_array(const A& array) { sort_in_place(leaf(array)); }
template <class T, class A> static inline auto sorted_copy(const A& array) {
  auto out = copied<T>(array);
  merge_sort(out.data, out.shape[0], sorts_before<T>);
  return out;
}
template <class A> static inline auto sorted_places(const A& array) {
  const auto view = leaf(array);
  auto out = make_array<i64, 1>(false, view.shape[0]);
  for (i64 i = 0; i < view.shape[0]; ++i) out.data[i] = i;
  merge_sort(out.data, view.shape[0],
             [&](i64 x, i64 y) { return sorts_before(view.at(x), view.at(y)); });
  return out;
}

// --- products of matrices ------------------------------------------------------------------------

template <class S, class A, class B> static inline S vector_product(const A& x, const B& y) {
  const auto left = leaf(x), right = leaf(y);
  if (left.shape[0] != right.shape[0]) fail(kProduct);
  S out = S(0);
  for (i64 i = 0; i < left.shape[0]; ++i)
    out = add(out, multiply(cast<S>(left.at(i)), cast<S>(right.at(i))));
  return out;
}
// A vector is a matrix of one row or one column.
template <class S, class T, class U>
static inline void multiply_matrices(S* to, const View<T, 2>& x, const View<U, 2>& y) {
  if (x.shape[1] != y.shape[0]) fail(kProduct);
  const i64 columns = y.shape[1];
  for (i64 i = 0; i < x.shape[0]; ++i) {
    for (i64 k = 0; k < x.shape[1]; ++k) {
      const S factor = cast<S>(x.at(i, k));
      for (i64 j = 0; j < columns; ++j)
        to[i * columns + j] = add(to[i * columns + j], multiply(factor, cast<S>(y.at(k, j))));
    }
  }
}
template <class S, class T, class U>
static inline auto product(const View<T, 2>& x, const View<U, 2>& y) {
  auto out = make_array<S, 2>(true, x.shape[0], y.shape[1]);
  multiply_matrices<S>(out.data, x, y);
  return out;
}
template <class S, class T, class U>
static inline auto product(const View<T, 2>& x, const View<U, 1>& y) {
  auto out = make_array<S, 1>(true, x.shape[0]);
  multiply_matrices<S>(out.data, x, subscript<2, kWhole, kNew>(y));
  return out;
}
template <class S, class T, class U>
static inline auto product(const View<T, 1>& x, const View<U, 2>& y) {
  auto out = make_array<S, 1>(true, y.shape[1]);
  multiply_matrices<S>(out.data, subscript<2, kNew, kWhole>(x), y);
  return out;
}
template <class S, class A, class B> static inline auto matrix_product(const A& x, const B& y) {
  return product<S>(leaf(x), leaf(y));
}
#endif
