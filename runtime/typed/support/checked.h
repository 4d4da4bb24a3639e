// Accesses of checked kernels, over the text of runtime/kernel/checks.
#ifdef _GPY_CHECKED

// The number of an array's name, and the place of the access.
struct AccessPlace {
  int array, line;
  const char* file;
  GPY_MEMBER AccessPlace(int array, int line = __builtin_LINE(),
                         const char* file = __builtin_FILE())
      : array(array), line(line), file(file) {}
};

// The index that the script gave, before from_end.
GPY_FN i64 as_given(i64 index, i64 extent) { return index < 0 ? index - extent : index; }
template <int R, class A>
GPY_FN bool is_inside_all(const A& array, const AccessPlace& place, const i64* index) {
  for (int axis = 0; axis < R; ++axis) {
    if (u64(index[axis]) < u64(array.shape[axis])) continue;
    const i64 extent = array.shape[axis], given = as_given(index[axis], extent);
    ::_gpy_tell_index(place.array, given, extent, R > 1 ? axis + 1 : 0, place.line, place.file);
    return false;
  }
  return true;
}
template <class T> struct PointedTo;
template <class T> struct PointedTo<T*> { typedef T Type; };
// What lies beyond the array is spare memory, which reads as zeros.
template <class A, class... I>
GPY_FN auto& checked_at(const A& array, const AccessPlace& place, I... index) {
  const i64 all[] = {i64(index)..., 0};
  typedef typename PointedTo<decltype(A::data)>::Type T;
  if (!is_inside_all<int(sizeof...(index))>(array, place, all)) return *(T*)::_gpy_spare<T>();
  return array.at(index...);
}
// array[index]: of no elements where there is none.
template <class A> GPY_FN auto checked_row(const A& array, const AccessPlace& place, i64 index) {
  const bool inside = u64(index) < u64(array.shape[0]);
  if (!inside)
    ::_gpy_tell_index(place.array, as_given(index, array.shape[0]), array.shape[0], 1, place.line,
                      place.file);
  auto out = row(array, inside ? index : 0);
  if (!inside) out.shape[0] = 0;
  return out;
}
// array[...], with the indices among its parts looked at.
template <int Q, int... kinds, class A, class... N>
GPY_FN auto checked_subscript(const A& array, const AccessPlace& place, N... numbers) {
  i64 all[] = {i64(numbers)..., 0};
  const int parts[] = {kinds...};
  bool inside = true;
  int axis = 0;
  i64* number = all;
  for (const int kind : parts) {
    if (kind == kAt && u64(*number) >= u64(array.shape[axis])) {
      const i64 extent = array.shape[axis];
      ::_gpy_tell_index(place.array, as_given(*number, extent), extent, axis + 1, place.line,
                        place.file);
      *number = 0;
      inside = false;
    }
    number += kind == kAt ? 1 : kind & kSlice ? 3 : 0;
    axis += kind != kNew;
  }
  auto out = subscript_by<Q, kinds...>(as_view(array), all);
  if (!inside) out.shape[0] = 0;
  return out;
}
#endif
