#include "runtime/kernel/checks/check_text.h"

#include <fmt/format.h>

#include <string>

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

// Casts of pointers as C writes them.
constexpr std::string_view kCasts = R"GPY(
template <class _gpy_to, class _gpy_from> struct _gpy_cast {
  template <class _gpy_x> static __device__ _gpy_to of(_gpy_x& x) { return (_gpy_to)x; }
};
template <class _gpy_to, class _gpy_t> struct _gpy_cast<_gpy_to*, _gpy_checked<_gpy_t>> : _gpy_recast<_gpy_to*, _gpy_checked<_gpy_t>> {};
template <class _gpy_to, class _gpy_t, long long _gpy_n, int number> struct _gpy_cast<_gpy_to*, _gpy_array<_gpy_t, _gpy_n, number>> : _gpy_recast<_gpy_to*, _gpy_array<_gpy_t, _gpy_n, number>> {};
template <class _gpy_to, class _gpy_from> static __device__ inline auto _gpy_c_cast(_gpy_from&& x) {
  return _gpy_cast<_gpy_to, typename _gpy_unqualified<typename _gpy_plain<_gpy_from>::type>::type>::of(x);
}
)GPY";

// Arrays that the text declares: aggregates, as C's are. `number`: that of the array's name.
constexpr std::string_view kArrays = R"GPY(
template <class _gpy_t> struct _gpy_item { typedef _gpy_t type; };
template <class _gpy_t, unsigned long _gpy_n> struct _gpy_item<_gpy_t[_gpy_n]> { typedef typename _gpy_item<_gpy_t>::type type; };
template <class _gpy_t> struct _gpy_unvolatile { typedef _gpy_t type; };
template <class _gpy_t> struct _gpy_unvolatile<volatile _gpy_t> { typedef _gpy_t type; };
template <class _gpy_t, long long _gpy_n, int number> struct _gpy_array {
  _gpy_t items[_gpy_n];
  typedef typename _gpy_item<_gpy_t>::type item;

  __device__ _gpy_bounds bounds(int line, const char* file) const {
    return {(unsigned long long)items, (unsigned long long)(items + _gpy_n), number, line, file};
  }
  __device__ _gpy_t& operator[](_gpy_indexed i) {
    return _gpy_reach<_gpy_t>((unsigned long long)items + i.at * sizeof(_gpy_t), bounds(0, nullptr), i.line, i.file, nullptr);
  }
  __device__ const _gpy_t& operator[](_gpy_indexed i) const {
    return _gpy_reach<const _gpy_t>((unsigned long long)items + i.at * sizeof(_gpy_t), bounds(0, nullptr), i.line, i.file, nullptr);
  }
  __device__ _gpy_checked<_gpy_t> operator+(_gpy_indexed i) { return _gpy_checked<_gpy_t>(items, bounds(i.line, i.file)).moved(i, 1); }
  __device__ _gpy_checked<const _gpy_t> operator+(_gpy_indexed i) const { return _gpy_checked<const _gpy_t>(items, bounds(i.line, i.file)).moved(i, 1); }
  __device__ _gpy_t& operator*() { return items[0]; }
  __device__ operator _gpy_checked<_gpy_t>() { return _gpy_checked<_gpy_t>(items, bounds(0, nullptr)); }
  __device__ operator _gpy_checked<const _gpy_t>() const { return _gpy_checked<const _gpy_t>(items, bounds(0, nullptr)); }
  template <class _gpy_u, typename _gpy_if<_gpy_converts<_gpy_t*, _gpy_u*>::value>::type = 0>
  __device__ _GPY_OUTLINE operator _gpy_u*() { return _gpy_checked<_gpy_t>(*this).hand_on(_GPY_WHERE); }
  template <class _gpy_u, typename _gpy_if<_gpy_converts<const _gpy_t*, _gpy_u*>::value>::type = 0>
  __device__ _GPY_OUTLINE operator _gpy_u*() const { return _gpy_checked<const _gpy_t>(*this).hand_on(_GPY_WHERE); }
  template <class _gpy_u, typename _gpy_if<!_gpy_converts<_gpy_t*, _gpy_u*>::value>::type = 0>
  __device__ _GPY_OUTLINE explicit operator _gpy_u*() { return (_gpy_u*)_gpy_checked<_gpy_t>(*this).hand_on(_GPY_WHERE); }
};
template <class _gpy_to, class _gpy_t, long long _gpy_n, int number> struct _gpy_recast<_gpy_to*, _gpy_array<_gpy_t, _gpy_n, number>> {
  static __device__ _gpy_checked<_gpy_to> of(_gpy_array<_gpy_t, _gpy_n, number>& x) { return _gpy_checked<_gpy_to>((_gpy_to*)x.items, x.bounds(0, nullptr)); }
};
template <class _gpy_t, long long _gpy_n, int number> struct _gpy_item<_gpy_array<_gpy_t, _gpy_n, number>> { typedef typename _gpy_array<_gpy_t, _gpy_n, number>::item type; };
// `&x[i][j]` may be where a walk over all of `x` begins.
template <class _gpy_x, class _gpy_p> static __device__ inline _gpy_p _gpy_walk_over(const _gpy_x&, const _gpy_p& at) { return at; }
template <class _gpy_t, long long _gpy_n, int number, class _gpy_u>
static __device__ inline _gpy_checked<_gpy_u> _gpy_walk_over(const _gpy_array<_gpy_t, _gpy_n, number>& all, const _gpy_checked<_gpy_u>& at) {
  const _gpy_bounds inner = at.bounds, outer = all.bounds(inner.line, inner.file);
  return _gpy_checked<_gpy_u>(at.at, outer.low <= inner.low && inner.high <= outer.high ? outer : inner);
}
#ifdef __CUDACC_RTC__
#define _gpy_declare(variable, number)
static __device__ inline unsigned long long _gpy_dynamic_bytes() {
  unsigned bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return bytes;
}
#else
template <class _gpy_t> static inline void _gpy_declare(_gpy_t& variable, int number) {
  const _gpy_shared_array array = {(const void*)&variable, sizeof(_gpy_t), sizeof(typename _gpy_item<typename _gpy_unvolatile<_gpy_t>::type>::type), number};
  _gpy_declare_shared(array);
}
static inline unsigned long long _gpy_dynamic_bytes() { return _gpy_block_of(_gpy_stack())->shared_bytes; }
#endif
template <class _gpy_t> static __device__ inline _gpy_checked<_gpy_t> _gpy_dynamic_checked(_gpy_t* at, int number) {
  const unsigned long long bytes = _gpy_dynamic_bytes();
  if (bytes == 0) at = (_gpy_t*)64;  // no null pointer, but the begin of nothing
  const unsigned long long low = (unsigned long long)at, high = low + bytes;
#ifndef __CUDACC_RTC__
  const _gpy_shared_array array = {at, high - low, sizeof(_gpy_t), number};
  _gpy_declare_shared(array);
#endif
  return _gpy_checked<_gpy_t>(at, {low, high, number, 0, nullptr});
}
)GPY";

// A raw parameter of a generated kernel: _gpy_raw of index_text.cpp with checks.
constexpr std::string_view kRaw = R"GPY(
template <class _gpy_t, int _gpy_n> struct _gpy_checked_raw {
  static const int ndim = _gpy_n;
  _gpy_t* data;
  long long count, extents[_gpy_n ? _gpy_n : 1], steps[_gpy_n ? _gpy_n : 1];
  int number;
  __device__ long long size() const { return count; }
  __device__ const long long* shape() const { return extents; }
  __device__ const long long* strides() const { return steps; }
  __device__ _gpy_checked<_gpy_t> pointer(int line = 0, const char* file = nullptr) const {
    return _gpy_checked<_gpy_t>(data, {(unsigned long long)data, (unsigned long long)(data + count), number, line, file});
  }
  __device__ operator _gpy_checked<_gpy_t>() const { return pointer(); }
  __device__ _gpy_t& operator[](_gpy_indexed i) const { return pointer()[i]; }
  __device__ _gpy_checked<_gpy_t> operator+(_gpy_indexed i) const { return pointer(i.line, i.file).moved(i, 1); }
  __device__ _gpy_t& operator*() const { return *pointer(); }
  template <class _gpy_i> __device__ _GPY_OUTLINE _gpy_t& operator[](const _gpy_i (&at)[_gpy_n ? _gpy_n : 1]) const {
    long long bytes = 0;
    for (int axis = 0; axis < _gpy_n; ++axis) {
      if ((unsigned long long)at[axis] >= (unsigned long long)extents[axis]) {
        _gpy_tell_index(number, at[axis], extents[axis], _gpy_n > 1 ? axis + 1 : 0, 0, nullptr, _GPY_WHERE);
        return *(_gpy_t*)_gpy_spare<_gpy_t>();
      }
      bytes += steps[axis] * (long long)at[axis];
    }
    return *(_gpy_t*)((char*)data + bytes);
  }
  template <class _gpy_u, typename _gpy_if<_gpy_converts<_gpy_t*, _gpy_u*>::value>::type = 0>
  __device__ _GPY_OUTLINE operator _gpy_u*() const { return pointer().hand_on(_GPY_WHERE); }
  template <class _gpy_u, typename _gpy_if<!_gpy_converts<_gpy_t*, _gpy_u*>::value>::type = 0>
  __device__ _GPY_OUTLINE explicit operator _gpy_u*() const { return (_gpy_u*)pointer().hand_on(_GPY_WHERE); }
};
)GPY";

// Functions of CUDA that are given the address of one element, with the place of their call.
constexpr std::string_view kFunctions = R"GPY(
#define _GPY_PLACE_OF_CALL int line = __builtin_LINE(), const char* file = __builtin_FILE()
#ifdef __CUDACC_RTC__
#define _GPY_GIVE_PLACE
static __device__ inline void _gpy_note_site(const char*, int) {}
#else
#define _GPY_GIVE_PLACE , file, line
#endif
#define _GPY_LOAD(name) \
  template <class _gpy_t> static __device__ inline auto name(const _gpy_checked<_gpy_t>& at, _GPY_PLACE_OF_CALL) -> decltype(name((_gpy_t*)0)) { _gpy_note_site(file, line); return name(&at.element(line, file)); }
_GPY_LOAD(__ldg) _GPY_LOAD(__ldca) _GPY_LOAD(__ldcg) _GPY_LOAD(__ldcs) _GPY_LOAD(__ldcv)
#undef _GPY_LOAD
#define _GPY_CHANGE(name) \
  template <class _gpy_t, class _gpy_u> static __device__ inline auto name(const _gpy_checked<_gpy_t>& at, _gpy_u x, _GPY_PLACE_OF_CALL) -> decltype(name((_gpy_t*)0, x)) { return name(&at.element(line, file), x _GPY_GIVE_PLACE); }
#define _GPY_COMPARED(name) \
  template <class _gpy_t, class _gpy_u, class _gpy_v> static __device__ inline auto name(const _gpy_checked<_gpy_t>& at, _gpy_u expected, _gpy_v x, _GPY_PLACE_OF_CALL) -> decltype(name((_gpy_t*)0, expected, x)) { return name(&at.element(line, file), expected, x _GPY_GIVE_PLACE); }
#define _GPY_SCOPES(form, name) form(name) form(name##_block) form(name##_system)
_GPY_SCOPES(_GPY_CHANGE, atomicAdd) _GPY_SCOPES(_GPY_CHANGE, atomicSub) _GPY_SCOPES(_GPY_CHANGE, atomicMin)
_GPY_SCOPES(_GPY_CHANGE, atomicMax) _GPY_SCOPES(_GPY_CHANGE, atomicAnd) _GPY_SCOPES(_GPY_CHANGE, atomicOr)
_GPY_SCOPES(_GPY_CHANGE, atomicXor) _GPY_SCOPES(_GPY_CHANGE, atomicInc) _GPY_SCOPES(_GPY_CHANGE, atomicDec)
_GPY_SCOPES(_GPY_CHANGE, atomicExch) _GPY_SCOPES(_GPY_COMPARED, atomicCAS)
#undef _GPY_SCOPES
#undef _GPY_COMPARED
#undef _GPY_CHANGE
#undef _GPY_GIVE_PLACE
#undef _GPY_PLACE_OF_CALL
struct _gpy_end_of_checks;
)GPY";

}  // namespace

std::string_view check_text() {
  static const std::string& text = *new std::string(
      fmt::format("\n#line 1 \"{}\"\n{}{}{}{}{}{}{}{}", kChecksFile, kMark, kFindings, kAccesses,
                  kPointers, kArrays, kCasts, kRaw, kFunctions));
  return text;
}

bool is_checked_text(std::string_view source) { return source.find(kMark) != source.npos; }

}  // namespace gpy::rt
