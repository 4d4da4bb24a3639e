#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

// Before the fibers: what they tell of.
constexpr std::string_view kEvents = R"GPY(
enum { _gpy_starts, _gpy_arrives, _gpy_opens, _gpy_syncs, _gpy_steps, _gpy_ends };
#ifdef _GPY_WATCHED
static __attribute__((noinline)) void _gpy_tell(int kind, const void* region, unsigned rank, const char* file, int line);
#else
static inline void _gpy_tell(int, const void*, unsigned, const char*, int) {}
#endif
)GPY";

// The compiler calls functions of these names before each access to memory,
// and in place of atomic operations: they are those of ThreadSanitizer, whose library is not there.
constexpr std::string_view kWatch = R"GPY(
#define _GPY_APART __attribute__((noinline)) _GPY_UNWATCHED
struct _gpy_finding;
struct _gpy_shared_array;
struct _gpy_touch { const void* at; unsigned long bytes; int use; const void* where; };
struct _gpy_event { int kind; unsigned rank; const void* region; const char* file; int line; };
// The functions behind do not expect the upper halves of vector registers in use: each of theirs
// would wait for them.
static _GPY_APART void _gpy_tell_touch(const void* at, unsigned long bytes, int use, const void* where) {
  const _gpy_touch touch = {at, bytes, use, where};
#ifdef __AVX__
  __builtin_ia32_vzeroupper();
#endif
  if (_gpy_host.touched) _gpy_host.touched(&touch);
}
// Most accesses are those of a thread to its own stack. Of the region that it runs on only the shared
// variables are watched.
_GPY_UNWATCHED static inline __attribute__((always_inline)) void _gpy_touched(const void* at, unsigned long bytes, int use, const void* where) {
  const unsigned long long offset = (unsigned long long)at - (unsigned long long)_gpy_block_of(_gpy_stack());
  if (offset >= _gpy_region_bytes || offset - _GPY_SHARED_OFFSET < _GPY_SHARED_BYTES) _gpy_tell_touch(at, bytes, use, where);
}
static _GPY_APART void _gpy_tell(int kind, const void* region, unsigned rank, const char* file, int line) {
  const _gpy_event event = {kind, rank, region, file, line};
  _gpy_host.came(&event);
}
static _GPY_APART void _gpy_found(const _gpy_finding& found) { _gpy_host.found(&found); }
static _GPY_APART void _gpy_declare_shared(const _gpy_shared_array& array) { _gpy_host.declared(&array); }
#define _GPY_TSAN extern "C" __attribute__((visibility("hidden"), used, no_sanitize("thread")))
_GPY_TSAN void __tsan_init() {}
_GPY_TSAN void __tsan_func_entry(void*) {}
_GPY_TSAN void __tsan_func_exit() {}
_GPY_TSAN void __tsan_vptr_update(void**, void*) {}
_GPY_TSAN void __tsan_vptr_read(void**) {}
#define _GPY_ACCESS(name, size) \
  _GPY_TSAN void __tsan_read##name(void* at) { _gpy_touched(at, size, 0, __builtin_return_address(0)); } \
  _GPY_TSAN void __tsan_write##name(void* at) { _gpy_touched(at, size, 1, __builtin_return_address(0)); } \
  _GPY_TSAN void __tsan_unaligned_read##name(void* at) { _gpy_touched(at, size, 0, __builtin_return_address(0)); } \
  _GPY_TSAN void __tsan_unaligned_write##name(void* at) { _gpy_touched(at, size, 1, __builtin_return_address(0)); } \
  _GPY_TSAN void __tsan_volatile_read##name(void* at) { _gpy_touched(at, size, 4, __builtin_return_address(0)); } \
  _GPY_TSAN void __tsan_volatile_write##name(void* at) { _gpy_touched(at, size, 3, __builtin_return_address(0)); } \
  _GPY_TSAN void __tsan_unaligned_volatile_read##name(void* at) { _gpy_touched(at, size, 4, __builtin_return_address(0)); } \
  _GPY_TSAN void __tsan_unaligned_volatile_write##name(void* at) { _gpy_touched(at, size, 3, __builtin_return_address(0)); }
_GPY_ACCESS(1, 1) _GPY_ACCESS(2, 2) _GPY_ACCESS(4, 4) _GPY_ACCESS(8, 8) _GPY_ACCESS(16, 16)
#undef _GPY_ACCESS
_GPY_TSAN void __tsan_read_range(void* at, unsigned long size) { _gpy_touched(at, size, 0, __builtin_return_address(0)); }
_GPY_TSAN void __tsan_write_range(void* at, unsigned long size) { _gpy_touched(at, size, 1, __builtin_return_address(0)); }
_GPY_TSAN void* __tsan_memcpy(void* to, const void* from, unsigned long size) { return memcpy(to, from, size); }
_GPY_TSAN void* __tsan_memmove(void* to, const void* from, unsigned long size) { return memmove(to, from, size); }
_GPY_TSAN void* __tsan_memset(void* to, int value, unsigned long size) { return memset(to, value, size); }
#define _GPY_CHANGE(bits, T, name) \
  _GPY_TSAN T __tsan_atomic##bits##_##name(volatile T* at, T x, int) { \
    _gpy_touched((const void*)at, sizeof(T), 2, __builtin_return_address(0)); \
    return __atomic_##name(at, x, __ATOMIC_ACQ_REL); \
  }
#define _GPY_SWAP(bits, T, name, weak) \
  _GPY_TSAN int __tsan_atomic##bits##_compare_exchange_##name(volatile T* at, T* expected, T x, int, int) { \
    _gpy_touched((const void*)at, sizeof(T), 2, __builtin_return_address(0)); \
    return __atomic_compare_exchange_n(at, expected, x, weak, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); \
  }
#define _GPY_ATOMICS(bits, T) \
  _GPY_TSAN T __tsan_atomic##bits##_load(const volatile T* at, int) { \
    _gpy_touched((const void*)at, sizeof(T), 4, __builtin_return_address(0)); \
    return __atomic_load_n(at, __ATOMIC_ACQUIRE); \
  } \
  _GPY_TSAN void __tsan_atomic##bits##_store(volatile T* at, T x, int) { \
    _gpy_touched((const void*)at, sizeof(T), 3, __builtin_return_address(0)); \
    __atomic_store_n(at, x, __ATOMIC_RELEASE); \
  } \
  _GPY_TSAN T __tsan_atomic##bits##_exchange(volatile T* at, T x, int) { \
    _gpy_touched((const void*)at, sizeof(T), 2, __builtin_return_address(0)); \
    return __atomic_exchange_n(at, x, __ATOMIC_ACQ_REL); \
  } \
  _GPY_CHANGE(bits, T, fetch_add) _GPY_CHANGE(bits, T, fetch_sub) _GPY_CHANGE(bits, T, fetch_and) \
  _GPY_CHANGE(bits, T, fetch_or) _GPY_CHANGE(bits, T, fetch_xor) _GPY_CHANGE(bits, T, fetch_nand) \
  _GPY_SWAP(bits, T, strong, false) _GPY_SWAP(bits, T, weak, true) \
  _GPY_TSAN T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T expected, T x, int, int) { \
    _gpy_touched((const void*)at, sizeof(T), 2, __builtin_return_address(0)); \
    return __sync_val_compare_and_swap(at, expected, x); \
  }
_GPY_ATOMICS(8, unsigned char) _GPY_ATOMICS(16, unsigned short) _GPY_ATOMICS(32, unsigned) _GPY_ATOMICS(64, unsigned long)
#undef _GPY_ATOMICS
#undef _GPY_SWAP
#undef _GPY_CHANGE
typedef unsigned __int128 _gpy_u128;
_GPY_TSAN _gpy_u128 __tsan_atomic128_compare_exchange_val(volatile _gpy_u128* at, _gpy_u128 expected, _gpy_u128 x, int, int) {
  _gpy_touched((const void*)at, 16, 2, __builtin_return_address(0));
  return __sync_val_compare_and_swap(at, expected, x);
}
_GPY_TSAN void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
_GPY_TSAN void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
#undef _GPY_TSAN
)GPY";

}  // namespace

std::string_view event_text() { return kEvents; }
std::string_view watch_text() { return kWatch; }

}  // namespace gpy::rt
