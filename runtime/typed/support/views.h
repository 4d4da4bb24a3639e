// Arrays seen through slices, and as elements of another type.

// a[...]: each part takes its numbers from the rest, an index one, a slice first, end and step.
enum { kAt = 0, kWhole = 1, kNew = 2, kSlice = 4, kHasFirst = 8, kHasEnd = 16 };

// What cannot be seen raises in functions; kernels, which cannot, see no elements.
#if defined(_GPY_GRID) || defined(__CUDACC_RTC__) || defined(__CUDACC__)
#define _GPY_UNSEEN(code)
#else
#define _GPY_UNSEEN(code) fail(code)
#endif

GPY_FN i64 clipped(i64 at, i64 low, i64 high) { return at < low ? low : at > high ? high : at; }
struct Cut {
  i64 first, count, step;
};
GPY_FN Cut cut(int kind, const i64* number, i64 extent) {
  const i64 step = number[2];
  if (step == 0) _GPY_UNSEEN(kStep);
  const i64 low = step < 0 ? -1 : 0, high = step < 0 ? extent - 1 : extent;
  i64 first = step < 0 ? high : low, end = step < 0 ? low : high;
  if (kind & kHasFirst) first = clipped(from_end(number[0], extent), low, high);
  if (kind & kHasEnd) end = clipped(from_end(number[1], extent), low, high);
  return {first, range_count(first, end, step), step};
}
template <int Q, int... kinds, class T, int R>
GPY_FN View<T, Q> subscript_by(const View<T, R>& array, const i64* number) {
  View<T, Q> out;
  char* place = (char*)array.data;
  int axis = 0, to = 0;
  const int parts[] = {kinds...};
  for (const int kind : parts) {
    if (kind == kAt) {
      place += *number++ * array.stride[axis++];
    } else if (kind == kNew) {
      out.shape[to] = 1;
      out.stride[to++] = 0;
    } else {
      Cut part{0, array.shape[axis], 1};
      if (kind & kSlice) {
        part = cut(kind, number, array.shape[axis]);
        number += 3;
      }
      place += part.first * array.stride[axis];
      out.shape[to] = part.count;
      out.stride[to++] = part.step * array.stride[axis++];
    }
  }
  for (; axis < R; ++axis, ++to) {
    out.shape[to] = array.shape[axis];
    out.stride[to] = array.stride[axis];
  }
  out.data = (T*)place;
  return out;
}
template <int Q, int... kinds, class T, int R, class... N>
GPY_FN View<T, Q> subscript(const View<T, R>& array, N... numbers) {
  const i64 all[] = {i64(numbers)..., 0};
  return subscript_by<Q, kinds...>(array, all);
}
template <int Q, int... kinds, class T, int R, class... N>
GPY_FN View<T, Q> subscript(const Dense<T, R>& array, N... numbers) {
  return subscript<Q, kinds...>(as_view(array), numbers...);
}

// a[first:end] along the first axis of a dense array.
template <int kind, class T, int R>
GPY_FN Dense<T, R> rows(const Dense<T, R>& array, i64 first, i64 end) {
  const i64 number[] = {first, end, 1};
  const Cut part = cut(kind, number, array.shape[0]);
  Dense<T, R> out = array;
  out.shape[0] = part.count;
  i64 size = 1;
  for (int axis = 1; axis < R; ++axis) size *= array.shape[axis];
  out.data += part.first * size;
  return out;
}

// a.view(dtype): the bytes along the last axis, which follow one another, as other elements.
template <class U, class T> GPY_FN i64 extent_as(i64 extent) {
  const i64 bytes = extent * i64(sizeof(T));
  if (bytes % i64(sizeof(U)) != 0) _GPY_UNSEEN(kWiderItems);
  return bytes / i64(sizeof(U));
}
template <class U, class T, int R> GPY_FN Dense<U, R> viewed(const Dense<T, R>& array) {
  Dense<U, R> out;
  out.data = (U*)array.data;
  for (int axis = 0; axis < R; ++axis) out.shape[axis] = array.shape[axis];
  out.shape[R - 1] = extent_as<U, T>(array.shape[R - 1]);
  return out;
}
template <class U, class T, int R> GPY_FN View<U, R> viewed(const View<T, R>& array) {
  const bool follow = array.stride[R - 1] == i64(sizeof(T)) || sizeof(T) == sizeof(U);
  if (!follow) _GPY_UNSEEN(kApartItems);
  View<U, R> out;
  out.data = (U*)array.data;
  for (int axis = 0; axis < R; ++axis) {
    out.shape[axis] = array.shape[axis];
    out.stride[axis] = array.stride[axis];
  }
  if (sizeof(T) == sizeof(U)) return out;
  out.shape[R - 1] = follow ? extent_as<U, T>(array.shape[R - 1]) : 0;
  out.stride[R - 1] = sizeof(U);
  return out;
}
