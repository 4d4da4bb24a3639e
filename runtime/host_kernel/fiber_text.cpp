#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

// A thread of a block is a fiber here. What it needs is found from its stack pointer, since that
// costs no access to memory: block_stacks.h has the region's layout. Waiting fibers are a list, the
// last first: the one that ran last has its stack in the processor's cache. Where threads print, a
// list in order.
constexpr std::string_view kFibers = R"GPY(
constexpr unsigned long long _gpy_region_bytes = 2048ull << _GPY_STACK_SHIFT;
struct _gpy_fiber {
  void* stack;  // while it does not run
  _gpy_fiber* next;
};
struct _gpy_warp {
  unsigned alive, waiting;  // a bit a lane
  unsigned mask[32];
  int kind[32], from[32], site[32], line[32];
  unsigned long long value[32], result[32];
};
// The block that runs on a region's stacks.
struct _gpy_block_state {
  unsigned arrived, alive;
  _gpy_fiber *ready, *waiting, *last;
  uint3 block;
  dim3 extents, grid;
  unsigned votes;
  void* const* arguments;
  char* shared;
  unsigned long shared_bytes;
  struct _gpy_position* position;
  const char* file;  // of the last warp operation that waited
  int line;
  bool thrown, alone;
  bool refused;  // the loops that it was to run in
  unsigned skipped;  // where one fiber runs all threads, those that it has run
  unsigned for_grid;  // how many of those at the barrier wait for all blocks
  _gpy_fiber launcher;
  _gpy_warp warps[32];
  uint3 threads[1024];
  _gpy_fiber fibers[1024];
};
#define _GPY_INLINE static inline __attribute__((always_inline))
_GPY_UNWATCHED _GPY_INLINE unsigned long long _gpy_stack() {
  unsigned long long stack;
  asm("movq %%rsp, %0" : "=r"(stack));
  return stack;
}
// Read anew: a compiler that keeps it in memory gains nothing.
_GPY_UNWATCHED static inline unsigned long long _gpy_stack_now() {
  unsigned long long stack;
  asm volatile("movq %%rsp, %0" : "=r"(stack));
  return stack;
}
_GPY_UNWATCHED _GPY_INLINE _gpy_block_state* _gpy_block_of(unsigned long long stack) {
  return (_gpy_block_state*)(stack & -_gpy_region_bytes);
}
_GPY_UNWATCHED _GPY_INLINE unsigned _gpy_rank_of(unsigned long long stack) { return stack >> _GPY_STACK_SHIFT & 1023; }
_GPY_UNWATCHED static inline unsigned _gpy_rank() { return _gpy_rank_of(_gpy_stack()) + _gpy_block_of(_gpy_stack())->skipped; }
#define threadIdx (_gpy_block_of(_gpy_stack())->threads[_gpy_rank_of(_gpy_stack())])
#define blockIdx (_gpy_block_of(_gpy_stack())->block)
#define blockDim (_gpy_block_of(_gpy_stack())->extents)
#define gridDim (_gpy_block_of(_gpy_stack())->grid)
#define _gpy_here (_gpy_block_of(_gpy_stack())->position)
_GPY_UNWATCHED static inline void _gpy_mark(long long i) { _gpy_here->element = i; }

#if defined(__AVX512F__)
#define _GPY_MORE_REGISTERS \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", \
  "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define _GPY_MORE_REGISTERS
#endif
// Goes on with another fiber where that one stopped. The compiler keeps what this one still needs
// on its stack, and no more: that makes it cheaper than a call.
_GPY_UNWATCHED static inline __attribute__((always_inline)) void _gpy_switch(_gpy_fiber* from, _gpy_fiber* to) {
  asm volatile(
      "pushq %%rbp\n\tpushq %%rbx\n\tleaq 1f(%%rip), %%rax\n\tpushq %%rax\n\t"
      "movq %%rsp, (%0)\n\tmovq (%1), %%rsp\n\tpopq %%rax\n.Lgpy_switch%=:\n\tjmp *%%rax\n"
      "1:\n\tpopq %%rbx\n\tpopq %%rbp"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc",
        "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)",
        "st(5)", "st(6)", "st(7)" _GPY_MORE_REGISTERS);
}
#undef _GPY_MORE_REGISTERS
// The same for a fiber that has come to its end.
_GPY_UNWATCHED static inline __attribute__((always_inline)) void _gpy_leave_to(_gpy_fiber* to) {
  asm volatile("movq (%0), %%rsp\n\tpopq %%rax\n.Lgpy_switch_at_end%=:\n\tjmp *%%rax" : : "S"(to) : "rax", "memory");
  __builtin_unreachable();
}

#line 1 "<called>"
static bool _gpy_resolve_implicit(_gpy_block_state* state);
static __attribute__((noinline)) void _gpy_end_stuck();
// No fiber can run. Warp operations without a mask are for all that have come; else nobody will ever
// come.
_GPY_UNWATCHED static __attribute__((noinline, cold)) _gpy_fiber* _gpy_stuck(_gpy_block_state* state, const char* file, int line) {
  if (_gpy_resolve_implicit(state)) {
    _gpy_fiber* next = state->ready;
    state->ready = next->next;
    return next;
  }
  state->position->file = file;
  state->position->line = line;
  _gpy_end_stuck();
  return 0;
}
_GPY_UNWATCHED static inline _gpy_fiber* _gpy_take_ready(_gpy_block_state* state, const char* file, int line) {
  _gpy_fiber* next = state->ready;
  if (__builtin_expect(!next, 0)) return _gpy_stuck(state, file, line);
  state->ready = next->next;
  return next;
}
// Stops this fiber, which somebody will make ready again.
_GPY_UNWATCHED static inline void _gpy_wait(_gpy_block_state* state, _gpy_fiber* fiber, const char* file, int line) {
  _gpy_fiber* next = _gpy_take_ready(state, file, line);
  _gpy_switch(fiber, next);
}
_GPY_UNWATCHED static inline void _gpy_make_ready(_gpy_block_state* state, unsigned rank) {
  _gpy_fiber* fiber = state->fibers + rank;
  fiber->next = state->ready;
  state->ready = fiber;
}
// Lets the others run first.
_GPY_UNWATCHED static inline void _gpy_yield() {
  _gpy_block_state* state = _gpy_block_of(_gpy_stack());
  _gpy_fiber** last = &state->ready;
  if (!*last) return;
  while (*last) last = &(*last)->next;
  const unsigned rank = _gpy_rank_of(_gpy_stack());
  *last = state->fibers + rank;
  state->fibers[rank].next = 0;
  _gpy_wait(state, *last, 0, 0);
}
// All that wait at the barrier go on: nobody else can be ready.
_GPY_UNWATCHED static inline void _gpy_open(_gpy_block_state* state) {
  _gpy_tell(_gpy_opens, state, 0, 0, 0);
  state->ready = state->waiting;
  state->waiting = 0;
  state->arrived = 0;
}
_GPY_UNWATCHED static inline void _gpy_arrive(_gpy_block_state* state, _gpy_fiber* fiber) {
  ++state->arrived;
#ifdef _GPY_IN_ORDER
  fiber->next = 0;
  *(state->waiting ? &state->last->next : &state->waiting) = fiber;
  state->last = fiber;
#else
  fiber->next = state->waiting;
  state->waiting = fiber;
#endif
}
_GPY_UNWATCHED static inline bool _gpy_passes(_gpy_block_state* state, _gpy_fiber* fiber) {
  if (__builtin_expect(state->arrived + 1 != state->alive, 1)) return false;
#ifdef _GPY_IN_ORDER
  _gpy_arrive(state, fiber);
  _gpy_open(state);
  _gpy_fiber* next = state->ready;
  state->ready = next->next;
  _gpy_switch(fiber, next);
#else
  _gpy_open(state);
#endif
  return true;
}
// Threads that have returned are not waited for.
_GPY_UNWATCHED static inline void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const unsigned long long stack = _gpy_stack_now();
  _gpy_block_state* state = _gpy_block_of(stack);
  _gpy_fiber* fiber = state->fibers + _gpy_rank_of(stack);
  _gpy_tell(_gpy_arrives, state, _gpy_rank_of(stack), file, line);
  if (_gpy_passes(state, fiber)) return;
  _gpy_arrive(state, fiber);
  _gpy_wait(state, fiber, file, line);
}
// The block as a whole has come when its last thread has: the launcher goes on with the others. The
// symbol tells that this function is there, since somebody calls it.
_GPY_UNWATCHED static __attribute__((noinline _GPY_NO_CLONE)) void _gpy_sync_grid(const char* file, int line) {
  asm volatile(".section .rodata\n\t.globl _gpy_syncs_grid\n_gpy_syncs_grid:\n\t.byte 1\n\t.previous");
  _gpy_block_state* state = _gpy_block_of(_gpy_stack_now());
  _gpy_fiber* fiber = state->fibers + _gpy_rank_of(_gpy_stack_now());
  ++state->for_grid;
  _gpy_tell(_gpy_arrives, state, _gpy_rank_of(_gpy_stack_now()), file, line);
  _gpy_arrive(state, fiber);
  if (state->arrived == state->alive) _gpy_switch(fiber, &state->launcher);
  else _gpy_wait(state, fiber, file, line);
}
static inline int __syncthreads_count(int predicate, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  _gpy_block_state* state = _gpy_block_of(_gpy_stack());
  state->votes += predicate != 0;
  __syncthreads(file, line);
  const int count = (int)state->votes;
  __syncthreads(file, line);
  state->votes -= predicate != 0;
  return count;
}
static inline int __syncthreads_or(int predicate, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return __syncthreads_count(predicate, file, line) != 0;
}
static inline int __syncthreads_and(int predicate, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return __syncthreads_count(!predicate, file, line) == 0;
}
// A block whose threads run in loops, on the first one's stack, which has room for so many bytes of
// what they keep (thread_loops.h). Signed counters: how they go on is known to the vectorizer.
#define _GPY_FOR_BLOCK \
  const uint3 _gpy_at_block = blockIdx; \
  const dim3 _gpy_of_block = blockDim, _gpy_of_grid = gridDim; \
  const int _gpy_count_x = _gpy_of_block.x, _gpy_count_y = _gpy_of_block.y, _gpy_count_z = _gpy_of_block.z; \
  const int _gpy_count = _gpy_count_x * _gpy_count_y * _gpy_count_z;
#define _GPY_EACH_THREAD \
  for (int _gpy_z = 0, _gpy_row = 0; _gpy_z < _gpy_count_z; ++_gpy_z) \
    for (int _gpy_y = 0; _gpy_y < _gpy_count_y; ++_gpy_y, _gpy_row += _gpy_count_x) \
      for (int _gpy_x = 0; _gpy_x < _gpy_count_x; ++_gpy_x) \
        if (const uint3 _gpy_at_thread = {(unsigned)_gpy_x, (unsigned)_gpy_y, (unsigned)_gpy_z}; true)
// Functions that call one another keep theirs on the same stack; half of it is for all else.
static inline bool _gpy_has_room(unsigned long bytes) {
  const unsigned long left = _gpy_stack_now() & ((1ul << _GPY_STACK_SHIFT) - 1);
  return bytes <= 20 << 10 && left >= bytes + (64 << 10);
}
// What a declaration without a value begins with, where it is run again.
template <class T> static inline void _gpy_begin(T& value) {
  if constexpr (!__is_trivially_constructible(T)) value = T();
}
template <class T, unsigned long count> static inline void _gpy_begin(T (&values)[count]) {
  for (T& each : values) _gpy_begin(each);
}
// What `extern __shared__` declares: in a function a reference to many of a type, outside of all an
// object that stands for their address.
static inline char* _gpy_dynamic_shared() { return _gpy_block_of(_gpy_stack())->shared; }
template <class T> using _gpy_many = T[1 << 18];
template <class T> struct _gpy_dynamic {
  operator T*() const { return (T*)_gpy_dynamic_shared(); }
  template <class U> explicit operator U*() const { return (U*)_gpy_dynamic_shared(); }
};
)GPY";

}  // namespace

std::string_view fiber_text() { return kFibers; }

}  // namespace gpy::rt
