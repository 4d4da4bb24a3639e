// What the functions of the typed form are written over, beside the support of operations: arrays
// as they are indexed, tuples, and the rounds of a range.

#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
#define GPY_FUNCTION __device__ inline
#define GPY_UNROLL(rounds) GPY_PRAGMA(unroll rounds)
#else
#define GPY_FUNCTION static inline
#define GPY_UNROLL(rounds) GPY_PRAGMA(GCC unroll rounds)
#endif
#define GPY_PRAGMA(words) _Pragma(#words)

// An index as Python counts it: -1 is the last.
GPY_FN i64 from_end(i64 index, i64 extent) { return index < 0 ? index + extent : index; }

// An array: strides in bytes.
template <class T, int R> struct View {
  T* data;
  i64 shape[R > 0 ? R : 1], stride[R > 0 ? R : 1];

  template <class... I> GPY_MEMBER T& at(I... index) const {
    const i64 indices[] = {i64(index)..., 0};
    char* place = (char*)data;
    for (int axis = 0; axis < R; ++axis) place += indices[axis] * stride[axis];
    return *(T*)place;
  }
};

// An array whose elements follow one another in C order.
template <class T, int R> struct Dense {
  T* data;
  i64 shape[R > 0 ? R : 1];

  template <class... I> GPY_MEMBER T& at(I... index) const {
    const i64 indices[] = {i64(index)..., 0};
    i64 place = R > 0 ? indices[0] : 0;
    for (int axis = 1; axis < R; ++axis) place = place * shape[axis] + indices[axis];
    return data[place];
  }
};

template <class... T> struct Tuple;
template <> struct Tuple<> {};
template <class T, class... Rest> struct Tuple<T, Rest...> {
  T first;
  Tuple<Rest...> rest;
  Tuple() = default;
  GPY_MEMBER Tuple(T first, Rest... rest) : first(first), rest(rest...) {}
};
template <int I> struct ItemOf {
  template <class T> GPY_MEMBER static auto get(const T& tuple) {
    return ItemOf<I - 1>::get(tuple.rest);
  }
};
template <> struct ItemOf<0> {
  template <class T> GPY_MEMBER static auto get(const T& tuple) { return tuple.first; }
};
template <int I, class T> GPY_FN auto item(const T& tuple) { return ItemOf<I>::get(tuple); }

// The number of rounds of range(first, end, step). A step of 0 has none.
GPY_FN i64 range_count(i64 first, i64 end, i64 step) {
  if (step == 0 || (step > 0 ? first >= end : first <= end)) return 0;
  const u64 way = step > 0 ? u64(end) - u64(first) : u64(first) - u64(end);
  const u64 size = step > 0 ? u64(step) : 0 - u64(step);
  return i64((way - 1) / size) + 1;
}
// Behind the last round it may lie beyond 64 bits, where nobody reads it.
GPY_FN i64 next_of_range(i64 at, i64 step) { return i64(u64(at) + u64(step)); }
// Item number `index`, below the count.
GPY_FN i64 range_item(i64 first, i64 step, i64 index) {
  return i64(u64(first) + u64(step) * u64(index));
}

// How far the rounds from `at` on go, at most to `end`, before the element that the first of them
// stores, and the others behind it, meets one that all read. One round may meet it, as its last.
template <class T, class U> GPY_FN i64 strip_end(const T* stored, const U* read, i64 at, i64 end) {
  const i64 way = i64(u64(read) - u64(stored)), size = sizeof(T);
  if (way <= -i64(sizeof(U)) || way >= (end - at) * size) return end;
  return way < size ? at + 1 : at + way / size;
}
// Whether a round reads, of elements one behind the other, what none before it has stored.
template <class T, class U> GPY_FN bool reads_ahead(const T* stored, const U* read, i64 rounds) {
  const i64 way = i64(u64(read) - u64(stored)), size = sizeof(T);
  if (sizeof(T) == sizeof(U)) return way >= 0 || way <= -rounds * size;
  return way >= rounds * size || way <= -rounds * i64(sizeof(U));
}

// Of numbers that are not negative.
GPY_FN i64 quotient_of(i64 x, i64 y) { return y > 0 ? x / y : 0; }
GPY_FN i64 remainder_of(i64 x, i64 y) { return y > 0 ? x % y : 0; }

// min and max as Python has them: of equal ones the first.
template <class T> GPY_FN T smaller(T x, T y) { return less(y, x) ? y : x; }
template <class T> GPY_FN T greater(T x, T y) { return less(x, y) ? y : x; }

// test ? yes : no, of ints without a jump whatever the compiler thinks.
template <class T> GPY_FN T selected(bool test, T yes, T no) {
  if constexpr (Traits<T>::is_integer) {
    typedef typename Traits<T>::Unsigned U;
    return T(U(no) ^ ((U(yes) ^ U(no)) & U(0 - U(test))));
  } else {
    return test ? yes : no;
  }
}

template <class T, int R> GPY_FN View<T, R> as_view(Dense<T, R> array) {
  View<T, R> out;
  out.data = array.data;
  i64 stride = sizeof(T);
  for (int axis = R - 1; axis >= 0; --axis) {
    out.shape[axis] = array.shape[axis];
    out.stride[axis] = stride;
    stride *= array.shape[axis];
  }
  return out;
}
template <class T, int R> GPY_FN View<T, R> as_view(View<T, R> array) { return array; }

// array[index], without its first axis.
template <class T, int R> GPY_FN Dense<T, R - 1> row(Dense<T, R> array, i64 index) {
  Dense<T, R - 1> out;
  i64 size = 1;
  for (int axis = 1; axis < R; ++axis) size *= out.shape[axis - 1] = array.shape[axis];
  out.data = array.data + index * size;
  return out;
}
template <class T, int R> GPY_FN View<T, R - 1> row(View<T, R> array, i64 index) {
  View<T, R - 1> out;
  for (int axis = 1; axis < R; ++axis) {
    out.shape[axis - 1] = array.shape[axis];
    out.stride[axis - 1] = array.stride[axis];
  }
  out.data = (T*)((char*)array.data + index * array.stride[0]);
  return out;
}

// x ** n by repeated multiplication.
template <class T> GPY_FN T power_by_int(T x, i64 n) {
  u64 rest = n < 0 ? 0 - u64(n) : u64(n);
  T result = T(1);
  for (; rest != 0; rest >>= 1) {
    if (rest & 1) result = multiply(result, x);
    x = multiply(x, x);
  }
  return n < 0 ? divide(T(1), result) : result;
}

template <class T> GPY_FN bool below_zero(T x) {
  if constexpr (Traits<T>::is_signed) return x < T(0);
  else return false;
}
// x ** y of ints, as Numba and CuPy have it: of negative powers the whole part.
template <class T> GPY_FN T whole_power(T x, T y) {
  if (!below_zero(y)) return integer_power(x, y);
  if (x == T(-1)) return y & 1 ? T(-1) : T(1);
  return x == T(1) ? T(1) : T(0);
}

template <class A> GPY_FN i64 count_elements(const A& array, int rank) {
  i64 count = 1;
  for (int axis = 0; axis < rank; ++axis) count *= array.shape[axis];
  return count;
}
template <class T, int R> GPY_FN i64 element_count(View<T, R> array) {
  return count_elements(array, R);
}
template <class T, int R> GPY_FN i64 element_count(Dense<T, R> array) {
  return count_elements(array, R);
}

template <class T, int R> GPY_FN View<T, R> transposed(View<T, R> array) {
  View<T, R> out;
  out.data = array.data;
  for (int axis = 0; axis < R; ++axis) {
    out.shape[axis] = array.shape[R - 1 - axis];
    out.stride[axis] = array.stride[R - 1 - axis];
  }
  return out;
}
template <class T, int R> GPY_FN View<T, R> transposed(Dense<T, R> array) {
  return transposed(as_view(array));
}

// A raw parameter of an elementwise kernel: the whole array, in C order.
template <class T> GPY_FN Dense<T, 1> raw_array(void* data, i64 count) {
  Dense<T, 1> out;
  out.data = (T*)data;
  out.shape[0] = count;
  return out;
}
