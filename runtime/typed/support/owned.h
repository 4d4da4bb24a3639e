// Arrays that a function on the host makes, and what it raises.

// What a call shares with its caller (runtime/typed/call_frame.h).
struct Block {
  Block *before, *after;  // among the blocks of the call
  i64 references;
  i64 bytes;
};
struct CallFrame {
  Block* blocks;
  i64 room;  // bytes that may still be allocated
  i32 failure, line;
  u64* printed;
  i64 printed_count, printed_room;
  bool (*run_parts)(void* runner, void* call, void* part, i64 rounds, i64 parts);
  void* runner;
  void* random;
  u64 seed;
  i64 parts;
  void* records;
  void* way_out[5];  // of __builtin_setjmp
};
struct Failure {
  i32 code, line;
};
// By the numbers of FailureCode.
enum {
  kZeroDivision = 1,
  kWholeQuotient,
  kWholeModulo,
  kWholeDivmod,
  kModulo,
  kNoMemory,
  kNegativeExtent,
  kTooLarge,
  kShapes,
  kAssigned,
  kEmptyLeast,
  kEmptyGreatest,
  kEmptyPlaceOfLeast,
  kEmptyPlaceOfGreatest,
  kNewShape,
  kProduct,
  kStep,
  kIndex,
  kListIndex,
  kEmptyList,
  kNotSquare,
  kEmptyRange,
  kLargeSample,
  kRangeStep,
  kZeroPower,
  kUnset,
  kNoKey,
  kWiderItems,
  kApartItems,
  kNotInList,
  kJoined,
  kAxis,
  kAxisTwice,
  kMask,
  kRows,
  kParallel,
  kRaised = 64
};

#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__)
static thread_local CallFrame* call_frame;

// A function leaves by a jump: what it has allocated is its frame's, so no destructors need to run,
// and a text without exceptions is compiled and linked in half the time. Others, bodies of kernels,
// throw.
__attribute__((noinline, cold, noreturn)) static void fail(i32 code, i32 line = 0) {
#ifdef __cpp_exceptions
  throw Failure{code, line};
#else
  call_frame->failure = code;
  if (line) call_frame->line = line;
  __builtin_longjmp(call_frame->way_out, 1);
#endif
}

static inline Block* allocate(i64 bytes, bool zeroed) {
  CallFrame* frame = call_frame;
  if (bytes > frame->room) fail(kNoMemory);
  // Elements begin at a multiple of 64 bytes.
  const u64 whole = u64(bytes) + sizeof(Block) + 64;
  Block* block = (Block*)(zeroed ? __builtin_calloc(whole, 1) : __builtin_malloc(whole));
  if (!block) fail(kNoMemory);
  frame->room -= bytes;
  block->bytes = bytes;
  block->references = 1;
  block->before = 0;
  block->after = frame->blocks;
  if (frame->blocks) frame->blocks->before = block;
  frame->blocks = block;
  return block;
}
static inline void end_block(Block* block) {
  CallFrame* frame = call_frame;
  if (block->before) block->before->after = block->after;
  else frame->blocks = block->after;
  if (block->after) block->after->before = block->before;
  frame->room += block->bytes;
  __builtin_free(block);
}
static inline void* elements_of(Block* block) { return (void*)(((u64)(block + 1) + 63) / 64 * 64); }

// What lies in a block that all copies of a handle share. `Self` has the Body that is there, and
// end_content(body).
template <class Self> struct Handle {
  Block* block = 0;
  Handle() = default;
  explicit Handle(Block* own) : block(own) { ++block->references; }
  Handle(const Handle& other) : block(other.block) {
    if (block) ++block->references;
  }
  Handle& operator=(const Handle& other) {
    if (other.block) ++other.block->references;
    leave();
    block = other.block;
    return *this;
  }
  ~Handle() { leave(); }
  void leave() {
    if (!block || --block->references > 0) return;
    Self::end_content(*(typename Self::Body*)elements_of(block));
    end_block(block);
  }
};

// An array whose memory the call has made: shared by all its views, freed with the last.
template <class A> struct Owned : A {
  Block* block = 0;
  Owned() = default;
  Owned(const A& array, Block* own = 0) : A(array), block(own) {}
  Owned(const Owned& other) : A(other), block(other.block) {
    if (block) ++block->references;
  }
  Owned& operator=(const Owned& other) {
    if (other.block) ++other.block->references;
    leave();
    (A&)* this = other;
    block = other.block;
    return *this;
  }
  ~Owned() { leave(); }
  void leave() {
    if (block && --block->references == 0) end_block(block);
  }
};

template <class A, class B> static inline Owned<A> sharing(const A& array, const Owned<B>& owner) {
  if (owner.block) ++owner.block->references;
  return Owned<A>(array, owner.block);
}
template <class A> static inline auto row(const Owned<A>& array, i64 index) {
  return sharing(row((const A&)array, index), array);
}
template <class A> static inline auto transposed(const Owned<A>& array) {
  return sharing(transposed((const A&)array), array);
}
template <class A> static inline i64 element_count(const Owned<A>& array) {
  return element_count((const A&)array);
}
template <class A> static inline auto as_view(const Owned<A>& array) {
  return sharing(as_view((const A&)array), array);
}
template <class A> struct AsArray;
template <class T, int R> struct AsArray<View<T, R>> {
  template <class A> static View<T, R> from(const A& array) { return as_view(array); }
};
template <class T, int R> struct AsArray<Owned<Dense<T, R>>> {
  static Owned<Dense<T, R>> from(const Dense<T, R>& array) { return Owned<Dense<T, R>>(array, 0); }
};
template <class T, int R> struct AsArray<Owned<View<T, R>>> {
  static Owned<View<T, R>> from(const View<T, R>& array) { return Owned<View<T, R>>(array, 0); }
  static Owned<View<T, R>> from(const Dense<T, R>& array) { return from(as_view(array)); }
  static Owned<View<T, R>> from(const Owned<View<T, R>>& array) { return array; }
  static Owned<View<T, R>> from(const Owned<Dense<T, R>>& array) { return as_view(array); }
};
template <class Array, class A> static inline Array as_array(const A& array) {
  return AsArray<Array>::from(array);
}

// np.zeros and kin.
template <class T, int R>
static inline Owned<Dense<T, R>> make_shaped(bool zeroed, const i64* extents) {
  Dense<T, R> array;
  i64 count = 1;
  for (int axis = 0; axis < R; ++axis) {
    if (extents[axis] < 0) fail(kNegativeExtent);
    if (__builtin_mul_overflow(count, extents[axis], &count)) fail(kTooLarge);
    array.shape[axis] = extents[axis];
  }
  i64 bytes;
  if (__builtin_mul_overflow(count, i64(sizeof(T)), &bytes)) fail(kTooLarge);
  Block* block = allocate(bytes, zeroed);
  array.data = (T*)elements_of(block);
  return Owned<Dense<T, R>>(array, block);
}
template <class T, int R, class... N>
static inline Owned<Dense<T, R>> make_array(bool zeroed, N... extents) {
  const i64 all[] = {i64(extents)..., 0};
  return make_shaped<T, R>(zeroed, all);
}
template <class T, int R, class... N>
static inline Owned<Dense<T, R>> make_filled(T value, N... extents) {
  Owned<Dense<T, R>> out = make_array<T, R>(false, extents...);
  const i64 count = element_count(out);
  for (i64 i = 0; i < count; ++i) out.data[i] = value;
  return out;
}

// A divisor that Python refuses when it is 0.
template <i32 code, class T> static inline T divisor(T y, i32 line) {
  if (__builtin_expect(!cast<bool>(y), 0)) fail(code, line);
  return y;
}

// The step of a range that is counted before its first round.
static inline i64 range_step(i64 step) {
  if (__builtin_expect(step == 0, 0)) fail(kRangeStep);
  return step;
}

// whole_power where 0 to a negative power is refused.
template <class T> static inline T checked_power(T x, T y) {
  if (__builtin_expect(x == 0 && below_zero(y), 0)) fail(kZeroPower);
  return whole_power(x, y);
}

// An index of a place in an array, where that is looked at.
static inline i64 checked(i64 index, i64 extent) {
  if (__builtin_expect(u64(index) >= u64(extent), 0)) fail(kIndex);
  return index;
}

#ifndef _GPY_GRID
// The caller has the reference from then on.
template <class A> struct Words<Owned<A>> {
  enum { count = Words<A>::count };
  static Owned<A> get(const u64* words) { return Owned<A>(Words<A>::get(words), 0); }
  static void put(u64* words, const Owned<A>& array) {
    Words<A>::put(words, array);
    words[1] = (u64)array.block;
    if (array.block) ++array.block->references;
  }
};
#endif
#endif
