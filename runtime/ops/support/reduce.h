// Functions that the rows of reductions.def need beyond those of the ufuncs.

// The ends of a type's order. Complex numbers are ordered by their real parts first.
template <class T> GPY_FN T highest() {
  if constexpr (Traits<T>::is_bool) return true;
  else if constexpr (Traits<T>::is_complex)
    return T(infinity<typename Traits<T>::Real>(), infinity<typename Traits<T>::Real>());
  else if constexpr (Traits<T>::is_float) return infinity<T>();
  else if constexpr (Traits<T>::is_signed) return T(~lowest_int<T>());
  else return T(~T(0));
}
template <class T> GPY_FN T lowest() {
  if constexpr (Traits<T>::is_bool) return false;
  else if constexpr (Traits<T>::is_complex)
    return T(-infinity<typename Traits<T>::Real>(), -infinity<typename Traits<T>::Real>());
  else if constexpr (Traits<T>::is_float) return negative(infinity<T>());
  else if constexpr (Traits<T>::is_signed) return lowest_int<T>();
  else return T(0);
}
// fmax and fmin drop NaNs, so only a NaN changes nothing.
template <class T> GPY_FN T all_nan() {
  if constexpr (Traits<T>::is_complex)
    return T(not_a_number<typename Traits<T>::Real>(), not_a_number<typename Traits<T>::Real>());
  else return not_a_number<T>();
}
template <class T> GPY_FN T nan_or_lowest() {
  if constexpr (Traits<T>::is_complex || Traits<T>::is_float) return all_nan<T>();
  else return lowest<T>();
}
template <class T> GPY_FN T nan_or_highest() {
  if constexpr (Traits<T>::is_complex || Traits<T>::is_float) return all_nan<T>();
  else return highest<T>();
}

// An element and where it stood; index -1 is nothing.
template <class T> struct Indexed {
  T value;
  i64 index;
};
template <class T> GPY_FN Indexed<T> indexed(T value, i64 index) {
  Indexed<T> result;
  result.value = value;
  result.index = index;
  return result;
}
template <class T> GPY_FN Indexed<T> nothing_indexed() { return indexed(T(0), i64(-1)); }
// The first NaN wins, then the first of the best.
template <class T> GPY_FN Indexed<T> arg_maximum(Indexed<T> a, Indexed<T> b) {
  if (a.index < 0) return b;
  if (b.index < 0 || is_nan(a.value)) return a;
  return is_nan(b.value) || less(a.value, b.value) ? b : a;
}
template <class T> GPY_FN Indexed<T> arg_minimum(Indexed<T> a, Indexed<T> b) {
  if (a.index < 0) return b;
  if (b.index < 0 || is_nan(a.value)) return a;
  return is_nan(b.value) || less(b.value, a.value) ? b : a;
}
