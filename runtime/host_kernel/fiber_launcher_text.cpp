#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

// The run of a range of blocks, each on the region's stacks.
constexpr std::string_view kLauncher = R"GPY(
static inline void _gpy_note_return(_gpy_block_state* state, unsigned rank);
static __attribute__((noinline)) void _gpy_end_stuck() {
  _gpy_host.end(3, __builtin_return_address(0), 0);
}
_GPY_UNWATCHED static __attribute__((noreturn)) void _gpy_finish() {
  const unsigned long long stack = _gpy_stack();
  _gpy_block_state* state = _gpy_block_of(stack);
  const unsigned rank = _gpy_rank_of(stack);
  --state->alive;
  _gpy_tell(_gpy_ends, state, rank, 0, 0);
  _gpy_note_return(state, rank);
  const bool all = state->arrived == state->alive;
  const bool last = !state->alive || state->thrown || (all && state->for_grid);
  if (!last && all) _gpy_open(state);
  _gpy_fiber* next = last ? &state->launcher : _gpy_take_ready(state, state->file, state->line);
  _gpy_leave_to(next);
}
_GPY_VISIBLE const unsigned _gpy_stack_shift = _GPY_STACK_SHIFT;
static void _gpy_note_thrower() {
  _gpy_block_state* state = _gpy_block_of(_gpy_stack());
  const uint3 thread = threadIdx;
  state->position->thread[0] = thread.x;
  state->position->thread[1] = thread.y;
  state->position->thread[2] = thread.z;
  state->thrown = true;
}
// Where no thread waits, one fiber runs all of a block. The barrier has each in memory before it
// does anything.
_GPY_UNWATCHED static inline void _gpy_become(_gpy_block_state* state, uint3 thread) {
  state->threads[0] = thread;
  state->position->thread[0] = thread.x;
  state->position->thread[1] = thread.y;
  state->position->thread[2] = thread.z;
  asm volatile("" : : : "memory");
}
_GPY_UNWATCHED static inline bool _gpy_next_thread() {
  _gpy_block_state* state = _gpy_block_of(_gpy_stack());
  if (__builtin_expect(!state->alone, 1)) return false;
  uint3 thread = state->threads[0];
  ++state->skipped;
  if (++thread.x == state->extents.x) {
    thread.x = 0;
    if (++thread.y == state->extents.y) {
      thread.y = 0;
      if (++thread.z == state->extents.z) return false;
    }
  }
  _gpy_become(state, thread);
  return true;
}
template <auto kernel> struct _gpy_fiber_run;
template <class... A, void (*kernel)(A...)> struct _gpy_fiber_run<kernel> {
  template <int... I> _GPY_UNWATCHED static inline void call(void* const* arguments, _gpy_list<I...>) {
    (void)arguments;
    kernel(*(typename _gpy_value<A>::type*)arguments[I]...);
  }
  _GPY_UNWATCHED static inline __attribute__((always_inline)) void enter() {
    try {
      do call(_gpy_block_of(_gpy_stack())->arguments, typename _gpy_count<sizeof...(A)>::type());
      while (_gpy_next_thread());
    } catch (...) {
      _gpy_uncaught();
      _gpy_note_thrower();
    }
    _gpy_finish();
  }
};
// The same for a kernel that has a form of loops over the threads.
template <auto kernel> struct _gpy_loops_run;
template <class... A, bool (*kernel)(A...)> struct _gpy_loops_run<kernel> {
  template <int... I> static inline bool call(void* const* arguments, _gpy_list<I...>) {
    (void)arguments;
    return kernel(*(typename _gpy_value<A>::type*)arguments[I]...);
  }
  _GPY_UNWATCHED static inline __attribute__((always_inline)) void enter() {
    try {
      _gpy_block_of(_gpy_stack())->refused = !call(_gpy_block_of(_gpy_stack())->arguments, typename _gpy_count<sizeof...(A)>::type());
    } catch (...) {
      _gpy_uncaught();
      _gpy_note_thrower();
    }
    _gpy_finish();
  }
};
// All fibers stand before their first instruction. A stack's first bytes are set off by its rank:
// those of different fibers would else share few places of the cache.
_GPY_UNWATCHED static void _gpy_start_block(_gpy_block_state* state, void (*enter)(), bool in_loops) {
  char* stacks = (char*)state + _gpy_region_bytes / 2;
  const unsigned count = state->alone || in_loops ? 1 : state->extents.x * state->extents.y * state->extents.z;
  if (state->alone) _gpy_become(state, {0, 0, 0});
  for (unsigned i = 0; i < count; ++i) {
    void** top = (void**)(stacks + ((i + 1ull) << _GPY_STACK_SHIFT) - i * 64);
    *--top = 0;
    *--top = (void*)enter;
    state->fibers[i].stack = top;
    state->fibers[i].next = i + 1 < count ? state->fibers + i + 1 : 0;
  }
  for (unsigned i = 0; i < (count + 31) / 32; ++i) {
    state->warps[i].alive = count - i * 32 < 32 ? (1u << count % 32) - 1 : ~0u;
    state->warps[i].waiting = 0;
    memset(state->warps[i].line, 0, sizeof(state->warps[i].line));
  }
  state->ready = state->fibers;
  state->waiting = 0;
  state->alive = count;
  state->arrived = state->votes = 0;
  state->thrown = state->refused = false;
  state->for_grid = state->skipped = 0;
  _gpy_tell(_gpy_starts, state, 0, 0, 0);
}
_GPY_UNWATCHED static inline void _gpy_set_up(_gpy_block_state* state, void* const* arguments, const unsigned* shape, _gpy_position* at, const _gpy_block_memory& memory) {
  state->arguments = arguments;
  state->grid = dim3(shape[0], shape[1], shape[2]);
  state->extents = dim3(shape[3], shape[4], shape[5]);
  state->shared = memory.shared;
  state->shared_bytes = memory.shared_bytes;
  state->alone = memory.alone;
  state->position = at;
  at->marks = 1;
  unsigned i = 0;
  for (unsigned z = 0; z < shape[5]; ++z)
    for (unsigned y = 0; y < shape[4]; ++y)
      for (unsigned x = 0; x < shape[3]; ++x) state->threads[i++] = {x, y, z};
}
_GPY_UNWATCHED static inline void _gpy_place(_gpy_block_state* state, long long block) {
  const dim3 grid = state->grid;
  state->block = {(unsigned)(block % grid.x), (unsigned)(block / grid.x % grid.y), (unsigned)(block / grid.x / grid.y)};
}
_GPY_UNWATCHED static inline void _gpy_note_block(_gpy_block_state* state) {
  state->position->block[0] = state->block.x;
  state->position->block[1] = state->block.y;
  state->position->block[2] = state->block.z;
}
_GPY_UNWATCHED static inline void _gpy_resume(_gpy_block_state* state) {
  _gpy_note_block(state);
  _gpy_fiber* first = state->ready;
  state->ready = first->next;
  _gpy_switch(&state->launcher, first);
}
// All blocks at once, each on a region of its own: a turn of each brings it to the grid's barrier,
// or to its end.
_GPY_UNWATCHED static int _gpy_run_at_once(void (*enter)(), void* const* arguments, const unsigned* shape, long long first, long long last, _gpy_position* at, const _gpy_block_memory* memory) {
  for (long long block = first; block < last; ++block) {
    _gpy_block_state* state = (_gpy_block_state*)memory[block].region;
    _gpy_set_up(state, arguments, shape, at, memory[block]);
    _gpy_place(state, block);
    _gpy_start_block(state, enter, false);
  }
  for (long long left = last - first; left > 0;) {
    left = 0;
    for (long long block = first; block < last; ++block) {
      _gpy_block_state* state = (_gpy_block_state*)memory[block].region;
      if (state->for_grid) {
        _gpy_tell(_gpy_syncs, state, 0, 0, 0);
        _gpy_open(state);
      }
      state->for_grid = 0;
      if (state->alive) _gpy_resume(state);
      if (state->thrown) return 1;
      left += state->alive != 0;
    }
  }
  return 0;
}
// `loops`: null where there is no such form. Their threads are not told apart: a launch that is to
// tell them has its position marked.
_GPY_UNWATCHED static int _gpy_run_fibers(void (*enter)(), void (*loops)(), void* const* arguments, const unsigned* shape, long long first, long long last, _gpy_position* at, const _gpy_block_memory* memory) {
  if (memory->at_once) return _gpy_run_at_once(enter, arguments, shape, first, last, at, memory);
  bool in_loops = loops && !memory->alone && !at->marks;
  _gpy_block_state* state = (_gpy_block_state*)memory->region;
  _gpy_set_up(state, arguments, shape, at, *memory);
  for (long long block = first; block < last;) {
    at->marks = !in_loops;  // a fiber is one thread, whatever the compiler moves
    _gpy_place(state, block);
    _gpy_start_block(state, in_loops ? loops : enter, in_loops);
    _gpy_resume(state);
    if (state->thrown) return 1;
    if (state->refused) in_loops = false;
    else ++block;
  }
  return 0;
}
static void _gpy_enter_initialisers() { _gpy_fiber_run<&_gpy_initialise_all>::enter(); }
_GPY_VISIBLE _GPY_UNWATCHED int _gpy_initialise(void* const* arguments, const unsigned* shape, long long first, long long last, _gpy_position* at, const _gpy_block_memory* memory) {
  return _gpy_run_fibers(&_gpy_enter_initialisers, 0, arguments, shape, first, last, at, memory);
}
)GPY";

}  // namespace

std::string_view fiber_launcher_text() { return kLauncher; }

}  // namespace gpy::rt
