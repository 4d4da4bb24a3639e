#include "runtime/kernel/boundary.h"

#include <algorithm>
#include <filesystem>

#include "runtime/core/error.h"
#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {

namespace {

struct NamedMode {
  std::string_view name;
  Boundary::Mode mode;
};

constexpr NamedMode kModes[] = {
    {"constant", Boundary::Mode::kConstant}, {"nearest", Boundary::Mode::kNearest},
    {"edge", Boundary::Mode::kNearest},      {"wrap", Boundary::Mode::kWrap},
    {"reflect", Boundary::Mode::kReflect},   {"mirror", Boundary::Mode::kMirror},
    {"skip", Boundary::Mode::kSkip},
};

// "constant (with a value), nearest, ... or skip"
std::string all_modes() {
  std::string out;
  for (const NamedMode& each : kModes) {
    if (!out.empty()) out += &each == std::end(kModes) - 1 ? " or " : ", ";
    out += each.name;
    if (each.mode == Boundary::Mode::kConstant) out += " (with a value)";
  }
  return out;
}

// " (script.gpy:12)"
std::string place_text(const KernelPlace& place) {
  if (place.line == 0) return "";
  const std::string file = std::filesystem::path(place.file).filename().string();
  return fmt::format(" ({}:{})", file, place.line);
}

Boundary parse_boundary(std::string_view text, const KernelPlace& place) {
  const size_t end = std::min(text.find_first_of(" \t"), text.size());
  const auto mode = std::ranges::find(kModes, text.substr(0, end), &NamedMode::name);
  if (mode == std::end(kModes)) {
    fail(ErrorKind::kValue, "unknown boundary '{}'{}: write {}", text, place_text(place),
         all_modes());
  }
  const std::string_view value = trimmed(text.substr(end));
  if (!value.empty() && mode->mode != Boundary::Mode::kConstant)
    fail(ErrorKind::kValue, "boundary {} takes no value (got '{}'){}", mode->name, value,
         place_text(place));
  return {mode->mode, std::string(value)};
}

// The end of the first boundary of the text: a comma outside parentheses.
size_t end_of_first(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (text[i] == ',' && depth == 0) return i;
  }
  return text.size();
}

}  // namespace

std::vector<Boundary> parse_boundaries(std::string_view text, const KernelPlace& place) {
  if (trimmed(text).empty()) return {Boundary{}};
  std::vector<Boundary> out;
  for (size_t start = 0; start <= text.size();) {
    const size_t length = end_of_first(text.substr(start));
    out.push_back(parse_boundary(trimmed(text.substr(start, length)), place));
    start += length + 1;
  }
  return out;
}

}  // namespace gpy::rt
