#include "runtime/kernel/checks/check_text.h"

#include <fmt/format.h>

#include <string>

#include "runtime/kernel/checks/checked_arrays_text.h"

namespace gpy::rt {
namespace {

constexpr std::string_view kMark = "#define _GPY_CHECKED\n";

// `struct Finding`, and where findings go: on a GPU into a table of the module, the first of each
// kind and place; on the host to gpy, by a function behind the user's text.
constexpr std::string_view kFindings = R"GPY(
struct _gpy_finding {
  int kind, array, line, detail;
  long long index, extent;
  unsigned long long file;
  const void* where;
  unsigned block[3], thread[3], other[3];
};
enum { _gpy_found_outside = 1, _gpy_found_null, _gpy_found_misaligned, _gpy_found_handed_on = 9 };
#ifdef __CUDACC_RTC__
extern "C" {
__device__ struct {
  unsigned long long keys[32];
  _gpy_finding items[32];
} _gpy_findings;
}
static __device__ __noinline__ void _gpy_found(const _gpy_finding& found) {
  const unsigned long long key = (unsigned long long)found.kind << 48 | (unsigned long long)(found.array & 0xffff) << 32 | (unsigned)found.line;
  for (int i = 0; i < 32; ++i) {
    const unsigned long long old = atomicCAS(&_gpy_findings.keys[i], 0ull, key);
    if (old == 0) _gpy_findings.items[i] = found;
    if (old == 0 || old == key) return;
  }
}
static __device__ unsigned long long _gpy_file_key(const char* file) {
  unsigned long long key = 0xcbf29ce484222325ull;
  for (; file && *file; ++file) key = (key ^ (unsigned char)*file) * 0x100000001b3ull;
  return key;
}
#define _GPY_OUTLINE
#define _GPY_WHERE nullptr
__device__ long long _gpy_spare_memory[1024][8];
template <class _gpy_t> static __device__ void* _gpy_spare() {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  long long* const own = _gpy_spare_memory[sizeof(_gpy_t) <= 64 ? thread % 1024 : 0];
  for (unsigned i = 0; i * 8 < sizeof(_gpy_t) && i < 8192; ++i) own[i] = 0;
  return own;
}
#else
struct _gpy_shared_array { const void* at; unsigned long long bytes, item; int name; };
static __attribute__((noinline)) void _gpy_declare_shared(const _gpy_shared_array& array);
static __attribute__((noinline)) void _gpy_found(const _gpy_finding& found);
static inline unsigned long long _gpy_file_key(const char* file) { return (unsigned long long)file; }
#define _GPY_OUTLINE __attribute__((noinline))
#define _GPY_WHERE __builtin_return_address(0)
// One thread of the host runs all of a checked launch.
template <class _gpy_t> static inline void* _gpy_spare() {
  alignas(64) static char spare[sizeof(_gpy_t)];
  return memset(spare, 0, sizeof(_gpy_t));
}
#endif
)GPY";

// The rule for all accesses: what fails is told, and goes to spare memory, which reads as zeros.
constexpr std::string_view kAccesses = R"GPY(
// What a checked pointer keeps beside its address.
struct _gpy_bounds {
  unsigned long long low, high;
  int array, line;
  const char* file;
};
// Sums that wrap would lie inside again.
static __device__ inline bool _gpy_is_outside(unsigned long long at, unsigned long long size, const _gpy_bounds& bounds) {
  return at - bounds.low > bounds.high - bounds.low || bounds.high - at < size;
}
static __device__ _GPY_OUTLINE void _gpy_tell_access(int kind, const _gpy_bounds& bounds, long long index, long long extent, int line, const char* file, const void* where) {
  _gpy_finding found = {kind, bounds.array, line, 0, index, extent, _gpy_file_key(file), where,
      {blockIdx.x, blockIdx.y, blockIdx.z}, {threadIdx.x, threadIdx.y, threadIdx.z}, {0, 0, 0}};
  _gpy_found(found);
}
// Of an array with a shape. `axis`: counted from 1; 0: it has but one.
static __device__ _GPY_OUTLINE void _gpy_tell_index(int array, long long index, long long extent, int axis, int line, const char* file, const void* where = nullptr) {
  _gpy_finding found = {_gpy_found_outside, array, line, axis, index, extent, _gpy_file_key(file), where,
      {blockIdx.x, blockIdx.y, blockIdx.z}, {threadIdx.x, threadIdx.y, threadIdx.z}, {0, 0, 0}};
  _gpy_found(found);
}
template <class _gpy_t> static __device__ _GPY_OUTLINE void* _gpy_refused(unsigned long long at, const _gpy_bounds& bounds, int line, const char* file, const void* where) {
  const long long size = sizeof(_gpy_t), offset = (long long)(at - bounds.low);
  const bool outside = _gpy_is_outside(at, size, bounds);
  const int kind = bounds.high == 0 ? _gpy_found_null : outside ? _gpy_found_outside : _gpy_found_misaligned;
  const long long index = offset < 0 ? (offset + 1) / size - 1 : offset / size;
  const long long extent = kind == _gpy_found_misaligned ? alignof(_gpy_t) : (long long)(bounds.high - bounds.low) / size;
  _gpy_tell_access(kind, bounds, index, extent, line, file, where);
  return _gpy_spare<_gpy_t>();
}
template <class _gpy_t> static __device__ inline _gpy_t& _gpy_reach(unsigned long long at, const _gpy_bounds& bounds, int line, const char* file, const void* where) {
  if (_gpy_is_outside(at, sizeof(_gpy_t), bounds) || at % alignof(_gpy_t) != 0)
    return *(_gpy_t*)_gpy_refused<_gpy_t>(at, bounds, line, file, where);
  return *(_gpy_t*)at;
}
// An index with the place of its use.
struct _gpy_indexed {
  long long at;
  int line;
  const char* file;
  template <class _gpy_i, class = decltype((long long)*(const _gpy_i*)0)>
  __device__ _gpy_indexed(const _gpy_i& at, int line = __builtin_LINE(), const char* file = __builtin_FILE())
      : at((long long)at), line(line), file(file) {}
};
)GPY";

// The conversions are templates: an operator of C++'s own on the plain pointer would else be as
// good a match as the class's.
constexpr std::string_view kPointers = R"GPY(
template <bool> struct _gpy_if {};
template <> struct _gpy_if<true> { typedef int type; };
template <class _gpy_from, class _gpy_to> struct _gpy_converts {
  static __device__ char test(_gpy_to);
  static __device__ long test(...);
  static const bool value = sizeof(test((_gpy_from)0)) == 1;
};
template <class _gpy_t> struct _gpy_is_whole { static const bool value = false; };
#define _GPY_WHOLE(_gpy_t) template <> struct _gpy_is_whole<_gpy_t> { static const bool value = true; };
_GPY_WHOLE(int) _GPY_WHOLE(unsigned) _GPY_WHOLE(long) _GPY_WHOLE(unsigned long) _GPY_WHOLE(long long) _GPY_WHOLE(unsigned long long)
#undef _GPY_WHOLE

template <class _gpy_t> struct _gpy_checked {
  _gpy_t* at;
  _gpy_bounds bounds;

  _gpy_checked() = default;
  __device__ _gpy_checked(decltype(nullptr)) : at(nullptr), bounds{0, 0, -1, 0, nullptr} {}
  __device__ _gpy_checked(_gpy_t* at, const _gpy_bounds& bounds) : at(at), bounds(bounds) {}
  // Of a pointer that nothing is known of.
  __device__ _gpy_checked(_gpy_t* at) : at(at), bounds{0, at ? ~0ull : 0, -1, 0, nullptr} {}
  template <class _gpy_u, typename _gpy_if<_gpy_converts<_gpy_u*, _gpy_t*>::value>::type = 0>
  __device__ _gpy_checked(const _gpy_checked<_gpy_u>& other) : at(other.at), bounds(other.bounds) {}

  __device__ _gpy_t& operator[](_gpy_indexed i) const {
    return _gpy_reach<_gpy_t>((unsigned long long)at + i.at * sizeof(_gpy_t), bounds, i.line, i.file, nullptr);
  }
  __device__ _GPY_OUTLINE _gpy_t& operator*() const {
    return element(_GPY_WHERE);
  }
  __device__ _GPY_OUTLINE _gpy_t* operator->() const { return &element(_GPY_WHERE); }
  __device__ _gpy_checked moved(const _gpy_indexed& i, long long sign) const {
    _gpy_checked out = *this;
    out.at = (_gpy_t*)((unsigned long long)at + sign * i.at * (long long)sizeof(_gpy_t));
    out.bounds.line = i.line;
    out.bounds.file = i.file;
    return out;
  }
  __device__ _gpy_checked operator+(_gpy_indexed i) const { return moved(i, 1); }
  __device__ _gpy_checked operator-(_gpy_indexed i) const { return moved(i, -1); }
  __device__ friend _gpy_checked operator+(_gpy_indexed i, const _gpy_checked& p) { return p.moved(i, 1); }
  __device__ _gpy_checked& operator+=(_gpy_indexed i) { return *this = moved(i, 1); }
  __device__ _gpy_checked& operator-=(_gpy_indexed i) { return *this = moved(i, -1); }
  __device__ _gpy_checked& operator++() { ++at; return *this; }
  __device__ _gpy_checked& operator--() { --at; return *this; }
  __device__ _gpy_checked operator++(int) { _gpy_checked old = *this; ++at; return old; }
  __device__ _gpy_checked operator--(int) { _gpy_checked old = *this; --at; return old; }
  __device__ explicit operator bool() const { return at != nullptr; }

  // What is done with the plain pointer is not seen.
  __device__ _gpy_t* hand_on(const void* where) const {
    if (bounds.array >= 0) _gpy_tell_access(_gpy_found_handed_on, bounds, 0, 0, bounds.line, bounds.file, where);
    return at;
  }
  __device__ _gpy_t& element(const void* where) const {
    return _gpy_reach<_gpy_t>((unsigned long long)at, bounds, bounds.line, bounds.file, where);
  }
  __device__ _gpy_t& element(int line, const char* file) const {
    return _gpy_reach<_gpy_t>((unsigned long long)at, bounds, line, file, nullptr);
  }
  template <class _gpy_u, typename _gpy_if<_gpy_converts<_gpy_t*, _gpy_u*>::value>::type = 0>
  __device__ _GPY_OUTLINE operator _gpy_u*() const { return hand_on(_GPY_WHERE); }
  template <class _gpy_u, typename _gpy_if<!_gpy_converts<_gpy_t*, _gpy_u*>::value>::type = 0>
  __device__ _GPY_OUTLINE explicit operator _gpy_u*() const { return (_gpy_u*)hand_on(_GPY_WHERE); }
  template <class _gpy_i, typename _gpy_if<_gpy_is_whole<_gpy_i>::value>::type = 0>
  __device__ explicit operator _gpy_i() const { return (_gpy_i)at; }
};
template <class _gpy_t, class _gpy_u> static __device__ inline long long operator-(const _gpy_checked<_gpy_t>& x, const _gpy_checked<_gpy_u>& y) { return x.at - y.at; }
#define _GPY_COMPARE(op) \
  template <class _gpy_t, class _gpy_u> static __device__ inline bool operator op(const _gpy_checked<_gpy_t>& x, const _gpy_checked<_gpy_u>& y) { return x.at op y.at; } \
  template <class _gpy_t, class _gpy_u> static __device__ inline bool operator op(const _gpy_checked<_gpy_t>& x, _gpy_u* y) { return x.at op y; } \
  template <class _gpy_t, class _gpy_u> static __device__ inline bool operator op(_gpy_u* x, const _gpy_checked<_gpy_t>& y) { return x op y.at; }
_GPY_COMPARE(==) _GPY_COMPARE(!=) _GPY_COMPARE(<) _GPY_COMPARE(>) _GPY_COMPARE(<=) _GPY_COMPARE(>=)
#undef _GPY_COMPARE
template <class _gpy_t> static __device__ inline bool operator==(const _gpy_checked<_gpy_t>& x, decltype(nullptr)) { return !x.at; }
template <class _gpy_t> static __device__ inline bool operator!=(const _gpy_checked<_gpy_t>& x, decltype(nullptr)) { return x.at; }

// reinterpret_cast of the user's text: a checked pointer stays one.
template <class _gpy_to> struct _gpy_target { typedef _gpy_to checked; };
template <class _gpy_to> struct _gpy_target<_gpy_to*> { typedef _gpy_checked<_gpy_to> checked; };
template <> struct _gpy_target<void*> { typedef void* checked; };
template <> struct _gpy_target<const void*> { typedef const void* checked; };
template <class _gpy_to, class _gpy_from> struct _gpy_recast {
  static __device__ _gpy_to of(_gpy_from& x) { return reinterpret_cast<_gpy_to>(x); }
};
template <class _gpy_to, class _gpy_t> struct _gpy_recast<_gpy_to*, _gpy_checked<_gpy_t>> {
  static __device__ _gpy_checked<_gpy_to> of(const _gpy_checked<_gpy_t>& x) { return _gpy_checked<_gpy_to>((_gpy_to*)x.at, x.bounds); }
};
template <class _gpy_t> struct _gpy_recast<void*, _gpy_checked<_gpy_t>> {
  static __device__ _GPY_OUTLINE void* of(const _gpy_checked<_gpy_t>& x) { return (void*)x.hand_on(_GPY_WHERE); }
};
template <class _gpy_t> struct _gpy_recast<const void*, _gpy_checked<_gpy_t>> {
  static __device__ _GPY_OUTLINE const void* of(const _gpy_checked<_gpy_t>& x) { return x.hand_on(_GPY_WHERE); }
};
template <class _gpy_t> struct _gpy_plain { typedef _gpy_t type; };
template <class _gpy_t> struct _gpy_plain<_gpy_t&> { typedef _gpy_t type; };
template <class _gpy_t> struct _gpy_plain<_gpy_t&&> { typedef _gpy_t type; };
template <class _gpy_t> struct _gpy_unqualified { typedef _gpy_t type; };
template <class _gpy_t> struct _gpy_unqualified<const _gpy_checked<_gpy_t>> { typedef _gpy_checked<_gpy_t> type; };
template <class _gpy_to, class _gpy_from> static __device__ inline auto _gpy_reinterpret_cast(_gpy_from&& x) {
  typedef _gpy_recast<_gpy_to, typename _gpy_unqualified<typename _gpy_plain<_gpy_from>::type>::type> Recast;
  return Recast::of(x);
}
)GPY";

}  // namespace

std::string_view check_text() {
  static const std::string& text =
      *new std::string(fmt::format("\n#line 1 \"{}\"\n{}{}{}{}{}", kChecksFile, kMark, kFindings,
                                   kAccesses, kPointers, checked_arrays_text()));
  return text;
}

bool is_checked_text(std::string_view source) { return source.find(kMark) != source.npos; }

}  // namespace gpy::rt
