// Kernels on a grid: where a thread is, and changes of memory that all threads see as one step.
// Functions that threads meet at are called by CUDA's own names.

#if defined(__CUDACC_RTC__) || defined(__CUDACC__) || defined(_GPY_GRID)
GPY_FN i32 at_thread_x() { return i32(threadIdx.x); }
GPY_FN i32 at_thread_y() { return i32(threadIdx.y); }
GPY_FN i32 at_thread_z() { return i32(threadIdx.z); }
GPY_FN i32 at_block_x() { return i32(blockIdx.x); }
GPY_FN i32 at_block_y() { return i32(blockIdx.y); }
GPY_FN i32 at_block_z() { return i32(blockIdx.z); }
GPY_FN i32 at_block_extent_x() { return i32(blockDim.x); }
GPY_FN i32 at_block_extent_y() { return i32(blockDim.y); }
GPY_FN i32 at_block_extent_z() { return i32(blockDim.z); }
GPY_FN i32 at_grid_extent_x() { return i32(gridDim.x); }
GPY_FN i32 at_grid_extent_y() { return i32(gridDim.y); }
GPY_FN i32 at_grid_extent_z() { return i32(gridDim.z); }
GPY_FN i64 at_grid_x() { return i64(blockIdx.x) * i64(blockDim.x) + i64(threadIdx.x); }
GPY_FN i64 at_grid_y() { return i64(blockIdx.y) * i64(blockDim.y) + i64(threadIdx.y); }
GPY_FN i64 at_grid_z() { return i64(blockIdx.z) * i64(blockDim.z) + i64(threadIdx.z); }
GPY_FN i64 at_grid_size_x() { return i64(gridDim.x) * i64(blockDim.x); }
GPY_FN i64 at_grid_size_y() { return i64(gridDim.y) * i64(blockDim.y); }
GPY_FN i64 at_grid_size_z() { return i64(gridDim.z) * i64(blockDim.z); }

GPY_FN u32 at_rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
GPY_FN i32 at_lane() { return i32(at_rank_in_block() % 32); }
// The lanes that a vote finds, and whether it is carried. The vote is the caller's, as the barrier
// of Meeting is.
template <class V> struct Vote {
  V vote;
  template <class T> GPY_MEMBER Tuple<u32, bool> of(u32 mask, T x) const {
    int carried = 0;
    const u32 lanes = vote(mask, x, &carried);
    return {lanes, carried != 0};
  }
};
template <class V> GPY_FN Vote<V> vote_by(V vote) { return {vote}; }
GPY_FN u32 lanes_before() { return (1u << at_lane()) - 1; }
GPY_FN u32 at_threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
GPY_FN u64 at_block_rank() {
  return blockIdx.x + u64(gridDim.x) * (blockIdx.y + u64(gridDim.y) * blockIdx.z);
}
GPY_FN u64 at_block_count() { return u64(gridDim.x) * gridDim.y * gridDim.z; }
GPY_FN u64 at_rank_in_grid() {
  return at_block_rank() * at_threads_of_block() + at_rank_in_block();
}
GPY_FN u64 at_threads_of_grid() { return at_block_count() * at_threads_of_block(); }

// Words of 4 and 8 bytes are what the hardware compares and exchanges.
template <int bytes> struct AtomicWord;
template <> struct AtomicWord<4> { typedef u32 Type; };
template <> struct AtomicWord<8> { typedef u64 Type; };
template <class T> union AtomicPun {
  T value;
  typename AtomicWord<sizeof(T)>::Type word;
};
// Puts change(before) into the place of `before`, which it gives.
template <class T, class F> GPY_FN T atomic_change(T* at, F change) {
  typedef typename AtomicWord<sizeof(T)>::Type Word;
  AtomicPun<T> before, after, found;
  found.value = *(volatile T*)at;
  do {
    before.word = found.word;
    after.value = change(before.value);
    found.word = ::atomicCAS((Word*)at, before.word, after.word);
  } while (found.word != before.word);
  return before.value;
}
template <class T> GPY_FN T atomic_add(T& at, T x) {
  if constexpr (Same<T, i64>::value) return T(::atomicAdd((u64*)&at, u64(x)));
  else if constexpr (sizeof(T) >= 4) return ::atomicAdd(&at, x);
}
template <class F> GPY_FN Complex<F> atomic_add(Complex<F>& at, Complex<F> x) {
  return Complex<F>(::atomicAdd(&at.re, x.re), ::atomicAdd(&at.im, x.im));
}
template <class T> GPY_FN T atomic_sub(T& at, T x) { return atomic_add(at, negative(x)); }
template <class T> GPY_FN T atomic_max(T& at, T x) {
  return atomic_change(&at, [=](T before) { return maximum(before, x); });
}
template <class T> GPY_FN T atomic_min(T& at, T x) {
  return atomic_change(&at, [=](T before) { return minimum(before, x); });
}
template <class T> GPY_FN T atomic_nanmax(T& at, T x) {
  return atomic_change(&at, [=](T before) { return fmax(before, x); });
}
template <class T> GPY_FN T atomic_nanmin(T& at, T x) {
  return atomic_change(&at, [=](T before) { return fmin(before, x); });
}
template <class T> GPY_FN T atomic_and(T& at, T x) {
  return atomic_change(&at, [=](T before) { return T(before & x); });
}
template <class T> GPY_FN T atomic_or(T& at, T x) {
  return atomic_change(&at, [=](T before) { return T(before | x); });
}
template <class T> GPY_FN T atomic_xor(T& at, T x) {
  return atomic_change(&at, [=](T before) { return T(before ^ x); });
}
template <class T> GPY_FN T atomic_inc(T& at, T most) {
  return atomic_change(&at, [=](T before) { return before >= most ? T(0) : T(before + 1); });
}
template <class T> GPY_FN T atomic_dec(T& at, T most) {
  return atomic_change(
      &at, [=](T before) { return before == 0 || before > most ? most : T(before - 1); });
}
template <class T> GPY_FN T atomic_exch(T& at, T x) {
  return atomic_change(&at, [=](T) { return x; });
}
template <class T> GPY_FN T atomic_cas(T& at, T expected, T x) {
  AtomicPun<T> old, fresh, found;
  old.value = expected;
  fresh.value = x;
  found.word = ::atomicCAS((typename AtomicWord<sizeof(T)>::Type*)&at, old.word, fresh.word);
  return found.value;
}

// Threads that put their values together: each has a place in `room`, and all get the result. The
// barrier is the caller's, since a text that names one has fibers on the CPU.
template <class B> struct Meeting {
  B barrier;
  u32 most;  // threads that meet

  template <class A, class T, class F> GPY_MEMBER T fold(const A& room, T value, F f) const {
    const u32 rank = at_rank_in_block(), place = rank % most, first = rank - place;
    const u32 others = at_threads_of_block() - first, whole = others < most ? others : most;
    const i64 places = room.shape[0] - i64(first);
    const u32 count = i64(whole) < places ? whole : places > 0 ? u32(places) : 0;
    T* const own = room.data + first;
    if (place < count) own[place] = value;
    u32 half = 1;
    while (half * 2 < count) half *= 2;
    for (; half > 0; half /= 2) {
      barrier();
      if (place < half && place + half < count) own[place] = f(own[place], own[place + half]);
    }
    barrier();
    const T out = count > 0 ? own[0] : value;
    barrier();
    return out;
  }
  template <class A, class T> GPY_MEMBER T sum(const A& room, T value) const {
    return fold(room, value, [](T a, T b) { return T(a + b); });
  }
  template <class A, class T> GPY_MEMBER T max(const A& room, T value) const {
    return fold(room, value, [](T a, T b) { return b > a ? b : a; });
  }
  template <class A, class T> GPY_MEMBER T min(const A& room, T value) const {
    return fold(room, value, [](T a, T b) { return b < a ? b : a; });
  }
};
template <class B> GPY_FN Meeting<B> warp_of(B barrier) { return {barrier, 32}; }
template <class B> GPY_FN Meeting<B> block_of(B barrier) { return {barrier, 1024}; }

// Tells what is raised first, and the thread that does.
template <class A> GPY_FN void tell_raised(const A& words, u64 what) {
  if (atomic_cas(words.at(0), u64(0), what) != 0) return;
  const u64 where[] = {threadIdx.z, threadIdx.y, threadIdx.x, blockIdx.z, blockIdx.y, blockIdx.x};
  for (int i = 0; i < 6; ++i) words.at(1 + i) = where[i];
}

#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
GPY_FN i64 count_bits(u64 x) { return __popcll(x); }
GPY_FN i64 leading_zeros(u64 x) { return __clzll(i64(x)); }
GPY_FN i64 first_set(u64 x) { return __ffsll(i64(x)); }
GPY_FN u64 bits_reversed(u64 x) { return __brevll(x); }
#else
GPY_FN i64 count_bits(u64 x) { return __builtin_popcountll(x); }
GPY_FN i64 leading_zeros(u64 x) { return x == 0 ? 64 : __builtin_clzll(x); }
GPY_FN i64 first_set(u64 x) { return __builtin_ffsll(i64(x)); }
GPY_FN u64 bits_reversed(u64 x) {
  u64 out = 0;
  for (int i = 0; i < 64; ++i) out |= (x >> i & 1) << (63 - i);
  return out;
}
#endif
GPY_FN i64 count_bits(u32 x) { return count_bits(u64(x)); }
GPY_FN i64 leading_zeros(u32 x) { return leading_zeros(u64(x)) - 32; }
GPY_FN i64 first_set(u32 x) { return first_set(u64(x)); }
GPY_FN u32 bits_reversed(u32 x) { return u32(bits_reversed(u64(x)) >> 32); }
GPY_FN f64 fused_multiply_add(f64 x, f64 y, f64 z) { return ::fma(x, y, z); }
GPY_FN f32 fused_multiply_add(f32 x, f32 y, f32 z) { return ::fmaf(x, y, z); }
#endif

// An array in memory that a function declares.
template <class T, int R, class... N> GPY_FN Dense<T, R> array_over(void* data, N... extents) {
  const i64 all[] = {i64(extents)..., 0};
  Dense<T, R> out;
  out.data = (T*)data;
  for (int axis = 0; axis < R; ++axis) out.shape[axis] = all[axis];
  return out;
}
// numba.carray: other extents over the memory of an array.
template <class T, int R, class A, class... N>
GPY_FN Dense<T, R> array_at(const A& array, N... extents) {
  return array_over<T, R>((void*)array.data, extents...);
}
