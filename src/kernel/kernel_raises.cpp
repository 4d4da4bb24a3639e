#include "src/kernel/kernel_raises.h"

#include <array>
#include <cstring>
#include <filesystem>

#include "runtime/graph/lent_memory.h"
#include "runtime/ops/create.h"
#include "runtime/typed/call_frame.h"
#include "src/calls/call.h"
#include "src/objects/str.h"
#include "src/translate/raised.h"

namespace gpy {

bool tells_raises(const rt::typed::Function& entry) {
  const auto last = static_cast<size_t>(entry.parameters) - 1;
  return entry.parameters > 0 && entry.variables[last].name == kRaisedParameter;
}

KernelRaises::KernelRaises(rt::Session& session, const rt::typed::GridFunction& function,
                           rt::Space space)
    : session_(session), entry_(function.entry()) {
  if (!tells_raises(entry_)) return;
  const rt::DType dtype = rt::DType::kUInt64;
  told_ = rt::full(session, {kRaisedWords}, rt::Scalar::of(dtype, int64_t{0}), dtype, space);
}

void KernelRaises::add_to(std::vector<rt::typed::Data>& arguments) const {
  if (told_) arguments.emplace_back().array = told_;
}

void KernelRaises::check(Interpreter& vm, const ProgramValues& values) const {
  if (!told_) return;
  std::array<uint64_t, kRaisedWords> words;
  const rt::Array here = rt::to_space(session_, told_, rt::Space::host());
  {
    const rt::LentMemory lent(session_, here, rt::kHostPlace, rt::LentMemory::Use::kRead);
    std::memcpy(words.data(), lent.address(), sizeof words);
  }
  if (words[0] == 0) return;
  const auto first = static_cast<uint64_t>(rt::typed::FailureCode::kRaised);
  const RaisedValue& raised = values.raised[(words[0] >> 32) - first];
  std::string message = fmt::format(
      "In function '{}', file {}, line {}, tid=[{}, {}, {}] ctaid=[{}, {}, {}]", entry_.name,
      std::filesystem::absolute(entry_.file).string(), words[0] & UINT32_MAX, words[1], words[2],
      words[3], words[4], words[5], words[6]);
  std::vector<Value> args = raised.args;
  if (args.empty()) args.emplace_back();
  else message += ": " + vm.to_str(args[0]);
  args[0] = vm.str(message);
  vm.raise(vm.call(raised.type, CallArgs{args.data(), static_cast<uint32_t>(args.size())}));
}

}  // namespace gpy
