// Random numbers of functions on the host: NumPy's RandomState, whose state belongs to the caller.
#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__)

struct Twister {
  u32 key[624];
  i32 at;
  bool is_seeded, has_second;
  f64 second;  // of a pair of normal numbers
};
static inline void random_seed(Twister* state, u32 seed) {
  for (int i = 0; i < 624; ++i) {
    state->key[i] = seed;
    seed = 1812433253u * (seed ^ (seed >> 30)) + u32(i) + 1;
  }
  state->at = 624;
  state->is_seeded = true;
  state->has_second = false;
}
__attribute__((noinline)) static Twister* first_twister() {
  CallFrame* frame = call_frame;
  if (!frame->random) frame->random = elements_of(allocate(sizeof(Twister), true));
  Twister* state = (Twister*)frame->random;
  if (!state->is_seeded) random_seed(state, u32(frame->seed ^ (frame->seed >> 32)));
  return state;
}
static inline Twister* twister() {
  Twister* state = (Twister*)call_frame->random;
  return state && state->is_seeded ? state : first_twister();
}
__attribute__((noinline)) static void refill(Twister* state) {
  u32* key = state->key;
  for (int i = 0; i < 624; ++i) {
    const u32 y = (key[i] & 0x80000000u) | (key[(i + 1) % 624] & 0x7fffffffu);
    key[i] = key[(i + 397) % 624] ^ (y >> 1) ^ (-(y & 1) & 0x9908b0dfu);
  }
  state->at = 0;
}
static inline u32 next_bits(Twister* state) {
  if (state->at == 624) refill(state);
  u32 y = state->key[state->at++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}
static inline f64 next_double(Twister* state) {
  const u32 a = next_bits(state) >> 5, b = next_bits(state) >> 6;
  return (a * 67108864.0 + b) / 9007199254740992.0;
}
static inline f64 next_normal(Twister* state) {
  if (state->has_second) {
    state->has_second = false;
    return state->second;
  }
  f64 x, y, square;
  do {
    x = 2.0 * next_double(state) - 1.0;
    y = 2.0 * next_double(state) - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const f64 factor = ::sqrt(-2.0 * ::log(square) / square);
  state->second = factor * x;
  state->has_second = true;
  return factor * y;
}
static inline int bits_of(i64 number) {
  int bits = 0;
  while (bits < 63 && (i64(1) << bits) <= number) ++bits;
  return bits;
}
// Python's: the first of a draw's bits, the low word drawn first.
static inline i64 first_bits(Twister* state, int bits) {
  if (bits <= 32) return i64(next_bits(state) >> (32 - bits));
  const u64 low = next_bits(state);
  return i64(u64(next_bits(state) >> (64 - bits)) << 32 | low);
}
// NumPy's: the last of them, the high word drawn first.
static inline i64 last_bits(Twister* state, int bits) {
  if (bits <= 32) return i64(next_bits(state) & (0xffffffffu >> (32 - bits)));
  const u64 high = next_bits(state) & (0xffffffffu >> (64 - bits));
  return i64(high << 32 | next_bits(state));
}
// An int below `count`, drawn until one is.
static inline i64 next_below(Twister* state, i64 count, bool as_python) {
  if (count <= 0) fail(kEmptyRange);
  if (!as_python && count == 1) return 0;
  const int bits = bits_of(as_python ? count : count - 1);
  for (;;) {
    const i64 drawn = as_python ? first_bits(state, bits) : last_bits(state, bits);
    if (drawn < count) return drawn;
  }
}

static inline void random_start(i64 seed) {
  Twister* state = twister();
  random_seed(state, u32(seed));
}
static inline f64 random_double() { return next_double(twister()); }
static inline f64 random_uniform(f64 low, f64 high) {
  return low + (high - low) * next_double(twister());
}
static inline f64 random_normal(f64 mean, f64 deviation) {
  return mean + deviation * next_normal(twister());
}
static inline f64 random_exponential(f64 scale) {
  return -::log(1.0 - next_double(twister())) * scale;
}
static inline i64 random_int(i64 low, i64 end) {
  return low + next_below(twister(), end - low, false);
}
static inline i64 random_range(i64 low, i64 end) {
  return low + next_below(twister(), end - low, true);
}
template <int R, class F, class... N> static inline auto random_filled(F next, N... extents) {
  auto out = make_array<decltype(next()), R>(false, extents...);
  const i64 count = element_count(out);
  for (i64 i = 0; i < count; ++i) out.data[i] = next();
  return out;
}
template <int R, class... N> static inline auto random_doubles(N... extents) {
  return random_filled<R>([] { return random_double(); }, extents...);
}
template <int R, class... N>
static inline auto random_normals(f64 mean, f64 deviation, N... extents) {
  return random_filled<R>([=] { return random_normal(mean, deviation); }, extents...);
}
template <int R, class... N> static inline auto random_uniforms(f64 low, f64 high, N... extents) {
  return random_filled<R>([=] { return random_uniform(low, high); }, extents...);
}
template <int R, class... N> static inline auto random_ints(i64 low, i64 end, N... extents) {
  return random_filled<R>([=] { return random_int(low, end); }, extents...);
}
template <class T>
static inline void random_shuffle(const View<T, 1>& array, i64 (*next)(i64 low, i64 end)) {
  for (i64 i = array.shape[0] - 1; i > 0; --i) {
    const i64 j = next(0, i + 1);
    const T item = array.at(i);
    array.at(i) = array.at(j);
    array.at(j) = item;
  }
}
template <class A> static inline void random_shuffled(const A& array) {
  random_shuffle(leaf(array), random_int);
}
template <class A> static inline void random_sequence_shuffled(const A& array) {
  random_shuffle(leaf(array), random_range);
}
template <class T, class A> static inline auto random_permuted(const A& array) {
  auto out = copied<T>(array);
  random_shuffled(out);
  return out;
}
template <class A> static inline auto random_item(const A& array) {
  const auto view = leaf(array);
  return view.at(random_int(0, view.shape[0]));
}
// Items of an array: any of them each time, or each once.
template <class T, int R, class A, class... N>
static inline auto random_items(const A& array, bool replace, N... extents) {
  const auto view = leaf(array);
  if (replace)
    return random_filled<R>([=] { return T(view.at(random_int(0, view.shape[0]))); }, extents...);
  auto out = make_array<T, R>(false, extents...);
  const i64 count = element_count(out);
  if (count > view.shape[0]) fail(kLargeSample);
  const auto permuted = random_permuted<T>(array);
  for (i64 i = 0; i < count; ++i) out.data[i] = permuted.data[i];
  return out;
}
#endif
