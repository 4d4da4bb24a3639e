// Compiled once per instruction set, which GPY_ISA names; all but the table has internal linkage.

#include "runtime/cpu/sorting/loops/choose.h"
#include "runtime/cpu/sorting/loops/elements.h"
#include "runtime/cpu/sorting/loops/quicksort.h"

namespace gpy::rt {
namespace {

template <class Key> constexpr KeyLoops<Key> kKeyLoops{sort<Key>, split<Key>, select<Key>};

constexpr SortingLoops kLoops{
    kKeyLoops<int32_t>,
    kKeyLoops<int64_t>,
    {kElementLoops<Truth>, kElementLoops<int8_t>, kElementLoops<uint8_t>, kElementLoops<int16_t>,
     kElementLoops<uint16_t>, kElementLoops<int32_t>, kElementLoops<uint32_t>,
     kElementLoops<int64_t>, kElementLoops<uint64_t>, kElementLoops<HalfBits>,
     kElementLoops<BFloatBits>, kElementLoops<float>, kElementLoops<double>},
    pack,
    unpack,
    extremes,
    count_set,
    positions_set,
    select_set<int32_t>,
    select_set<int64_t>};

}  // namespace

namespace GPY_ISA {
const SortingLoops& sorting_loops() { return kLoops; }
}  // namespace GPY_ISA
}  // namespace gpy::rt
