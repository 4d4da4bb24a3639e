#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

// XORWOW (Marsaglia, "Xorshift RNGs", 2003), seeded as cuRAND does it. A step is linear over bits,
// so 2**k steps are a matrix of 160 columns; a sequence begins 2**67 steps behind the one before.
// Who needs a power that is not there computes it: several may do so at once, with one result.
constexpr std::string_view kXorwow = R"GPY(
struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState, curandState_t;
struct _gpy_xorwow_step { unsigned column[160][5]; };
static _gpy_xorwow_step _gpy_xorwow_powers[131];
static int _gpy_xorwow_known;
static inline void _gpy_xorwow_next(unsigned (&v)[5]) {
  const unsigned t = v[0] ^ v[0] >> 2;
  for (int i = 0; i < 4; ++i) v[i] = v[i + 1];
  v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}
static inline void _gpy_xorwow_apply(const _gpy_xorwow_step& step, unsigned (&v)[5]) {
  unsigned result[5] = {};
  for (int bit = 0; bit < 160; ++bit) {
    const unsigned chosen = -(v[bit / 32] >> bit % 32 & 1);
    for (int i = 0; i < 5; ++i) result[i] ^= step.column[bit][i] & chosen;
  }
  for (int i = 0; i < 5; ++i) v[i] = result[i];
}
static void _gpy_xorwow_compute(int k) {
  for (int bit = 0; bit < 160; ++bit) {
    unsigned v[5] = {};
    v[bit / 32] = 1u << bit % 32;
    if (k == 0) _gpy_xorwow_next(v);
    else for (int twice = 0; twice < 2; ++twice) _gpy_xorwow_apply(_gpy_xorwow_powers[k - 1], v);
    for (int i = 0; i < 5; ++i) _gpy_xorwow_powers[k].column[bit][i] = v[i];
  }
}
static const _gpy_xorwow_step& _gpy_xorwow_power(int k) {
  int known = __atomic_load_n(&_gpy_xorwow_known, __ATOMIC_ACQUIRE);
  for (; known <= k; ++known) {
    _gpy_xorwow_compute(known);
    int before = known;
    __atomic_compare_exchange_n(&_gpy_xorwow_known, &before, known + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
  return _gpy_xorwow_powers[k];
}
static inline void _gpy_xorwow_skip(unsigned long long count, int k, curandStateXORWOW* state) {
  for (; count; count >>= 1, ++k)
    if (count & 1) _gpy_xorwow_apply(_gpy_xorwow_power(k), state->v);
}
static inline void skipahead(unsigned long long count, curandStateXORWOW* state) {
  _gpy_xorwow_skip(count, 0, state);
  state->d += 362437u * (unsigned)count;
}
static inline void skipahead_sequence(unsigned long long count, curandStateXORWOW* state) { _gpy_xorwow_skip(count, 67, state); }
static inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW* state) {
  const unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
  const unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
  *state = {6615241u + high + low, {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low}, 0, 0, 0, 0};
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}
static inline unsigned curand(curandStateXORWOW* state) {
  _gpy_xorwow_next(state->v);
  return state->v[4] + (state->d += 362437u);
}
)GPY";

// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): four words of
// a counter. The state holds the words of which the next is to be given.
constexpr std::string_view kPhilox = R"GPY(
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
static inline uint4 curand_Philox4x32_10(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long first = 0xd2511f53ull * c.x, second = 0xcd9e8d57ull * c.z;
    c = {(unsigned)(second >> 32) ^ c.y ^ key.x, (unsigned)second, (unsigned)(first >> 32) ^ c.w ^ key.y, (unsigned)first};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}
static inline void _gpy_philox_advance(curandStatePhilox4_32_10* state, unsigned long long blocks) {
  const unsigned long long low = (unsigned long long)state->ctr.y << 32 | state->ctr.x, sum = low + blocks;
  state->ctr.x = (unsigned)sum;
  state->ctr.y = (unsigned)(sum >> 32);
  if (sum < low && ++state->ctr.z == 0) ++state->ctr.w;
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}
static inline void skipahead(unsigned long long count, curandStatePhilox4_32_10* state) {
  const unsigned words = state->STATE + (unsigned)(count & 3);
  state->STATE = words & 3;
  _gpy_philox_advance(state, count / 4 + words / 4);
}
static inline void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10* state) {
  const unsigned long long sum = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + count;
  state->ctr.z = (unsigned)sum;
  state->ctr.w = (unsigned)(sum >> 32);
  _gpy_philox_advance(state, 0);
}
static inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStatePhilox4_32_10* state) {
  *state = {};
  state->key = {(unsigned)seed, (unsigned)(seed >> 32)};
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}
static inline unsigned curand(curandStatePhilox4_32_10* state) {
  const unsigned words[] = {state->output.x, state->output.y, state->output.z, state->output.w};
  const unsigned word = words[state->STATE];
  state->STATE = (state->STATE + 1) & 3;
  if (state->STATE == 0) _gpy_philox_advance(state, 1);
  return word;
}
static inline uint4 curand4(curandStatePhilox4_32_10* state) {
  const uint4 a = state->output;
  _gpy_philox_advance(state, 1);
  const uint4 b = state->output;
  const unsigned words[] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z};
  const unsigned* first = words + state->STATE;
  return {first[0], first[1], first[2], first[3]};
}
)GPY";

// Uniform numbers lie in (0, 1]; normal ones are made in pairs (Box and Muller, 1958), of which a
// state keeps the second.
constexpr std::string_view kDistributions = R"GPY(
static inline float _gpy_uniform(unsigned x) { return fmaf((float)x, 0x1p-32f, 0x1p-33f); }
static inline double _gpy_uniform(unsigned x, unsigned y) { return (double)((unsigned long long)x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54; }
static inline float2 _gpy_normals(unsigned x, unsigned y) {
  const float size = sqrtf(-2.0f * logf(_gpy_uniform(x))), turn = 0x1p-32f * 6.2831855f, angle = fmaf((float)y, turn, turn / 2);
  return {sinf(angle) * size, cosf(angle) * size};
}
static inline double2 _gpy_normals(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const double size = std::sqrt(-2.0 * std::log(_gpy_uniform(x0, x1)));
  double s, c;
  sincospi(2 * _gpy_uniform(y0, y1), &s, &c);
  return {s * size, c * size};
}
template <class State> static inline float curand_uniform(State* state) { return _gpy_uniform(curand(state)); }
static inline double curand_uniform_double(curandStateXORWOW* state) {
  const unsigned x = curand(state);
  return _gpy_uniform(x, curand(state));
}
static inline double curand_uniform_double(curandStatePhilox4_32_10* state) { return curand(state) * 0x1p-32 + 0x1p-32; }
static inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return {_gpy_uniform(x.x), _gpy_uniform(x.y), _gpy_uniform(x.z), _gpy_uniform(x.w)};
}
static inline double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return {_gpy_uniform(x.x, x.y), _gpy_uniform(x.z, x.w)};
}
template <class State> static inline float2 curand_normal2(State* state) {
  const unsigned x = curand(state);
  return _gpy_normals(x, curand(state));
}
static inline double2 curand_normal2_double(curandStateXORWOW* state) {
  unsigned words[4];
  for (unsigned& word : words) word = curand(state);
  return _gpy_normals(words[0], words[1], words[2], words[3]);
}
static inline double2 curand_normal2_double(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return _gpy_normals(x.x, x.y, x.z, x.w);
}
static inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  const float2 a = _gpy_normals(x.x, x.y), b = _gpy_normals(x.z, x.w);
  return {a.x, a.y, b.x, b.y};
}
template <class T, class Pair> static inline T _gpy_first_of(Pair pair, int& flag, int kind, T& extra) {
  flag = kind;
  extra = pair.y;
  return pair.x;
}
static inline float2 _gpy_exp(float2 x, float mean, float deviation) { return {expf(mean + deviation * x.x), expf(mean + deviation * x.y)}; }
static inline double2 _gpy_exp(double2 x, double mean, double deviation) { return {std::exp(mean + deviation * x.x), std::exp(mean + deviation * x.y)}; }
#define _GPY_PAIRWISE(T, name, suffix, kind, parameters, pair) \
  template <class State> static inline T name parameters { \
    if (state->boxmuller_flag##suffix != kind) return _gpy_first_of<T>(pair, state->boxmuller_flag##suffix, kind, state->boxmuller_extra##suffix); \
    state->boxmuller_flag##suffix = 0; \
    return state->boxmuller_extra##suffix; \
  }
_GPY_PAIRWISE(float, curand_normal, , 1, (State* state), curand_normal2(state))
_GPY_PAIRWISE(double, curand_normal_double, _double, 1, (State* state), curand_normal2_double(state))
_GPY_PAIRWISE(float, curand_log_normal, , 2, (State* state, float mean, float deviation), _gpy_exp(curand_normal2(state), mean, deviation))
_GPY_PAIRWISE(double, curand_log_normal_double, _double, 2, (State* state, double mean, double deviation), _gpy_exp(curand_normal2_double(state), mean, deviation))
#undef _GPY_PAIRWISE
)GPY";

}  // namespace

std::string_view curand_text() {
  static const std::string& text =
      *new std::string(std::string(kXorwow) + std::string(kPhilox) + std::string(kDistributions));
  return text;
}

}  // namespace gpy::rt
