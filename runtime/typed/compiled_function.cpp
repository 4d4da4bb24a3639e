#include "runtime/typed/compiled_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <random>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/graph/loan.h"
#include "runtime/kernel/generated.h"
#include "runtime/typed/blocks.h"
#include "runtime/typed/callback_text.h"
#include "runtime/typed/parallel.h"
#include "runtime/typed/words.h"
#include "runtime/typed/write.h"

namespace gpy::rt::typed {

namespace {

// The function is compiled apart from what may be jumped to, where registers do not stay.
constexpr const char* kEntry = R"(
static __attribute__((noinline)) void {entry}_call(const gpy_typed::u64* given, gpy_typed::u64* results) {{
  using namespace gpy_typed;
  (void)given; (void)results;
  {call};
}}
extern "C" __global__ void {entry}(gpy_typed::CallFrame* frame, const gpy_typed::u64* given, gpy_typed::u64* results) {{
  using namespace gpy_typed;
  call_frame = frame;
  if (!__builtin_setjmp(frame->way_out)) {entry}_call(given, results);
  if (!__builtin_setjmp(frame->way_out)) give_back_all();
}}
)";

// Beside it in programs with parallel loops: one part of a loop is one block of a grid.
constexpr const char* kPartEntry = R"(
extern "C" __global__ void {entry}(gpy_typed::CallFrame* frames, gpy_typed::PartCall call, void* part, gpy_typed::i64 rounds) {{
  if (threadIdx.x == 0) gpy_typed::run_part(frames + blockIdx.x, call, part, rounds, gridDim.x, blockIdx.x);
}}
)";
// Threads of a block share nothing here but their block's worker, and a worker takes at least so
// many of them.
constexpr uint32_t kPartThreads = 256;

std::string part_name(const std::string& name) { return entry_name(name) + "_part"; }

bool has_parallel_loop(const Program& program) {
  return std::ranges::any_of(program.functions,
                             [](const auto& each) { return typed::has_parallel_loop(each->body); });
}

// SplitMix64 (Steele, Lea and Flood, 2014). A thread's part of a library's memory is small, so its
// state is one word.
uint64_t fresh_seed() {
  static thread_local uint64_t state = std::random_device()() * 0x9e3779b97f4a7c15u;
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Runs the parts of parallel loops of one call.
class PartRunner {
 public:
  PartRunner(CallFrame& frame, UserFunction* part, bool catches_faults, int64_t parts)
      : frame_(frame), part_(part), catches_faults_(catches_faults) {
    if (!part || parts < 2) return;
    frame.run_parts = run;
    frame.runner = this;
    frame.parts = std::min(parts, kMostParts);
  }
  // What a part threw, thrown here.
  void check() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static bool run(void* runner, void* call, void* part, int64_t rounds, int64_t parts) {
    return static_cast<PartRunner*>(runner)->run(call, part, rounds, parts);
  }
  // No exception passes through the compiled code.
  bool run(void* call, void* part, int64_t rounds, int64_t parts) {
    std::vector<CallFrame> frames(static_cast<size_t>(parts));
    for (CallFrame& each : frames) {
      each.room = frame_.room;
      each.seed = fresh_seed();
    }
    CallFrame* first = frames.data();
    void* const addresses[] = {&first, &call, &part, &rounds};
    try {
      part_->launch({.grid = {static_cast<uint32_t>(parts), 1, 1},
                     .block = {kPartThreads, 1, 1},
                     .arguments = addresses,
                     .catches_faults = catches_faults_});
    } catch (...) {
      error_ = std::current_exception();
    }
    for (CallFrame& each : frames) end_part(each);
    return !error_ && frame_.failure == FailureCode::kNone;
  }

  // What the first of the parts raised is what the loop raises.
  void end_part(CallFrame& part) {
    const Blocks blocks(part);
    if (part.failure == FailureCode::kNone || frame_.failure != FailureCode::kNone) return;
    frame_.failure = part.failure;
    frame_.line = part.line;
  }

  CallFrame& frame_;
  UserFunction* part_;
  bool catches_faults_;
  std::exception_ptr error_;
};

class Unpacker {
 public:
  Unpacker(Session& session, const ArgumentWords& given, CallFrame& frame, const uint64_t* words)
      : session_(session), given_(given), frame_(frame), words_(words) {}

  Data take(const Type& type) {
    Data out;
    switch (type.kind) {
      case Type::Kind::kNone: return out;
      case Type::Kind::kNumber: out.number = take_number(type); return out;
      case Type::Kind::kArray: out.array = take_array(type); return out;
      case Type::Kind::kList:
      case Type::Kind::kMap: return take_list(type);
      case Type::Kind::kInstance: return take_instance(type);
      case Type::Kind::kTuple: break;
    }
    for (const Type& item : type.items) out.items.push_back(take(item));
    return out;
  }

  void go_to(const uint64_t* words) { words_ = words; }

  // What an argument holds now.
  Data take_content(const ArgumentWords::Given& given) {
    words_ = given.content();
    Data out = given.type.is_instance() ? take_fields(given.type) : take_items(given.type);
    out.identity = given.identity;
    return out;
  }

 private:
  Scalar take_number(const Type& type) {
    const Scalar number = Scalar::load(type.dtype, words_);
    words_ += 2;
    switch (type.weak) {
      case Weak::kNo: return number;
      case Weak::kInt: return Scalar::weak(number.as_int());
      case Weak::kFloat: return Scalar::weak(number.as_double());
      case Weak::kComplex: return Scalar::weak(number.as_complex());
    }
    return number;
  }

  // Both move behind what they read.
  Data take_items(const Type& type) {
    Data out;
    const auto* items = reinterpret_cast<const uint64_t*>(words_[0]);
    const size_t count = static_cast<size_t>(words_[1]) * (type.is_map() ? 2 : 1);
    const uint64_t* const after = words_ + 2;
    words_ = items;
    for (size_t i = 0; i < count; ++i) out.items.push_back(take(type.item(i)));
    words_ = after;
    return out;
  }
  Data take_fields(const Type& type) {
    Data out;
    for (const Type& each : type.items) out.items.push_back(take(each));
    return out;
  }

  Data take_list(const Type& type) {
    const ArgumentWords::Given* known = given_.given_at(words_[2]);
    const uint64_t* const after = words_ + 3;
    Data out = known ? Data() : take_items(type);
    out.is_new = !known;
    if (known) out.identity = known->identity;
    words_ = after;
    return out;
  }

  Data take_instance(const Type& type) {
    const uint64_t address = *words_++;
    Data out;
    if (!address) return out;
    if (const ArgumentWords::Given* known = given_.given_at(address)) {
      out.identity = known->identity;
      return out;
    }
    const uint64_t* const after = words_;
    words_ = reinterpret_cast<const uint64_t*>(address) + ArgumentWords::kRecordHead;
    out = take_fields(type);
    out.identity = reinterpret_cast<const void*>(address);
    out.is_new = true;
    words_ = after;
    return out;
  }

  Array take_array(const Type& type) {
    auto* address = reinterpret_cast<std::byte*>(words_[0]);
    auto* block = reinterpret_cast<Block*>(words_[1]);
    Layout layout;
    layout.dtype = type.dtype;
    const size_t rank = static_cast<size_t>(type.rank);
    for (size_t i = 0; i < rank; ++i) layout.shape.push_back(static_cast<int64_t>(words_[2 + i]));
    for (size_t i = 0; i < rank; ++i)
      layout.strides.push_back(static_cast<int64_t>(words_[2 + rank + i]));
    words_ += 2 + 2 * rank;
    if (!address && !block) return nobodys(std::move(layout));
    return block ? adopt(block, address, std::move(layout)) : lent(address, std::move(layout));
  }

  // A field that has never been given an array.
  Array nobodys(Layout layout) {
    static std::byte none[16];
    return borrow_host(session_, std::move(layout), none, 0, true, [] {});
  }

  Array lent(const std::byte* address, Layout layout) {
    const Array* array = given_.array_at(address, layout.offset);
    if (!array) fail(ErrorKind::kRuntime, "a compiled function returned memory of nobody");
    return array->with_layout(std::move(layout));
  }

  // Several arrays of the result may share a block: each has taken a reference.
  Array adopt(Block* block, std::byte* address, Layout layout) {
    auto* begin = reinterpret_cast<std::byte*>(block + 1);
    auto* first = begin + (64 - reinterpret_cast<uintptr_t>(begin) % 64) % 64;
    layout.offset = address - first;
    std::shared_ptr<Block>& shared = adopted_[block];
    if (!shared) {
      Blocks::take(frame_, block);
      shared = std::shared_ptr<Block>(block, [](Block* each) { std::free(each); });
    }
    const auto [low, high] = byte_range(layout);
    (void)low;
    return borrow_host(session_, std::move(layout), first, std::max(high, block->bytes), true,
                       [shared = shared]() mutable { shared.reset(); });
  }

  Session& session_;
  const ArgumentWords& given_;
  CallFrame& frame_;
  const uint64_t* words_;
  std::map<Block*, std::shared_ptr<Block>> adopted_;
};

[[noreturn]] void raise(const CallFrame& frame) {
  if (frame.failure == FailureCode::kNoMemory) fail(ErrorKind::kMemory, "no memory for an array");
  throw Raised{frame.failure, frame.line};
}

}  // namespace

CompiledFunction::CompiledFunction(Program program, bool writes, std::vector<std::string> options)
    : program_(std::move(program)),
      writes_(writes),
      is_parallel_(has_parallel_loop(program_)),
      options_(std::move(options)) {
  for (int i = 0; i < entry().parameters; ++i)
    given_words_ += word_count(entry().variables[static_cast<size_t>(i)].type);
}

std::string CompiledFunction::source(const std::string& behind) const {
  const Function& function = entry();
  std::string call = fmt::format("{}({})", function.symbol, argument_text(function, "given"));
  if (!function.result.is_none())
    call = fmt::format("Words<{}>::put(results, {})", cpp_type(function.result), call);
  std::string entries =
      fmt::format(fmt::runtime(kEntry), fmt::arg("entry", entry_name(function.name)),
                  fmt::arg("call", call)) +
      (is_parallel_
           ? fmt::format(fmt::runtime(kPartEntry), fmt::arg("entry", part_name(function.name)))
           : "") +
      behind;
  return kOwnNamesOnly + generated_directive() + program_text(program_, entries, true) + entries;
}

std::shared_ptr<UserFunction> CompiledFunction::function(Backend& host) {
  const std::lock_guard lock(mutex_);
  if (!function_) {
    const std::string& name = entry().name;
    const std::shared_ptr<UserModule> module =
        host.user_kernels().compile(source(), name, options_);
    function_ = module->function(entry_name(name));
    if (is_parallel_) part_ = module->function(part_name(name));
  }
  return function_;
}

void* CompiledFunction::address(Backend& host, const Type& result) {
  const std::lock_guard lock(mutex_);
  const std::string& name = entry().name;
  if (!callback_)
    callback_ =
        host.user_kernels().compile(source(callback_text(program_, result)), name, options_);
  const auto variable = callback_->global(callback_name(entry()));
  return *static_cast<void**>(variable.value().address);
}

void CompiledFunction::compile(Backend& host) { function(host); }

namespace {

// What a call has printed: told when the call ends, freed then.
class PrintedText {
 public:
  PrintedText(CallFrame& frame, const CompiledFunction::Print& print)
      : frame_(frame), print_(print) {}
  ~PrintedText() { std::free(frame_.printed); }
  PrintedText(const PrintedText&) = delete;
  PrintedText& operator=(const PrintedText&) = delete;
  void tell() const {
    const auto count = static_cast<size_t>(frame_.printed_count);
    if (count && print_) print_({frame_.printed, count});
  }

 private:
  CallFrame& frame_;
  const CompiledFunction::Print& print_;
};

}  // namespace

Data CompiledFunction::operator()(Session& session, std::span<const Data> arguments,
                                  const Print& print, bool interruptible, const Changed& changed) {
  const InterruptScope scope(interruptible ? session.interrupt : nullptr);
  const std::shared_ptr<UserFunction> function = this->function(session.backend(kHostPlace));
  const Function& entry = this->entry();
  ArgumentWords words(session, kHostPlace, writes_);
  words.reserve(given_words_);
  for (size_t i = 0; i < arguments.size(); ++i) words.add(entry.variables[i].type, arguments[i]);
  CallFrame frame;
  const Blocks blocks(frame);
  const PrintedText printed(frame, print);
  frame.random = surroundings_.random;
  frame.seed = fresh_seed();
  const PartRunner parts(frame, part_.get(), session.catches_kernel_faults, surroundings_.parts);
  std::vector<uint64_t> results(word_count(entry.result));
  CallFrame* frame_address = &frame;
  const uint64_t* given = words.data();
  uint64_t* result_address = results.data();
  void* const addresses[] = {&frame_address, &given, &result_address};
  function->launch({.grid = {},
                    .block = {},
                    .arguments = addresses,
                    .catches_faults = session.catches_kernel_faults});
  printed.tell();
  parts.check();
  Unpacker unpacker(session, words, frame, results.data());
  std::vector<std::pair<const Type*, Data>> contents;
  for (const auto& each : words.given()) {
    if (writes_ && changed && each->content())
      contents.emplace_back(&each->type, unpacker.take_content(*each));
  }
  unpacker.go_to(results.data());
  const bool failed = frame.failure != FailureCode::kNone;
  Data result = failed ? Data() : unpacker.take(entry.result);
  for (const auto& [type, content] : contents) changed(*type, content);
  if (failed) raise(frame);
  return result;
}

}  // namespace gpy::rt::typed
