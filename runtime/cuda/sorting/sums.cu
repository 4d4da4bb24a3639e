// Sums of floating-point terms in bins, in no order and yet the same each time: a bin adds its
// terms as integers. The bin's greatest exponent is found first; a term is then a number of two
// words, as many bits below that exponent as leave room for all terms, and words are added by
// atomics. What a sum loses is the half of its last bit, and terms' bits that lie below both words.

#include "runtime/cuda/ahead/device_work.cuh"
#include "runtime/cuda/sorting/steps.h"

namespace gpy::rt::cuda {
namespace {

#include "runtime/ops/support.h"

using Word = unsigned long long;
__extension__ typedef unsigned __int128 Wide;

struct WordPair {
  Word high, low;
};

// --- terms ---------------------------------------------------------------------------------------

constexpr int kFractionBits = 52, kExponents = 0x7ff;

// The magnitude of a term: 0 for -0.0, which changes no sum, 1 for 0.0, else the exponent, the
// greatest for infinities and NaN.
constexpr int kZero = 1, kLeastExponent = 2, kNotFinite = kExponents + kLeastExponent;

__device__ int exponent_of(Word bits) {
  return static_cast<int>(bits >> kFractionBits) & kExponents;
}

__device__ int magnitude_of(double term) {
  const Word bits = __double_as_longlong(term);
  if (bits << 1 == 0) return bits == 0 ? kZero : 0;
  return exponent_of(bits) + kLeastExponent;
}

// What a term that is no number leaves in its bin's high word.
constexpr Word kPositiveInfinity = 1, kNegativeInfinity = 2, kNaN = 4;
__device__ Word mark_of(double term) {
  if (term != term) return kNaN;
  return term > 0 ? kPositiveInfinity : kNegativeInfinity;
}

// A term beside the greatest magnitude of its bin, as words of `bits` bits below that one.
__device__ WordPair words_of(double term, int magnitude, int bits) {
  const Word stored = __double_as_longlong(term);
  const int exponent = exponent_of(stored);
  Word fraction = stored & ((Word{1} << kFractionBits) - 1);
  if (exponent > 0) fraction |= Word{1} << kFractionBits;
  const auto from_least = [](int e) { return e > 0 ? e : 1; };  // subnormal numbers have the least
  const int below = from_least(magnitude - kLeastExponent) - from_least(exponent);
  const int up = 2 * bits - (kFractionBits + 1) - below;
  Wide whole = 0;
  if (up >= 0) whole = static_cast<Wide>(fraction) << up;
  else if (up > -64) whole = (fraction + (Word{1} << (-up - 1))) >> -up;
  const auto high = static_cast<Word>(whole >> bits);
  const Word low = static_cast<Word>(whole) & ((Word{1} << bits) - 1);
  return stored >> 63 ? WordPair{0 - high, 0 - low} : WordPair{high, low};
}

// The number that a bin's words are.
__device__ double number_of(WordPair words, int magnitude, int bits) {
  Wide whole =
      (static_cast<Wide>(static_cast<__int128>(static_cast<long long>(words.high))) << bits) +
      static_cast<Wide>(static_cast<__int128>(static_cast<long long>(words.low)));
  const bool negative = static_cast<__int128>(whole) < 0;
  if (negative) whole = 0 - whole;
  if (whole == 0) return 0;
  const auto upper = static_cast<Word>(whole >> 64);
  const int used = upper ? 128 - __clzll(static_cast<long long>(upper))
                         : 64 - __clzll(static_cast<long long>(static_cast<Word>(whole)));
  int down = used > 64 ? used - 64 : 0;
  auto top = static_cast<Word>(whole >> down);
  if (static_cast<Wide>(top) << down != whole) top |= 1;  // for the rounding
  const int exponent = magnitude - kLeastExponent > 0 ? magnitude - kLeastExponent : 1;
  const double found = scalbn(__ull2double_rn(top), down + exponent - 1022 - 2 * bits);
  return negative ? -found : found;
}

// --- elements ------------------------------------------------------------------------------------

// Numbers of type R, `parts` of them for each position.
template <class R> struct Terms {
  const int64_t* positions;
  const R* values;
  bool one_value;
  int parts;
  __device__ int64_t bin(int64_t i) const { return positions[i / parts] * parts + i % parts; }
  __device__ double term(int64_t i) const {
    return static_cast<double>(values[one_value ? i % parts : i]);
  }
};

// --- kernels -------------------------------------------------------------------------------------

template <class R> struct NoteMagnitude {
  Terms<R> terms;
  int* magnitudes;
  __device__ void operator()(int64_t i) const {
    atomicMax(&magnitudes[terms.bin(i)], magnitude_of(terms.term(i)));
  }
};

template <class R>
__global__ void note_in_blocks(int64_t count, Terms<R> terms, int64_t bins, int* magnitudes) {
  extern __shared__ int own[];
  for (int64_t bin = threadIdx.x; bin < bins; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  const int64_t threads = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads) {
    const int64_t bin = terms.bin(i);
    const int magnitude = magnitude_of(terms.term(i));
    if (magnitude > own[bin]) atomicMax(&own[bin], magnitude);
  }
  __syncthreads();
  for (int64_t bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    if (own[bin] > 0) atomicMax(&magnitudes[bin], own[bin]);
  }
}

// Several copies of few bins, so that threads seldom wait for each other.
struct Bins {
  int64_t count;
  int copies;
  int bits;  // of a word
  int* magnitudes;
  WordPair* words;
};

template <class R> struct AddWords {
  Terms<R> terms;
  Bins bins;
  __device__ void operator()(int64_t i) const {
    const int64_t bin = terms.bin(i);
    const double term = terms.term(i);
    const int magnitude = bins.magnitudes[bin];
    WordPair& to = bins.words[(blockIdx.x % bins.copies) * bins.count + bin];
    if (magnitude == kNotFinite) {
      if (magnitude_of(term) == kNotFinite) atomicOr(&to.high, mark_of(term));
      return;
    }
    const WordPair words = words_of(term, magnitude, bins.bits);
    if (words.high) atomicAdd(&to.high, words.high);
    if (words.low) atomicAdd(&to.low, words.low);
  }
};

template <class R> struct AddSum {
  Bins bins;
  R* elements;
  __device__ void operator()(int64_t bin) const {
    const int magnitude = bins.magnitudes[bin];
    if (magnitude == 0) return;
    WordPair sum = {};
    Word marks = 0;
    for (int copy = 0; copy < bins.copies; ++copy) {
      const WordPair& words = bins.words[copy * bins.count + bin];
      sum.high += words.high;
      sum.low += words.low;
      marks |= words.high;
    }
    elements[bin] =
        R(static_cast<double>(elements[bin]) +
          (magnitude == kNotFinite ? value_of(marks) : number_of(sum, magnitude, bins.bits)));
  }
  __device__ static double value_of(Word marks) {
    constexpr double kInfinity = __builtin_huge_val();
    if (marks == kPositiveInfinity) return kInfinity;
    if (marks == kNegativeInfinity) return -kInfinity;
    return kInfinity - kInfinity;
  }
};

template <class R> void add_parts(const DeviceWork& work, const Scattered& at, int parts) {
  const Terms<R> terms{at.positions, static_cast<const R*>(at.values), at.one_value, parts};
  const int64_t count = at.count * parts;
  Bins bins{.count = at.extent * parts};
  constexpr int64_t kWordsOfCopies = 1 << 18;
  bins.copies = static_cast<int>(std::clamp<int64_t>(kWordsOfCopies / bins.count, 1, 256));
  // High words of all terms add up to less than 2^62.
  bins.bits = 62 - (64 - __builtin_clzll(static_cast<Word>(at.count)));
  bins.magnitudes = work.room<int>(bins.count);
  bins.words = work.room<WordPair>(bins.count * bins.copies);
  check(cudaMemsetAsync(bins.magnitudes, 0, bins.count * sizeof(int), work.stream()));
  check(cudaMemsetAsync(bins.words, 0, bins.count * bins.copies * sizeof(WordPair), work.stream()));
  if (bins.count > kBinsOfBlock) {
    work.for_each(count, NoteMagnitude<R>{terms, bins.magnitudes});
  } else {
    note_in_blocks<<<blocks_on_device(count), kBlockThreads, bins.count * sizeof(int),
                     work.stream()>>>(count, terms, bins.count, bins.magnitudes);
    check(cudaGetLastError());
  }
  work.for_each(count, AddWords<R>{terms, bins});
  work.for_each(bins.count, AddSum<R>{bins, static_cast<R*>(at.elements)});
}

}  // namespace

bool add_in_bins(const DeviceWork& work, const Scattered& at) {
  if (at.how != Combine::kAdd || !has_place_for_each(at.count, at.extent)) return false;
  switch (at.dtype.code()) {
    case TypeCode::kFloat16: add_parts<Half>(work, at, 1); break;
    case TypeCode::kBFloat16: add_parts<BFloat>(work, at, 1); break;
    case TypeCode::kFloat32: add_parts<float>(work, at, 1); break;
    case TypeCode::kFloat64: add_parts<double>(work, at, 1); break;
    case TypeCode::kComplex64: add_parts<float>(work, at, 2); break;
    case TypeCode::kComplex128: add_parts<double>(work, at, 2); break;
    default: return false;
  }
  return true;
}

}  // namespace gpy::rt::cuda
