#include "runtime/cpu/sorting/combining.h"

#include <immintrin.h>
#include <math.h>

#include "runtime/core/interrupt.h"

namespace gpy::rt {
namespace {

#include "runtime/ops/support.h"
#include "runtime/sorting/combine_rules.h"

}  // namespace

void combine_in_order(const Scattered& at) {
  with_type_and_rule(at.dtype, at.how, [&](auto element, auto rule) {
    using T = decltype(element);
    using Stored = typename Stored<T>::Type;
    const Stored* const values = static_cast<const Stored*>(at.values);
    Stored* const elements = static_cast<Stored*>(at.elements);
    const int64_t step = at.one_value ? 0 : 1;
    for_each_polled(at.count, [&](int64_t i) {
      Stored& place = elements[at.positions[i]];
      place = Stored(rule(T(place), T(values[i * step])));
    });
  });
}

}  // namespace gpy::rt
