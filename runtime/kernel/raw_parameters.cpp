#include "runtime/kernel/raw_parameters.h"

#include <algorithm>

#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {

namespace {

struct NamedType {
  std::string_view text;
  DType dtype;
};

constexpr NamedType kNamedTypes[] = {
    {"bool", DType::kBool},
    {"char", DType::kInt8},
    {"signed char", DType::kInt8},
    {"int8_t", DType::kInt8},
    {"int8", DType::kInt8},
    {"unsigned char", DType::kUInt8},
    {"uint8_t", DType::kUInt8},
    {"uint8", DType::kUInt8},
    {"short", DType::kInt16},
    {"int16_t", DType::kInt16},
    {"int16", DType::kInt16},
    {"unsigned short", DType::kUInt16},
    {"uint16_t", DType::kUInt16},
    {"uint16", DType::kUInt16},
    {"int", DType::kInt32},
    {"int32_t", DType::kInt32},
    {"int32", DType::kInt32},
    {"unsigned", DType::kUInt32},
    {"unsigned int", DType::kUInt32},
    {"uint32_t", DType::kUInt32},
    {"uint32", DType::kUInt32},
    {"long", DType::kInt64},
    {"long long", DType::kInt64},
    {"int64_t", DType::kInt64},
    {"int64", DType::kInt64},
    {"ptrdiff_t", DType::kInt64},
    {"unsigned long", DType::kUInt64},
    {"unsigned long long", DType::kUInt64},
    {"uint64_t", DType::kUInt64},
    {"uint64", DType::kUInt64},
    {"size_t", DType::kUInt64},
    {"cudaTextureObject_t", DType::kUInt64},
    {"cudaSurfaceObject_t", DType::kUInt64},
    {"half", DType::kFloat16},
    {"__half", DType::kFloat16},
    {"float16", DType::kFloat16},
    {"__nv_bfloat16", DType::kBFloat16},
    {"nv_bfloat16", DType::kBFloat16},
    {"bfloat16", DType::kBFloat16},
    {"float", DType::kFloat32},
    {"float32", DType::kFloat32},
    {"double", DType::kFloat64},
    {"float64", DType::kFloat64},
    {"complex<float>", DType::kComplex64},
    {"complex64", DType::kComplex64},
    {"float2", DType::kComplex64},
    {"complex<double>", DType::kComplex128},
    {"complex128", DType::kComplex128},
    {"double2", DType::kComplex128},
};

}  // namespace

std::optional<DType> c_dtype(std::string_view type) {
  for (const NamedType& each : kNamedTypes) {
    if (each.text == type) return each.dtype;
  }
  return std::nullopt;
}

namespace {

std::vector<std::string_view> split_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == ']') --depth;
    if (i < text.size() && (c != ',' || depth > 0)) continue;
    parts.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  return parts;
}

RawParameter parse_raw_parameter(std::string_view text) {
  RawParameter out;
  std::vector<std::string> words;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (is_name_char(c)) {
      const size_t start = i;
      while (i < text.size() &&
             (is_name_char(text[i]) || text[i] == ':' || text[i] == '<' || text[i] == '>'))
        ++i;
      words.emplace_back(text.substr(start, i - start));
    } else {
      out.pointer |= c == '*' || c == '[' || c == '&';
      ++i;
    }
  }
  std::erase_if(words, [&](const std::string& word) {
    out.constant |= word == "const";
    return word == "const" || word == "__restrict__" || word == "volatile" || word == "struct";
  });
  if (words.size() > 1) {
    out.name = words.back();
    words.pop_back();
  }
  for (const std::string& word : words) out.type += (out.type.empty() ? "" : " ") + word;
  out.dtype = c_dtype(out.type);
  return out;
}

}  // namespace

std::vector<RawParameter> parse_raw_parameters(std::string_view text) {
  const std::string clean = without_comments(text);
  std::vector<RawParameter> out;
  for (std::string_view part : split_commas(clean)) {
    const RawParameter parameter = parse_raw_parameter(part);
    if (!parameter.type.empty() && parameter.type != "void") out.push_back(parameter);
  }
  return out;
}

bool is_instance_name(std::string_view name) { return name.find_first_of("<:") != name.npos; }

std::string_view template_name(std::string_view name) {
  const std::string_view whole = name.substr(0, name.find('<'));
  const size_t scope = whole.rfind(':');
  const std::string_view bare = scope == whole.npos ? whole : whole.substr(scope + 1);
  const size_t last = bare.find_last_not_of(' ');
  return last == bare.npos ? bare : bare.substr(0, last + 1);
}

// Puts an instance's arguments for the template's parameters: T becomes float in "f<float>".
static void substitute(std::vector<RawParameter>& parameters, std::string_view declared,
                       std::string_view name) {
  const size_t open = name.find('<'), close = name.rfind('>');
  if (open == name.npos || close == name.npos || close < open) return;
  const auto names = split_commas(declared);
  const auto arguments = split_commas(name.substr(open + 1, close - open - 1));
  for (size_t i = 0; i < std::min(names.size(), arguments.size()); ++i) {
    const std::string_view one = trimmed(names[i].substr(0, names[i].find('=')));
    const std::string_view parameter = one.substr(one.find_last_of(" \n\t.") + 1);
    for (RawParameter& each : parameters) {
      if (each.type != parameter) continue;
      each.type = trimmed(arguments[i]);
      each.dtype = c_dtype(each.type);
    }
  }
}

// The size of CUDA's vector types: "float4" -> 16; 0 for other types.
static size_t vector_bytes(std::string_view type) {
  constexpr std::pair<std::string_view, size_t> kElements[] = {
      {"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2},   {"int", 4},       {"uint", 4},
      {"long", 8}, {"ulong", 8}, {"float", 4}, {"longlong", 8}, {"ulonglong", 8}, {"double", 8}};
  if (type == "dim3") return 12;
  if (type.empty() || type.back() < '1' || type.back() > '4') return 0;
  for (const auto& [element, bytes] : kElements) {
    if (type.substr(0, type.size() - 1) == element)
      return bytes * static_cast<size_t>(type.back() - '0');
  }
  return 0;
}

// The word that ends where only blanks follow it.
static std::string_view last_word(std::string_view text) {
  text = trimmed(text);
  size_t begin = text.size();
  while (begin > 0 && is_name_char(text[begin - 1])) --begin;
  return text.substr(begin);
}

static bool is_struct_word(std::string_view word) {
  return word == "struct" || word == "class" || word == "union";
}

// Whether a definition's name in braces' front, or a typedef's behind them, stands at `at`.
static bool defines_struct(std::string_view source, size_t at, size_t size) {
  const std::string_view before = source.substr(0, at), after = trimmed(source.substr(at + size));
  if (is_struct_word(last_word(before))) return after.starts_with('{') || after.starts_with(':');
  if (!trimmed(before).ends_with('}') || !after.starts_with(';')) return false;
  size_t open = before.rfind('}');
  for (int depth = 1; depth > 0 && open > 0;) {
    --open;
    depth += source[open] == '}' ? 1 : source[open] == '{' ? -1 : 0;
  }
  const std::string_view head = trimmed(source.substr(0, open));
  const std::string_view word = last_word(head);
  return is_struct_word(word) ||
         is_struct_word(last_word(head.substr(0, head.size() - word.size())));
}

static bool defines_struct(std::string_view source, std::string_view name) {
  for (size_t at = source.find(name); at != source.npos; at = source.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool is_whole = (at == 0 || !is_name_char(source[at - 1])) &&
                          (end == source.size() || !is_name_char(source[end]));
    if (is_whole && defines_struct(source, at, name.size())) return true;
  }
  return false;
}

// Which of the parameters are structs.
static void find_structs(std::vector<RawParameter>& parameters, std::string_view source) {
  std::optional<std::string> text;  // most kernels have no parameter that needs it
  for (RawParameter& each : parameters) {
    if (each.pointer || each.dtype || each.type.empty()) continue;
    each.struct_bytes = vector_bytes(each.type);
    if (!each.struct_bytes && !text) text = without_comments(source);
    each.is_struct = each.struct_bytes || defines_struct(*text, each.type);
  }
}

std::optional<std::vector<RawParameter>> find_raw_parameters(std::string_view source,
                                                             std::string_view name) {
  for (const KernelDeclaration& kernel : find_kernels(source)) {
    if (kernel.name != template_name(name)) continue;
    std::vector<RawParameter> parameters = parse_raw_parameters(kernel.parameters);
    substitute(parameters, kernel.template_parameters, name);
    find_structs(parameters, source);
    return parameters;
  }
  return std::nullopt;
}

std::vector<std::string> find_kernel_names(std::string_view source) {
  std::vector<std::string> out;
  for (const KernelDeclaration& kernel : find_kernels(source)) {
    if (std::ranges::find(out, kernel.name) == out.end()) out.emplace_back(kernel.name);
  }
  return out;
}

}  // namespace gpy::rt
