// Values as words of 8 bytes, in which calls hand them over: numbers in two, arrays as their
// address, their block (0: memory of somebody else), extents and strides.

template <class T> struct Words {
  enum { count = 2 };
  GPY_MEMBER static T get(const u64* words) { return *(const T*)words; }
  GPY_MEMBER static void put(u64* words, const T& value) { *(T*)words = value; }
};
template <class T, int R> struct Words<Dense<T, R>> {
  enum { count = 2 + 2 * R };
  GPY_MEMBER static Dense<T, R> get(const u64* words) {
    Dense<T, R> out;
    out.data = (T*)words[0];
    for (int axis = 0; axis < R; ++axis) out.shape[axis] = i64(words[2 + axis]);
    return out;
  }
  GPY_MEMBER static void put(u64* words, const Dense<T, R>& array) {
    Words<View<T, R>>::put(words, as_view(array));
  }
};
template <class T, int R> struct Words<View<T, R>> {
  enum { count = 2 + 2 * R };
  GPY_MEMBER static View<T, R> get(const u64* words) {
    View<T, R> out;
    out.data = (T*)words[0];
    for (int axis = 0; axis < R; ++axis) {
      out.shape[axis] = i64(words[2 + axis]);
      out.stride[axis] = i64(words[2 + R + axis]);
    }
    return out;
  }
  GPY_MEMBER static void put(u64* words, const View<T, R>& array) {
    words[0] = (u64)array.data;
    words[1] = 0;
    for (int axis = 0; axis < R; ++axis) {
      words[2 + axis] = u64(array.shape[axis]);
      words[2 + R + axis] = u64(array.stride[axis]);
    }
  }
};
template <> struct Words<Tuple<>> {
  enum { count = 0 };
  GPY_MEMBER static Tuple<> get(const u64*) { return {}; }
  GPY_MEMBER static void put(u64*, const Tuple<>&) {}
};
template <class T, class... Rest> struct Words<Tuple<T, Rest...>> {
  enum { count = int(Words<T>::count) + int(Words<Tuple<Rest...>>::count) };
  GPY_MEMBER static Tuple<T, Rest...> get(const u64* words) {
    Tuple<T, Rest...> out;
    out.first = Words<T>::get(words);
    out.rest = Words<Tuple<Rest...>>::get(words + Words<T>::count);
    return out;
  }
  GPY_MEMBER static void put(u64* words, const Tuple<T, Rest...>& value) {
    Words<T>::put(words, value.first);
    Words<Tuple<Rest...>>::put(words + Words<T>::count, value.rest);
  }
};
