#pragma once
// Stable sorting of values whose comparison may run user code.

#include <vector>

#include "src/value.h"

namespace gpy {

// Sorts by vm.less; `key` None: the items themselves are compared. Equal items keep their order,
// with `reverse` too. If a comparison raises, `items` are as they were.
void sort_values(Interpreter& vm, std::vector<Value>& items, const Value& key, bool reverse);

}  // namespace gpy
