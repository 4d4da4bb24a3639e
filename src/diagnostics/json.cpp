// A report as one line of JSON, for hosts and editors.
#include <fmt/format.h>

#include "src/diagnostics/diagnostic.h"
#include "src/objects/utf8.h"

namespace gpy {

namespace {

// A lone surrogate, which UTF-8 cannot hold, is escaped.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const char* begin = at;
    const char32_t c = decode_utf8(at, end);
    if (c == '"' || c == '\\') {
      out += {'\\', static_cast<char>(c)};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c < 0x20 || is_surrogate(c)) {
      out += fmt::format("\\u{:04x}", static_cast<uint32_t>(c));
    } else {
      out.append(begin, at);
    }
  }
  return out + '"';
}

template <class T, class Show> std::string array_of(const std::vector<T>& items, Show show) {
  std::string out = "[";
  for (const T& each : items) out += (out.size() > 1 ? "," : "") + show(each);
  return out + "]";
}

std::string range_json(const SourceRange& r) {
  return fmt::format(R"({{"line":{},"column":{},"end_line":{},"end_column":{}}})", r.line, r.column,
                     r.end_line, r.end_column);
}

std::string label_json(const SourceLabel& label) {
  return fmt::format(R"({{"range":{},"text":{}}})", range_json(label.range), quoted(label.text));
}

// The member for a number of left out entries, if there are any.
std::string left_out_json(size_t count) {
  return count ? fmt::format(R"(,"left_out":{})", count) : "";
}

std::string frame_json(const TraceFrame& f) {
  return fmt::format(
      R"({{"file":{},"function":{},"range":{},"caret":{},"source":{},"repeats":{},"circle":{}{}}})",
      quoted(f.file), quoted(f.function), range_json(f.range), range_json(f.caret),
      quoted(f.source), f.repeats, f.circle, left_out_json(static_cast<size_t>(f.left_out)));
}

std::string one_json(const Diagnostic& d) {
  constexpr const char* kLinks[] = {"null", "\"cause\"", "\"context\""};
  return fmt::format(
      R"({{"kind":{},"code":{},"message":{},"suggestion":{},"detail":{},"hint":{},"labels":{},"notes":{},)"
      R"("frames":{},"follows_as":{}{}}})",
      quoted(d.kind), quoted(d.code), quoted(d.message), quoted(d.suggestion), quoted(d.detail),
      quoted(d.hint), array_of(d.labels, label_json), array_of(d.notes, quoted),
      array_of(d.frames, frame_json), kLinks[d.link], left_out_json(d.left_out));
}

}  // namespace

std::string to_json(const ErrorReport& report) {
  return "{\"errors\":" + array_of(report.chain, one_json) + "}\n";
}

}  // namespace gpy
