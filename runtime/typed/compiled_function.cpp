#include "runtime/typed/compiled_function.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/graph/loan.h"
#include "runtime/kernel/generated.h"
#include "runtime/typed/words.h"
#include "runtime/typed/write.h"

namespace gpy::rt::typed {

namespace {

constexpr const char* kEntry = R"(
extern "C" __global__ void {entry}(gpy_typed::CallFrame* frame, const gpy_typed::u64* given, gpy_typed::u64* results) {{
  using namespace gpy_typed;
  call_frame = frame;
  (void)given; (void)results;
  try {{
    {call};
  }} catch (const Failure& failure) {{
    frame->failure = failure.code;
    frame->line = failure.line;
  }}
}}
)";

// The blocks that a call has made and not given away.
class Blocks {
 public:
  explicit Blocks(CallFrame& frame) : frame_(frame) {}
  ~Blocks() {
    while (Block* block = frame_.blocks) {
      frame_.blocks = block->after;
      std::free(block);
    }
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  // The block is the caller's from now on.
  static void take(CallFrame& frame, Block* block) {
    (block->before ? block->before->after : frame.blocks) = block->after;
    if (block->after) block->after->before = block->before;
  }

 private:
  CallFrame& frame_;
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
      case Type::Kind::kTuple: break;
    }
    for (const Type& item : type.items) out.items.push_back(take(item));
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
    return block ? adopt(block, address, std::move(layout)) : lent(address, std::move(layout));
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
  switch (frame.failure) {
    case FailureCode::kNoMemory: fail(ErrorKind::kMemory, "no memory for an array");
    case FailureCode::kNegativeExtent:
      fail(ErrorKind::kValue, "negative dimensions are not allowed");
    case FailureCode::kTooLarge: fail(ErrorKind::kValue, "array is too big");
    default: throw Raised{frame.failure, frame.line};
  }
}

}  // namespace

CompiledFunction::CompiledFunction(Program program, bool writes)
    : program_(std::move(program)), writes_(writes) {}

std::string CompiledFunction::source() const {
  const Function& function = entry();
  std::string call = fmt::format("{}({})", function.symbol, argument_text(function, "given"));
  if (!function.result.is_none())
    call = fmt::format("Words<{}>::put(results, {})", cpp_type(function.result), call);
  return generated_directive() + program_text(program_) +
         fmt::format(fmt::runtime(kEntry), fmt::arg("entry", entry_name(function.name)),
                     fmt::arg("call", call));
}

std::shared_ptr<UserFunction> CompiledFunction::function(Backend& host) {
  const std::lock_guard lock(mutex_);
  if (!function_) {
    const std::string& name = entry().name;
    function_ = host.user_kernels().compile(source(), name, {})->function(entry_name(name));
  }
  return function_;
}

void CompiledFunction::compile(Backend& host) { function(host); }

Data CompiledFunction::operator()(Session& session, std::span<const Data> arguments,
                                  bool interruptible) {
  const InterruptScope scope(interruptible ? session.interrupt : nullptr);
  const std::shared_ptr<UserFunction> function = this->function(session.backend(kHostPlace));
  const Function& entry = this->entry();
  ArgumentWords words(session, kHostPlace, writes_);
  for (size_t i = 0; i < arguments.size(); ++i) words.add(entry.variables[i].type, arguments[i]);
  CallFrame frame;
  const Blocks blocks(frame);
  std::vector<uint64_t> results(word_count(entry.result));
  CallFrame* frame_address = &frame;
  const uint64_t* given = words.data();
  uint64_t* result_address = results.data();
  void* const addresses[] = {&frame_address, &given, &result_address};
  function->launch({.grid = {},
                    .block = {},
                    .arguments = addresses,
                    .catches_faults = session.catches_kernel_faults});
  if (frame.failure != FailureCode::kNone) raise(frame);
  return Unpacker(session, words, frame, results.data()).take(entry.result);
}

}  // namespace gpy::rt::typed
