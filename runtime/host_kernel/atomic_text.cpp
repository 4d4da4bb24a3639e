#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

// Blocks run on several threads of the host, so atomics are real ones. Each notes who called it.
constexpr std::string_view kAtomics = R"GPY(
static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __nanosleep(unsigned) {
  __builtin_ia32_pause();
  _gpy_yield();
}
template <class T> static inline T __ldg(const T* p) { return *p; }
template <class T> static inline T __ldca(const T* p) { return *p; }
template <class T> static inline T __ldcg(const T* p) { return *p; }
template <class T> static inline T __ldcs(const T* p) { return *p; }
template <class T> static inline T __ldlu(const T* p) { return *p; }
template <class T> static inline T __ldcv(const T* p) { return *(const volatile T*)p; }
template <class T, class U> static inline void __stwb(T* p, U x) { *p = x; }
template <class T, class U> static inline void __stcg(T* p, U x) { *p = x; }
template <class T, class U> static inline void __stcs(T* p, U x) { *p = x; }
template <class T, class U> static inline void __stwt(T* p, U x) { *p = x; }

#line 1 "<called>"
#define _GPY_SITE const char* file = __builtin_FILE(), int line = __builtin_LINE()
_GPY_UNWATCHED static inline void _gpy_note_site(const char* file, int line) {
  if (!_gpy_here) return;  // on a thread that the kernel started itself
  _gpy_here->file = file;
  _gpy_here->line = line;
}
// A step of what is one operation to those who watch it.
template <class T> _GPY_UNWATCHED static inline T _gpy_first_value(T* at) {
  T value;
  __atomic_load(at, &value, __ATOMIC_RELAXED);
  return value;
}
// A volatile object is one of the same type here.
template <class T, class F> static inline T _gpy_atomic(T* at, const char* file, int line, F change) {
  _gpy_note_site(file, line);
  T before = _gpy_first_value(at), after;
  do after = change(before);
  while (!__atomic_compare_exchange(at, &before, &after, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  return before;
}
#define _GPY_ATOMIC_NAMED(name, result) \
  template <class T, class U> static inline T name(T* at, U x, _GPY_SITE) { \
    return _gpy_atomic(at, file, line, [=](T b) { (void)b; return result; }); \
  } \
  template <class T, class U> static inline T name(volatile T* at, U x, _GPY_SITE) { return name((T*)at, x, file, line); }
#define _GPY_ATOMIC(name, result) \
  _GPY_ATOMIC_NAMED(name, result) _GPY_ATOMIC_NAMED(name##_block, result) _GPY_ATOMIC_NAMED(name##_system, result)
// Integers have an instruction of their own for sums.
#define _GPY_SUM(name, fetch, op) \
  template <class T, class U> static inline T name(T* at, U x, _GPY_SITE) { \
    if constexpr (!std::is_integral<T>::value) return _gpy_atomic(at, file, line, [=](T b) { return (T)(b op (T)x); }); \
    else { \
      _gpy_note_site(file, line); \
      return fetch(at, (T)x, __ATOMIC_ACQ_REL); \
    } \
  } \
  template <class T, class U> static inline T name(volatile T* at, U x, _GPY_SITE) { return name((T*)at, x, file, line); }
#define _GPY_SUMS(scope) \
  _GPY_SUM(atomicAdd##scope, __atomic_fetch_add, +) _GPY_SUM(atomicSub##scope, __atomic_fetch_sub, -)
_GPY_SUMS() _GPY_SUMS(_block) _GPY_SUMS(_system)
#undef _GPY_SUMS
#undef _GPY_SUM
_GPY_ATOMIC(atomicMin, (T)x < b ? (T)x : b)
_GPY_ATOMIC(atomicMax, b < (T)x ? (T)x : b)
_GPY_ATOMIC(atomicAnd, (T)(b & (T)x))
_GPY_ATOMIC(atomicOr, (T)(b | (T)x))
_GPY_ATOMIC(atomicXor, (T)(b ^ (T)x))
_GPY_ATOMIC(atomicInc, b >= (T)x ? (T)0 : (T)(b + 1))
_GPY_ATOMIC(atomicDec, b == 0 || b > (T)x ? (T)x : (T)(b - 1))
_GPY_ATOMIC(_gpy_exchange, (T)x)
// Bits decide, so a number that is no number equals itself. The processor compares 16 bytes too,
// by an instruction of its own.
template <class T> static inline T _gpy_compare_wide(T* at, T expected, T x) {
  typedef unsigned __int128 Word;
  const Word before = __sync_val_compare_and_swap((Word*)at, *(const Word*)&expected, *(const Word*)&x);
  return *(const T*)&before;
}
template <class T> static inline T _gpy_compare(T* at, T expected, T x, const char* file, int line) {
  _gpy_note_site(file, line);
  if constexpr (sizeof(T) == 16) return _gpy_compare_wide(at, expected, x);
  else {
    const T wanted = expected;
    if (!__atomic_compare_exchange(at, &expected, &x, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED) &&
        memcmp(&wanted, &expected, sizeof(T)) != 0)
      _gpy_yield();  // somebody may hold a lock
    return expected;
  }
}
template <class T, class U> static inline T _gpy_swap(T* at, U x, const char* file, int line) {
  if constexpr (sizeof(T) == 16) {
    _gpy_note_site(file, line);
    T before = *at;
    while (true) {
      const T now = _gpy_compare_wide(at, before, (T)x);
      if (memcmp(&now, &before, 16) == 0) return before;
      before = now;
    }
  } else return _gpy_exchange(at, x, file, line);
}
#define _GPY_EXCHANGES(scope) \
  template <class T, class U, class V> static inline T atomicCAS##scope(T* at, U expected, V x, _GPY_SITE) { return _gpy_compare<T>(at, (T)expected, (T)x, file, line); } \
  template <class T, class U, class V> static inline T atomicCAS##scope(volatile T* at, U expected, V x, _GPY_SITE) { return _gpy_compare<T>((T*)at, (T)expected, (T)x, file, line); } \
  template <class T, class U> static inline T atomicExch##scope(T* at, U x, _GPY_SITE) { return _gpy_swap(at, x, file, line); } \
  template <class T, class U> static inline T atomicExch##scope(volatile T* at, U x, _GPY_SITE) { return _gpy_swap((T*)at, x, file, line); }
_GPY_EXCHANGES() _GPY_EXCHANGES(_block) _GPY_EXCHANGES(_system)
#undef _GPY_EXCHANGES
#undef _GPY_ATOMIC
#undef _GPY_ATOMIC_NAMED
)GPY";

}  // namespace

std::string_view atomic_text() { return kAtomics; }

}  // namespace gpy::rt
