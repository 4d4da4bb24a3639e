#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "grammar/builders/statements.h"
#include "grammar/kernel_text.h"

namespace gpy::syntax {
namespace {

constexpr auto kNumpyTypes = std::to_array<std::string_view>(
    {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
     "float32", "float64", "complex64", "complex128"});

// C's types, whose sizes differ from NumPy's, and the names to write for them.
struct CType {
  std::string_view name;
  std::string_view write;
};
constexpr CType kCTypes[] = {
    {"float", "float32 (C's float) or float64 (NumPy's)"},
    {"int", "int32 (C's int) or int64 (NumPy's)"},
    {"double", "float64"},
    {"half", "float16"},
    {"char", "int8"},
    {"short", "int16"},
    {"long", "int64"},
    {"size_t", "uint64"},
    {"complex", "complex64 or complex128"},
    {"unsigned int", "uint32"},
    {"unsigned", "uint32"},
};

bool is_numpy_type(std::string_view name) {
  return std::find(kNumpyTypes.begin(), kNumpyTypes.end(), name) != kNumpyTypes.end();
}

// Takes one parameter's tokens apart.
class ParameterParser {
 public:
  ParameterParser(State& state, std::span<const Item> tokens, bool may_be_raw)
      : state_(state), tokens_(tokens), may_be_raw_(may_be_raw) {}

  KernelParameter parse() {
    out_.span = join(tokens_.front().outer, tokens_.back().outer);
    for (at_ = 0; at_ < tokens_.size(); ++at_) read_token(text(at_));
    if (!name_) state_.fail(out_.span, "expected the name of a kernel's parameter");
    out_.name = state_.text(name_->outer);
    out_.type = state_.arena.copy(std::string_view(type_));
    return out_;
  }

 private:
  [[nodiscard]] std::string_view text(size_t i) const { return state_.text(tokens_[i].outer); }

  void read_token(std::string_view token) {
    if (token == "*") {
      ++out_.pointers;
    } else if (token == "[") {
      skip_extent();
    } else if (token == "&") {
      state_.fail(tokens_[at_].outer, "a kernel's parameter cannot be a reference");
    } else if (token == "raw" && may_be_raw_ && at_ == 0) {
      out_.is_raw = true;
    } else if (token == "const") {
      out_.is_const = true;
    } else if (!token.starts_with("__restrict") && token != "volatile") {
      read_type_or_name();
    }
  }

  // `x[]` and `x[16]` are pointers.
  void skip_extent() {
    ++out_.pointers;
    while (at_ + 1 < tokens_.size() && text(at_) != "]") ++at_;
  }

  // The last word is the parameter's name; words before it belong to its type.
  void read_type_or_name() {
    const Item& token = tokens_[at_];
    if (name_) add_to_type(*name_);
    name_ = nullptr;
    if (is_word(text(at_)[0]) && depth_ == 0) {
      name_ = &token;
    } else {
      depth_ += (text(at_) == "<") - (text(at_) == ">");
      add_to_type(token);
    }
  }

  void add_to_type(const Item& token) {
    auto word = state_.text(token.outer);
    bool meets_word = !type_.empty() && is_word(type_.back()) && is_word(word[0]);
    if (meets_word) type_ += ' ';
    if (type_.empty()) out_.type_span = token.outer;
    out_.type_span.end = token.outer.end;
    type_ += word;
  }

  static bool is_word(char c) { return is_ascii_letter(c) || is_digit(c) || c == '_'; }

  State& state_;
  std::span<const Item> tokens_;
  bool may_be_raw_;
  size_t at_ = 0;
  int depth_ = 0;  // the nesting of template arguments
  const Item* name_ = nullptr;
  std::string type_;
  KernelParameter out_;
};

class KernelBuilder {
 public:
  KernelBuilder(State& state, Frame frame)
      : state_(state), frame_(frame), items_(state.since(frame.base)) {}

  void build() {
    node_.name = state_.text(items_[1].outer);
    node_.name_span = items_[1].outer;
    node_.kernel_kind = read_kind();
    has_block_ = items_.back().role == Role::body;
    node_.has_parameters = find_item(items_, Role::kernel_inputs) != nullptr;
    node_.parameters = read_list(Role::kernel_inputs, node_.parameters_text);
    node_.outputs = read_list(Role::kernel_outputs, node_.outputs_text);
    check_signature();
    read_body();
    state_.push_statement(frame_, state_.arena.make(node_));
  }

 private:
  KernelKind read_kind() { return *find_kernel_kind(state_.text(items_[0].outer)); }

  [[nodiscard]] bool is_raw() const { return node_.kernel_kind == KernelKind::Raw; }
  [[nodiscard]] std::string kind() const { return std::string(kind_name(node_.kernel_kind)); }

  [[noreturn]] void fail(Span span, const std::string& message) { state_.fail(span, message); }

  std::span<const KernelParameter> read_list(Role marker, std::string_view& text) {
    const Item* begin = find_item(items_, marker);
    if (!begin) return {};
    text = state_.text(begin->name);
    const Item* end = begin + 1;
    while (end < items_.data() + items_.size() && end->role == Role::kernel_token) ++end;
    return read_parameters({begin + 1, end});
  }

  std::span<const KernelParameter> read_parameters(std::span<const Item> tokens) {
    std::vector<KernelParameter> out;
    int depth = 0;
    for (size_t from = 0, at = 0; at <= tokens.size() && !tokens.empty(); ++at) {
      std::string_view token = at < tokens.size() ? state_.text(tokens[at].outer) : ",";
      depth += (token == "<") - (token == ">");
      if (token != "," || (depth != 0 && at < tokens.size())) continue;
      if (at == from && at < tokens.size()) fail(tokens[at].outer, "invalid syntax");
      if (at > from) out.push_back(read_parameter(tokens.subspan(from, at - from)));
      from = at + 1;
    }
    return state_.arena.copy(std::span<const KernelParameter>(out));
  }

  KernelParameter read_parameter(std::span<const Item> tokens) {
    auto parameter = ParameterParser(state_, tokens, !is_raw()).parse();
    if (!names_.insert(parameter.name).second) {
      fail(parameter.span,
           fmt::format("duplicate argument '{}' in kernel definition", parameter.name));
    }
    if (is_raw()) {
      if (parameter.type.empty() && !has_block_) fail_untyped(parameter, "const float* or int");
      const bool is_name = parameter.type.empty() && parameter.pointers == 0;
      if (has_block_ && !is_name) {
        fail(parameter.span,
             fmt::format("'{}' takes no type: the arguments of each call decide", parameter.name));
      }
    } else {
      check_array_parameter(parameter);
    }
    return parameter;
  }

  [[noreturn]] void fail_untyped(const KernelParameter& parameter, const char* example) {
    fail(parameter.span, fmt::format("'{}' needs a type, such as {}", parameter.name, example));
  }

  // Checks a parameter of an elementwise kernel or a reduction: an array by element type.
  void check_array_parameter(const KernelParameter& parameter) {
    if (parameter.name == "i" || parameter.name == "n" || parameter.name.starts_with('_')) {
      fail(parameter.span,
           fmt::format("'{}' is reserved in {} kernels, as are i, n and names that begin with _",
                       parameter.name, kind()));
    }
    if (parameter.pointers > 0) {
      fail(parameter.span, fmt::format("{} kernels take no pointers; write 'raw T {}' to index it",
                                       kind(), parameter.name));
    }
    if (parameter.type.empty()) {
      if (!has_block_) fail_untyped(parameter, "T (any) or float32");
      return;
    }
    check_array_type(parameter);
  }

  void check_array_type(const KernelParameter& parameter) {
    auto type = parameter.type;
    bool is_letter = type.size() == 1 && is_ascii_letter(type[0]);
    if (is_letter || is_numpy_type(type)) return;
    for (const CType& c : kCTypes) {
      if (c.name == type) {
        fail(parameter.type_span,
             fmt::format("'{}' differs between C and NumPy; write {}", type, c.write));
      }
    }
    fail(parameter.type_span,
         fmt::format("'{}' is no type of {} kernels; write a letter such as T, or NumPy's name: {}",
                     type, kind(), fmt::join(kNumpyTypes, ", ")));
  }

  void check_signature() {
    const Item* outputs = find_item(items_, Role::kernel_outputs);
    if (is_raw()) {
      if (outputs) fail(outputs->outer, "a raw kernel has no outputs; it writes through pointers");
      return;
    }
    if (!node_.has_parameters) {
      fail(node_.name_span, fmt::format("{} kernels need a parameter list", kind()));
    }
    if (node_.outputs.empty()) {
      fail(node_.name_span, fmt::format("{} kernels need outputs: '-> (T y)'", kind()));
    }
    bool is_elementwise = node_.kernel_kind == KernelKind::Elementwise;
    for (const KernelParameter& output : node_.outputs) {
      if (output.is_raw && !is_elementwise)
        fail(output.span, fmt::format("outputs of {} kernels are not raw", kind()));
    }
    bool combines =
        node_.kernel_kind == KernelKind::Reduction || node_.kernel_kind == KernelKind::Scan;
    if (combines && node_.outputs.size() > 1) {
      fail(node_.outputs[1].span, fmt::format("a {} has one output", kind()));
    }
  }

  void read_body() {
    if (has_block_) return read_block();
    node_.body_form = KernelBody::Text;
    node_.text = keep(state_.text(state_.kernel_text));
    if (!is_raw()) read_parts();
  }

  void read_block() {
    if (!is_raw() && node_.kernel_kind != KernelKind::Elementwise) {
      fail(node_.name_span, fmt::format("the body of a {} kernel stands in braces", kind()));
    }
    if (!node_.has_parameters) fail(node_.name_span, "a body in gpy needs a parameter list");
    node_.body_form = KernelBody::Statements;
    node_.body = *items_.back().block;
  }

  void read_parts() {
    part(KernelLabel::Operation) = node_.text;
    try {
      auto parts = split_kernel_text(node_.kernel_kind, node_.text.text);
      if (!parts) return;
      node_.body_form = KernelBody::Parts;
      node_.parts = {};
      for (size_t i = 0; i < parts->size(); ++i) {
        if ((*parts)[i].data()) node_.parts[i] = keep((*parts)[i]);
      }
    } catch (const PartsError& error) {
      fail(error.at ? token_at(state_.source(), state_.offset(error.at)) : node_.name_span,
           error.message);
    }
  }

  KernelText& part(KernelLabel label) { return node_.parts[static_cast<size_t>(label)]; }

  [[nodiscard]] KernelText keep(std::string_view text) const {
    uint32_t begin = state_.offset(text.data());
    return {text, {begin, begin + static_cast<uint32_t>(text.size())}};
  }

  State& state_;
  Frame frame_;
  std::span<Item> items_;
  KernelDef node_;
  bool has_block_ = false;
  std::unordered_set<std::string_view> names_;
};

// Puts a marker before the tokens of a list; `name` is the text between its parentheses.
void mark_list(State& state, Frame frame, Role role) {
  Item marker;
  marker.role = role;
  marker.outer = frame.span;
  bool is_wrapped = *state.at(frame.span.begin) == '(';
  marker.name = is_wrapped ? Span{frame.span.begin + 1, frame.span.end - 1} : frame.span;
  state.items.insert(state.items.begin() + static_cast<std::ptrdiff_t>(frame.base), marker);
}

}  // namespace

void mark_kernel_inputs(State& state, Frame frame) { mark_list(state, frame, Role::kernel_inputs); }
void mark_kernel_outputs(State& state, Frame frame) {
  mark_list(state, frame, Role::kernel_outputs);
}

void build_kernel(State& state, Frame frame) { KernelBuilder(state, frame).build(); }

}  // namespace gpy::syntax
