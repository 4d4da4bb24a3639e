#include "runtime/ops/row_facts.h"

namespace gpy::rt {

namespace {

#define ROW(name, arity, rule, doc, expression, ...) {__VA_ARGS__},
constexpr RowFacts kFacts[] = {
#include "runtime/ops/ufuncs.def"
};

}  // namespace

const RowFacts& facts_of(const Ufunc& ufunc) { return kFacts[ufunc.id]; }

}  // namespace gpy::rt
