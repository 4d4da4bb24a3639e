// Loops whose rounds run at the same time, in functions on the host.
#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__)

typedef void (*PartCall)(void* part, i64 low, i64 high, i64 number);
enum { kMostParts = 512 };

template <class F> static void call_part(void* part, i64 low, i64 high, i64 number) {
  (*(F*)part)(low, high, number);
}
static inline i64 part_count(i64 rounds) {
  const CallFrame* frame = call_frame;
  if (!frame->run_parts) return 1;
  return rounds < frame->parts ? (rounds > 0 ? rounds : 1) : frame->parts;
}
// part(low, high, number) for all rounds, in parts that the caller runs on its threads.
template <class F> static inline void run_parallel(F& part, i64 rounds, i64 parts) {
  CallFrame* const frame = call_frame;
  if (parts == 1) return part(0, rounds, 0);
  _gpy_position* const here = _gpy_here;
  const bool ran = frame->run_parts(frame->runner, (void*)call_part<F>, &part, rounds, parts);
  call_frame = frame;
  _gpy_here = here;
  if (!ran) fail(frame->failure ? frame->failure : i32(kParallel), frame->line);
}
// On a thread of its own, with a frame of its own, which the caller frees.
static inline void run_part(CallFrame* frame, PartCall call, void* part, i64 rounds, i64 parts,
                            i64 number) {
  call_frame = frame;
  if (!__builtin_setjmp(frame->way_out))
    call(part, rounds * number / parts, rounds * (number + 1) / parts, number);
  call_frame = 0;
}
#endif
