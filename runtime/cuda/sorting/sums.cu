// Sums of floating-point terms in bins, in no order and yet the same each time: a bin adds its
// terms as integers, by atomics.
//
// Terms whose bits all lie in one word, as uniform draws and whole numbers have them, are added
// as they are. If some are not of that kind, or a bin's word is too short for its sum, each bin's
// greatest exponent is found; a term is then a number of two words, as many bits below that
// exponent as leave room for all terms. What a sum loses is the half of its last bit, and terms'
// bits that lie below both words.

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

// A term without its sign is fraction * 2 ** (exponent - kUnit), with the least exponent for
// subnormal numbers.
constexpr int kUnit = 1075;
__device__ int from_least(int exponent) { return exponent > 0 ? exponent : 1; }

__device__ Word fraction_of(Word bits) {
  const Word fraction = bits & ((Word{1} << kFractionBits) - 1);
  return exponent_of(bits) > 0 ? fraction | Word{1} << kFractionBits : fraction;
}

// A term beside the greatest magnitude of its bin, as words of `bits` bits below that one.
__device__ WordPair words_of(double term, int magnitude, int bits) {
  const Word stored = __double_as_longlong(term);
  const Word fraction = fraction_of(stored);
  const int below = from_least(magnitude - kLeastExponent) - from_least(exponent_of(stored));
  const int up = 2 * bits - (kFractionBits + 1) - below;
  Wide whole = 0;
  if (up >= 0) whole = static_cast<Wide>(fraction) << up;
  else if (up > -64) whole = (fraction + (Word{1} << (-up - 1))) >> -up;
  const auto high = static_cast<Word>(whole >> bits);
  const Word low = static_cast<Word>(whole) & ((Word{1} << bits) - 1);
  return stored >> 63 ? WordPair{0 - high, 0 - low} : WordPair{high, low};
}

__device__ Wide widened(Word word) {
  return static_cast<Wide>(static_cast<__int128>(static_cast<long long>(word)));
}

// whole * 2 ** exponent, where `whole` has a sign.
__device__ double number_of(Wide whole, int exponent) {
  const bool negative = static_cast<__int128>(whole) < 0;
  if (negative) whole = 0 - whole;
  if (whole == 0) return 0;
  const auto upper = static_cast<Word>(whole >> 64);
  const int used = upper ? 128 - __clzll(static_cast<long long>(upper))
                         : 64 - __clzll(static_cast<long long>(static_cast<Word>(whole)));
  int down = used > 64 ? used - 64 : 0;
  auto top = static_cast<Word>(whole >> down);
  if (static_cast<Wide>(top) << down != whole) top |= 1;  // for the rounding
  const double found = scalbn(__ull2double_rn(top), down + exponent);
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

// --- whole terms in one word ---------------------------------------------------------------------

// What is found out about all terms at once: all zero before.
struct Survey {
  int greatest;  // exponent
  int depth;     // of the last bit that any of them has, below an exponent that none reaches
  int others;    // whether there are terms that are no numbers, or terms or elements that are -0.0
  int too_long;  // whether a sum was
  static constexpr int kTop = 1 << 16;
  __device__ int least() const { return kTop - depth; }
  __device__ void note(const Survey& other) {
    atomicMax(&greatest, other.greatest);
    atomicMax(&depth, other.depth);
    if (other.others) others = 1;
  }
};

template <class R>
__global__ void survey_terms(int64_t count, const R* terms, int64_t elements, const R* sums,
                             Survey* survey) {
  Survey own = {};
  const int64_t first = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int64_t threads = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = first; i < count; i += threads) {
    const Word bits = __double_as_longlong(static_cast<double>(terms[i]));
    const int exponent = exponent_of(bits);
    const Word fraction = fraction_of(bits);
    if (fraction == 0 || exponent == kExponents) {
      own.others |= bits != 0;
      continue;
    }
    own.greatest = max(own.greatest, from_least(exponent));
    const int last = from_least(exponent) + __ffsll(static_cast<long long>(fraction)) - 1;
    own.depth = max(own.depth, Survey::kTop - last);
  }
  for (int64_t i = first; i < elements; i += threads) {
    own.others |= magnitude_of(static_cast<double>(sums[i])) == 0;
  }
  __shared__ Survey of_block;
  if (threadIdx.x == 0) of_block = {};
  __syncthreads();
  of_block.note(own);
  __syncthreads();
  if (threadIdx.x == 0) survey->note(of_block);
}

// Whether terms are numbers of `bits` bits, and no sum of theirs was too long.
__device__ bool are_whole(const Survey& survey, int bits) {
  return !survey.others && !survey.too_long &&
         survey.greatest + kFractionBits - survey.least() < bits;
}

__device__ Word whole_word(double term, const Survey& survey) {
  const Word stored = __double_as_longlong(term);
  const int up = from_least(exponent_of(stored)) - survey.least();
  const Word fraction = fraction_of(stored);
  if (fraction == 0) return 0;
  const Word whole = up >= 0 ? fraction << up : fraction >> -up;
  return stored >> 63 ? 0 - whole : whole;
}

// --- kernels -------------------------------------------------------------------------------------

// Several copies of few bins, so that threads seldom wait for each other.
struct Bins {
  int64_t count;
  int copies;
  int bits;  // of a word
  int* magnitudes;
  WordPair* words;
  Survey* survey = nullptr;  // of many terms
  Word* whole = nullptr;

  __device__ int64_t place(int64_t bin) const { return (blockIdx.x % copies) * count + bin; }
  __device__ bool whole_terms() const {
    return survey && are_whole(*survey, bits < 31 ? 2 * bits : 62);
  }
};

template <class R> struct AddWhole {
  Terms<R> terms;
  Bins bins;
  __device__ void operator()(int64_t i) const {
    if (!bins.whole_terms()) return;
    const Word term = whole_word(terms.term(i), *bins.survey);
    if (term == 0) return;
    const Word old = atomicAdd(&bins.whole[bins.place(terms.bin(i))], term);
    const Word sum = old + term;
    if (((old ^ sum) & (term ^ sum)) >> 63) bins.survey->too_long = 1;
  }
};

struct ClearWords {
  Bins bins;
  __device__ void operator()(int64_t i) const {
    if (bins.whole_terms()) return;
    bins.words[i] = {};
    if (i < bins.count) bins.magnitudes[i] = 0;
  }
};

template <class R> struct NoteMagnitude {
  Terms<R> terms;
  Bins bins;
  __device__ void operator()(int64_t i) const {
    if (bins.whole_terms()) return;
    atomicMax(&bins.magnitudes[terms.bin(i)], magnitude_of(terms.term(i)));
  }
};

template <class R> __global__ void note_in_blocks(int64_t count, Terms<R> terms, Bins bins) {
  extern __shared__ int own[];
  if (bins.whole_terms()) return;
  for (int64_t bin = threadIdx.x; bin < bins.count; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  const int64_t threads = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads) {
    const int64_t bin = terms.bin(i);
    const int magnitude = magnitude_of(terms.term(i));
    if (magnitude > own[bin]) atomicMax(&own[bin], magnitude);
  }
  __syncthreads();
  for (int64_t bin = threadIdx.x; bin < bins.count; bin += blockDim.x) {
    if (own[bin] > 0) atomicMax(&bins.magnitudes[bin], own[bin]);
  }
}

template <class R> struct AddWords {
  Terms<R> terms;
  Bins bins;
  __device__ void operator()(int64_t i) const {
    if (bins.whole_terms()) return;
    const int64_t bin = terms.bin(i);
    const double term = terms.term(i);
    const int magnitude = bins.magnitudes[bin];
    WordPair& to = bins.words[bins.place(bin)];
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
    if (bins.whole_terms()) return add(bin, whole_sum(bin));
    const int magnitude = bins.magnitudes[bin];
    if (magnitude > 0) add(bin, sum_of_words(bin, magnitude));
  }
  __device__ void add(int64_t bin, double sum) const {
    elements[bin] = R(static_cast<double>(elements[bin]) + sum);
  }
  __device__ double whole_sum(int64_t bin) const {
    Wide sum = 0;
    for (int copy = 0; copy < bins.copies; ++copy) {
      sum += widened(bins.whole[copy * bins.count + bin]);
    }
    return number_of(sum, bins.survey->least() - kUnit);
  }
  __device__ double sum_of_words(int64_t bin, int magnitude) const {
    WordPair sum = {};
    Word marks = 0;
    for (int copy = 0; copy < bins.copies; ++copy) {
      const WordPair& words = bins.words[copy * bins.count + bin];
      sum.high += words.high;
      sum.low += words.low;
      marks |= words.high;
    }
    if (magnitude == kNotFinite) return value_of(marks);
    return number_of(
        (widened(sum.high) << bins.bits) + widened(sum.low),
        from_least(magnitude - kLeastExponent) - kUnit + kFractionBits + 1 - 2 * bins.bits);
  }
  __device__ static double value_of(Word marks) {
    constexpr double kInfinity = __builtin_huge_val();
    if (marks == kPositiveInfinity) return kInfinity;
    if (marks == kNegativeInfinity) return -kInfinity;
    return kInfinity - kInfinity;
  }
};

// Fewer terms than these are added sooner than they are looked at.
constexpr int64_t kManyTerms = 1 << 16;

template <class R>
void add_whole_terms(const DeviceWork& work, const Terms<R>& terms, int64_t count, int64_t given,
                     const R* elements, Bins& bins) {
  bins.survey = work.room<Survey>(1);
  bins.whole = work.room<Word>(bins.count * bins.copies);
  check(cudaMemsetAsync(bins.survey, 0, sizeof(Survey), work.stream()));
  check(cudaMemsetAsync(bins.whole, 0, bins.count * bins.copies * sizeof(Word), work.stream()));
  survey_terms<<<blocks_on_device(std::max(given, bins.count)), kBlockThreads, 0, work.stream()>>>(
      given, terms.values, bins.count, elements, bins.survey);
  check(cudaGetLastError());
  work.for_each(count, AddWhole<R>{terms, bins});
}

template <class R> void add_parts(const DeviceWork& work, const Scattered& at, int parts) {
  const Terms<R> terms{at.positions, static_cast<const R*>(at.values), at.one_value, parts};
  R* const elements = static_cast<R*>(at.elements);
  const int64_t count = at.count * parts;
  Bins bins{.count = at.extent * parts};
  constexpr int64_t kWordsOfCopies = 1 << 18;
  bins.copies = static_cast<int>(std::clamp<int64_t>(kWordsOfCopies / bins.count, 1, 256));
  // High words of all terms add up to less than 2^62.
  bins.bits = 62 - (64 - __builtin_clzll(static_cast<Word>(at.count)));
  bins.magnitudes = work.room<int>(bins.count);
  bins.words = work.room<WordPair>(bins.count * bins.copies);
  if (count >= kManyTerms) {
    add_whole_terms(work, terms, count, at.one_value ? parts : count, elements, bins);
  }
  work.for_each_if_need_be(bins.count * bins.copies, ClearWords{bins});
  if (bins.count > kBinsOfBlock) {
    work.for_each_if_need_be(count, NoteMagnitude<R>{terms, bins});
  } else {
    note_in_blocks<<<blocks_on_device(count), kBlockThreads, bins.count * sizeof(int),
                     work.stream()>>>(count, terms, bins);
    check(cudaGetLastError());
  }
  work.for_each_if_need_be(count, AddWords<R>{terms, bins});
  work.for_each(bins.count, AddSum<R>{bins, elements});
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
