#include "runtime/kernel/checks/checked_arrays_text.h"

#include <string>

namespace gpy::rt {
namespace {

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

std::string_view checked_arrays_text() {
  static const std::string& text = *new std::string(std::string(kArrays) + std::string(kCasts) +
                                                    std::string(kRaw) + std::string(kFunctions));
  return text;
}

}  // namespace gpy::rt
