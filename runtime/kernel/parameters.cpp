#include "runtime/kernel/parameters.h"

#include <algorithm>
#include <cctype>

#include "runtime/core/error.h"

namespace gpy::rt {

namespace {

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    const size_t start = i;
    while (i < text.size() && !std::isspace(static_cast<unsigned char>(text[i]))) ++i;
    out.push_back(text.substr(start, i - start));
  }
  return out;
}

bool is_identifier(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  for (char c : text) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  }
  return true;
}

KernelParameter parse_parameter(std::string_view text) {
  std::vector<std::string_view> parts = words(text);
  const bool raw = !parts.empty() && parts[0] == "raw";
  if (raw) parts.erase(parts.begin());
  if (!parts.empty() && parts[0] == "const") parts.erase(parts.begin());
  if (parts.size() != 2 || !is_identifier(parts[1])) {
    fail(ErrorKind::kValue,
         "a kernel parameter is a type and a name, as in 'T x' or 'raw float32 y' (got '{}')",
         text);
  }
  KernelParameter out{std::string(parts[0]), std::string(parts[1]), raw};
  if (!is_placeholder(out.type) && !out.named) {
    fail(ErrorKind::kValue,
         "unknown type '{}' of kernel parameter '{}': use a NumPy name such as float32, or one "
         "letter for any type",
         out.type, out.name);
  }
  if (out.type == "float" || out.type == "int") {
    fail(ErrorKind::kValue,
         "'{}' of kernel parameter '{}' is not the same in C and in NumPy: write {} or {}",
         out.type, out.name, out.type == "float" ? "float32" : "int32",
         out.type == "float" ? "float64" : "int64");
  }
  check_parameter_name(out.name);
  check_cpp_name(out.name);
  return out;
}

}  // namespace

bool is_placeholder(std::string_view type) {
  return type.size() == 1 && std::isalpha(static_cast<unsigned char>(type[0]));
}

void check_parameter_name(std::string_view name) {
  if (name == "i" || name == "n" || name.starts_with("_")) {
    fail(ErrorKind::kValue,
         "the name '{}' is reserved in kernels (so are i, n and names that begin with _)", name);
  }
}

void check_cpp_name(std::string_view name) {
  // C++20's, between blanks.
  constexpr std::string_view kWords =
      " alignas alignof and and_eq asm auto bitand bitor bool break case catch char"
      " char16_t char32_t class compl const constexpr const_cast continue decltype default"
      " delete do double dynamic_cast else enum explicit export extern false float for"
      " friend goto if inline int long mutable namespace new noexcept not not_eq nullptr"
      " operator or or_eq private protected public register reinterpret_cast return short"
      " signed sizeof static static_assert static_cast struct switch template this"
      " thread_local throw true try typedef typeid typename union unsigned using virtual"
      " void volatile wchar_t while xor xor_eq ";
  if (kWords.find(" " + std::string(name) + " ") == kWords.npos) return;
  fail(ErrorKind::kValue, "'{}' is a word of C++, and cannot name a parameter of a kernel in C++",
       name);
}

std::vector<KernelParameter> parse_parameters(std::string_view text) {
  std::vector<KernelParameter> out;
  if (words(text).empty()) return out;
  for (size_t start = 0; start <= text.size();) {
    const size_t comma = std::min(text.find(',', start), text.size());
    out.push_back(parse_parameter(text.substr(start, comma - start)));
    start = comma + 1;
  }
  return out;
}

KernelParameter::KernelParameter(std::string type_text, std::string name_text, bool is_raw,
                                 std::string variable_text)
    : type(std::move(type_text)),
      name(std::move(name_text)),
      raw(is_raw),
      variable(std::move(variable_text)) {
  if (!is_placeholder(type)) named = dtype_from_name(type);
}

TypeBinding::TypeBinding(std::string_view kernel, std::span<const KernelParameter> parameters,
                         std::span<const Operand> arguments)
    : kernel_(kernel) {
  for (const bool strong : {true, false}) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const bool is_strong = arguments[i].weakness() == Weak::kNo;
      if (is_strong == strong) bind(parameters[i], arguments[i].dtype(), strong);
    }
  }
}

namespace {

auto find(const TypeBinding::Types& types, std::string_view name) {
  return std::ranges::lower_bound(types, name, {}, &TypeBinding::Types::value_type::first);
}

// The type that the name has, which is `dtype` if it had none.
DType add(TypeBinding::Types& types, std::string_view name, DType dtype) {
  const auto at = find(types, name);
  if (at != types.end() && at->first == name) return at->second;
  types.emplace(at, name, dtype);
  return dtype;
}

}  // namespace

void TypeBinding::bind(const KernelParameter& parameter, DType argument, bool strong) {
  const DType dtype = argument.native();
  if (parameter.type.empty()) {
    add(untyped_, parameter.name, dtype);
    return;
  }
  if (parameter.named) {
    const DType wanted = *parameter.named;
    if (strong && wanted != dtype) {
      fail(ErrorKind::kType,
           "{}: parameter '{}' is {}, but the argument is {}: convert it with .astype('{}')",
           kernel_, parameter.name, name(wanted), name(dtype), name(wanted));
    }
    return;
  }
  const DType known = add(placeholders_, parameter.type, dtype);
  if (strong && known != dtype) {
    fail(ErrorKind::kType, "{}: Type is mismatched. '{}' is {}, but {} is {} here", kernel_,
         parameter.name, name(dtype), parameter.type, name(known));
  }
}

std::optional<DType> TypeBinding::try_dtype_of(const KernelParameter& parameter) const {
  if (parameter.named) return parameter.named;
  const bool untyped = parameter.type.empty();
  const Types& known = untyped ? untyped_ : placeholders_;
  const std::string& wanted = untyped ? parameter.name : parameter.type;
  const auto at = find(known, wanted);
  return at == known.end() || at->first != wanted ? std::nullopt : std::optional(at->second);
}

DType TypeBinding::dtype_of(const KernelParameter& parameter) const {
  if (const std::optional<DType> dtype = try_dtype_of(parameter)) return *dtype;
  fail(ErrorKind::kType,
       "{}: nothing says what type {} of '{}' is: pass an output array, or name the type", kernel_,
       parameter.type, parameter.name);
}

std::string_view cuda_type(DType dtype) {
  static constexpr std::string_view kNames[] = {
      "bool",           "signed char",     "unsigned char",
      "short",          "unsigned short",  "int",
      "unsigned int",   "long long",       "unsigned long long",
      "float16",        "float",           "double",
      "complex<float>", "complex<double>", "bfloat16"};
  return kNames[dtype.index()];
}

}  // namespace gpy::rt
