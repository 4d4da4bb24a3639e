#include "stdlib/native/numpy/class_rules.h"

#include <algorithm>

namespace gpy::lib {

static constexpr FunctionRule kFunctions[] = {
    {"all", Rule::by_method},
    {"amax", Rule::by_method, "max"},
    {"amin", Rule::by_method, "min"},
    {"angle", Rule::keeps},
    {"any", Rule::by_method},
    {"argmax", Rule::by_method},
    {"argmin", Rule::by_method},
    {"argpartition", Rule::by_method},
    {"argsort", Rule::by_method},
    {"around", Rule::by_method, "round"},
    {"array", Rule::subok},
    {"asanyarray", Rule::keeps},
    {"asarray", Rule::strips},
    {"ascontiguousarray", Rule::strips},
    {"asfortranarray", Rule::strips},
    {"atleast_1d", Rule::keeps},
    {"block", Rule::joins},
    {"broadcast_arrays", Rule::subok},
    {"broadcast_to", Rule::subok},
    {"choose", Rule::by_method},
    {"clip", Rule::by_method},
    {"column_stack", Rule::joins},
    {"concatenate", Rule::joins},
    {"copy", Rule::subok},
    {"cumprod", Rule::by_method},
    {"cumsum", Rule::by_method},
    {"dot", Rule::keeps},
    {"dstack", Rule::joins},
    {"empty_like", Rule::subok},
    {"full_like", Rule::subok},
    {"hstack", Rule::joins},
    {"imag", Rule::keeps},
    {"inner", Rule::keeps},
    {"insert", Rule::keeps},
    {"inv", Rule::keeps},
    {"isclose", Rule::keeps},
    {"matmul", Rule::ufunc},
    {"matvec", Rule::ufunc},
    {"max", Rule::by_method},
    {"mean", Rule::by_method},
    {"min", Rule::by_method},
    {"nan_to_num", Rule::keeps},
    {"ones_like", Rule::subok},
    {"partition", Rule::keeps},
    {"prod", Rule::by_method},
    {"ptp", Rule::by_method},
    {"ravel", Rule::row},
    {"real", Rule::keeps},
    {"repeat", Rule::by_method},
    {"reshape", Rule::by_method},
    {"round", Rule::by_method},
    {"squeeze", Rule::by_method},
    {"stack", Rule::joins},
    {"std", Rule::by_method},
    {"sum", Rule::by_method},
    {"swapaxes", Rule::by_method},
    {"take", Rule::by_method},
    {"trace", Rule::by_method},
    {"transpose", Rule::by_method},
    {"var", Rule::by_method},
    {"vecdot", Rule::ufunc},
    {"vecmat", Rule::ufunc},
    {"vstack", Rule::joins},
    {"zeros_like", Rule::subok},
};

static_assert(std::ranges::is_sorted(kFunctions, {}, &FunctionRule::name));

const FunctionRule* rule_of(std::string_view function) {
  const auto* found = std::ranges::lower_bound(kFunctions, function, {}, &FunctionRule::name);
  return found != std::end(kFunctions) && found->name == function ? found : nullptr;
}

static constexpr Reducer kReducers[] = {
    {"sum", "add"},        {"prod", "multiply"},   {"max", "maximum"}, {"min", "minimum"},
    {"any", "logical_or"}, {"all", "logical_and"}, {"mean", nullptr},  {"std", nullptr},
    {"var", nullptr},      {"ptp", nullptr},
};

const Reducer* reducer_of(std::string_view method) {
  const auto* found = std::ranges::find(kReducers, method, &Reducer::name);
  return found == std::end(kReducers) ? nullptr : found;
}

}  // namespace gpy::lib
