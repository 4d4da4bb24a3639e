#include "trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>

namespace gpy::fuzz {

std::vector<double> contents(uint64_t seed, int64_t count, rt::DType dtype) {
  std::mt19937_64 random(seed);
  const bool natural = dtype == rt::DType::kUInt8 || dtype == rt::DType::kBool;
  const bool floating = rt::is_inexact(dtype);
  const bool wide =
      dtype.native() == rt::DType::kInt64 && seed % 4 == 0;  // beyond 32 bits, now and then
  std::vector<double> out;
  for (int64_t i = 0; i < count; ++i) {
    const auto small = static_cast<double>(random() % 17);
    double number = natural ? small : small - 8;
    if (wide && random() % 4 == 0) number += static_cast<double>(random() % 5) * 4294967296.0;
    out.push_back(floating ? number / 3 + static_cast<double>(random() % 1000) / 7 : number);
  }
  return out;
}

namespace {

std::string slices_text(const Statement& s) {
  std::string text;
  for (const Slice& slice : s.slices) {
    const std::string stop = slice.stop < 0 ? "" : fmt::format("{}", slice.stop);
    text += fmt::format("{}{}:{}:{}", text.empty() ? "" : ", ", slice.start, stop, slice.step);
  }
  return text;
}

std::string operand_text(const Statement& s) {
  return s.b < 0 ? fmt::format("{}", s.number) : fmt::format("v{}", s.b);
}

}  // namespace

std::string to_text(const Statement& s) {
  const std::string list = fmt::format("({})", fmt::join(s.list, ", "));
  switch (s.verb) {
    case Verb::kCreate:
      return fmt::format("v{} = random({}, {}, seed={})", s.dst, list, rt::name(s.dtype), s.seed);
    case Verb::kAlias: return fmt::format("v{} = v{}", s.dst, s.a);
    case Verb::kCopy: return fmt::format("v{} = v{}.copy()", s.dst, s.a);
    case Verb::kCast: return fmt::format("v{} = v{}.astype({})", s.dst, s.a, rt::name(s.dtype));
    case Verb::kView: return fmt::format("v{} = v{}.view({})", s.dst, s.a, rt::name(s.dtype));
    case Verb::kSlice: return fmt::format("v{} = v{}[{}]", s.dst, s.a, slices_text(s));
    case Verb::kTranspose: return fmt::format("v{} = v{}.transpose{}", s.dst, s.a, list);
    case Verb::kReshape: return fmt::format("v{} = v{}.copy().reshape{}", s.dst, s.a, list);
    case Verb::kBroadcast: return fmt::format("v{} = broadcast_to(v{}, {})", s.dst, s.a, list);
    case Verb::kUnary: return fmt::format("v{} = {}(v{})", s.dst, s.op, s.a);
    case Verb::kBinary: return fmt::format("v{} = {}(v{}, {})", s.dst, s.op, s.a, operand_text(s));
    case Verb::kReduce: return fmt::format("v{} = {}.reduce(v{}, {})", s.dst, s.op, s.a, list);
    case Verb::kScan: return fmt::format("v{} = {}.accumulate(v{}, {})", s.dst, s.op, s.a, list);
    case Verb::kGatherHalf: return fmt::format("v{} = v{}[v{}.view(int32)]", s.dst, s.a, s.b);
    case Verb::kLend:
      return fmt::format("v{} = lent({}, {}, seed={})", s.dst, list, rt::name(s.dtype), s.seed);
    case Verb::kHostWrite: return fmt::format("host writes v{}, seed={}", s.a, s.seed);
    case Verb::kEndLoan: return fmt::format("host takes v{} back", s.a);
    case Verb::kGather: return fmt::format("v{} = v{}[v{}]", s.dst, s.a, s.b);
    case Verb::kAssign: return fmt::format("v{}[...] = {}", s.a, operand_text(s));
    case Verb::kInPlace:
      return fmt::format("{}(v{}, {}, out=v{})", s.op, s.a, operand_text(s), s.a);
    case Verb::kScatter:
    case Verb::kMaskAssign: return fmt::format("v{}[v{}] = {}", s.a, s.b, s.number);
    case Verb::kForce: return fmt::format("print(v{})", s.a);
    case Verb::kBranch:
      return fmt::format("assert (v{}.flat[{}] > {}) == {}", s.a, s.list[0], s.number, s.taken);
    case Verb::kDelete: return fmt::format("del v{}", s.a);
  }
  return "";
}

}  // namespace gpy::fuzz
