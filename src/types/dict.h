#pragma once
// Shared declarations of the files of dict.

#include <span>

#include "src/memory/pieces.h"
#include "src/types/iterators.h"

namespace gpy {

std::span<const Native> dict_methods();
void setup_dict_views(Interpreter& vm);  // and the iterator
// Adds the entries of a mapping, or of an iterable of pairs.
void update_dict(Interpreter& vm, Dict& dict, const Value& source);

// An iterator over the keys, values or items, from the front or the back.
Value dict_iterator(Interpreter& vm, Ref<Dict> dict, DictView::Kind kind, bool backward = false);
// next_row of an iterator over items.
Row next_item_row(Interpreter& vm, const Value& iterator, Value* to);

// Calls f(key, value) for each entry; the dict may change meanwhile (see entries()).
template <class F> void each_entry(Dict& dict, F&& f) {
  InterruptPoll poll(*dict.type->vm);
  for (size_t i = 0; i < dict.entries().size(); ++i) {
    poll.step();
    Value key = dict.entries()[i].key;
    if (key.is_undefined()) continue;
    Value value = dict.entries()[i].value;
    f(key, value);
  }
}

}  // namespace gpy
