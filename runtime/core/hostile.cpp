#include "runtime/core/hostile.h"

#include "runtime/core/error.h"

namespace gpy::rt {

namespace {

// Settings that affect plans alone turn `at_once` off, so that small operations are planned too.
void set(Hostile& hostile, std::string_view name) {
  constexpr int kBlock = 32;
  constexpr int64_t kTile = 7;
  constexpr uint32_t kGrid = 2;
  if (name != "pool" && name != "poison") hostile.at_once = false;
  if (name == "block") {
    hostile.block = kBlock;
  } else if (name == "tile") {
    hostile.tile = kTile;
  } else if (name == "grid") {
    hostile.grid = kGrid;
  } else if (name == "wide") {
    hostile.indices = Hostile::Indices::kWide;
  } else if (name == "narrow") {
    hostile.indices = Hostile::Indices::kNarrow;
  } else if (name == "fusion") {
    hostile.fusion = false;
  } else if (name == "pool") {
    hostile.pool = false;
  } else if (name == "poison") {
    hostile.poison = true;
  } else if (name == "delays") {
    hostile.delays = true;
  } else {
    fail(ErrorKind::kValue, "there is no hostile run named '{}'", name);
  }
}

}  // namespace

Hostile Hostile::parse(std::string_view names) {
  Hostile hostile;
  while (!names.empty()) {
    const size_t comma = names.find(',');
    set(hostile, names.substr(0, comma));
    names.remove_prefix(comma == names.npos ? names.size() : comma + 1);
  }
  return hostile;
}

}  // namespace gpy::rt
