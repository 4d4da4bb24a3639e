#include "grammar/ast.h"

#include <algorithm>
#include <array>

namespace gpy::syntax {
namespace {

template <size_t N, class Enum>
constexpr std::string_view name_in(const std::array<std::string_view, N>& names, Enum value) {
  return names[static_cast<size_t>(value)];
}

}  // namespace

#define GPY_NAME(name) #name,

std::string_view kind_name(ExprKind kind) {
  static constexpr auto kNames = std::to_array<std::string_view>({GPY_EXPRESSIONS(GPY_NAME)});
  return name_in(kNames, kind);
}

std::string_view kind_name(StmtKind kind) {
  static constexpr auto kNames = std::to_array<std::string_view>({GPY_STATEMENTS(GPY_NAME)});
  return name_in(kNames, kind);
}

#undef GPY_NAME

std::string_view symbol(BoolOperator op) { return op == BoolOperator::And ? "and" : "or"; }

std::string_view symbol(BinaryOperator op) {
  static constexpr auto kSymbols = std::to_array<std::string_view>(
      {"+", "-", "*", "@", "/", "%", "**", "<<", ">>", "|", "^", "&", "//"});
  return name_in(kSymbols, op);
}

std::string_view symbol(UnaryOperator op) {
  static constexpr auto kSymbols = std::to_array<std::string_view>({"~", "not", "+", "-"});
  return name_in(kSymbols, op);
}

std::string_view symbol(CompareOperator op) {
  static constexpr auto kSymbols = std::to_array<std::string_view>(
      {"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"});
  return name_in(kSymbols, op);
}

static constexpr auto kKernelKinds =
    std::to_array<std::string_view>({"elementwise", "reduction", "scan", "stencil", "raw"});

std::string_view kind_name(KernelKind kind) { return name_in(kKernelKinds, kind); }

std::optional<KernelKind> find_kernel_kind(std::string_view word) {
  const auto at = std::find(kKernelKinds.begin(), kKernelKinds.end(), word);
  if (at == kKernelKinds.end()) return std::nullopt;
  return static_cast<KernelKind>(at - kKernelKinds.begin());
}

std::string_view label_name(KernelLabel label) {
  static constexpr auto kNames =
      std::to_array<std::string_view>({"preamble", "type", "boundary", "identity", "map", "reduce",
                                       "scan", "post", "loop_prep", "operation", "after_loop"});
  static_assert(kNames.size() == kKernelLabels);
  return name_in(kNames, label);
}

}  // namespace gpy::syntax
