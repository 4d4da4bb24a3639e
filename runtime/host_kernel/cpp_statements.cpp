#include "runtime/host_kernel/cpp_statements.h"

#include <algorithm>

namespace gpy::rt {
namespace {

using Kind = Statement::Kind;

// Others are not understood: all that walks over statements calls itself for those inside.
constexpr int kMostDepth = 200;

class Reader {
 public:
  explicit Reader(const CppTokens& tokens) : tokens_(tokens) {}

  std::vector<Statement> read_block(int open) {
    std::vector<Statement> out;
    at_ = open + 1;
    const int close = tokens_[open].match;
    while (understood_ && at_ < close) out.push_back(read());
    at_ = close + 1;
    return out;
  }
  bool understood() const { return understood_; }

 private:
  Statement read() {
    ++depth_;
    understood_ &= depth_ <= kMostDepth;
    Statement out = understood_ ? read_any() : Statement{Kind::kSimple, at_, at_};
    --depth_;
    return out;
  }

  Statement read_any() {
    const std::string_view word = tokens_.at(at_);
    if (word == "{") {
      Statement out{Kind::kBlock, at_, 0};
      out.parts = read_block(at_);
      return ended(std::move(out));
    }
    if (word == "if") return read_if();
    if (word == "for") return read_loop(Kind::kFor);
    if (word == "while") return read_loop(Kind::kWhile);
    if (word == "switch") return read_switch();
    if (word == "do") return read_do();
    for (const char* each : {"try", "goto", "case", "default", "asm", "else"})
      understood_ &= word != each;
    understood_ &= !(tokens_.is_name(at_) && tokens_.at(at_ + 1) == ":");  // a label
    return read_simple(word == "return"     ? Kind::kReturn
                       : word == "break"    ? Kind::kBreak
                       : word == "continue" ? Kind::kContinue
                                            : Kind::kSimple);
  }

  Statement ended(Statement statement) {
    statement.end = at_;
    return statement;
  }

  void read_head(Statement& out) {
    if (tokens_.at(at_) != "(") {
      understood_ = false;
      return;
    }
    out.head = at_ + 1;
    out.head_end = tokens_[at_].match;
    at_ = out.head_end + 1;
  }

  Statement read_if() {
    Statement out{Kind::kIf, at_++, 0};
    if (tokens_.at(at_) == "constexpr") ++at_;
    read_head(out);
    if (!understood_) return out;
    out.parts.push_back(read());
    if (understood_ && tokens_.at(at_) == "else") {
      ++at_;
      out.parts.push_back(read());
    }
    return ended(std::move(out));
  }

  Statement read_loop(Kind kind) {
    Statement out{kind, at_++, 0};
    read_head(out);
    if (understood_) out.parts.push_back(read());
    return ended(std::move(out));
  }

  Statement read_do() {
    Statement out{Kind::kDo, at_++, 0};
    out.parts.push_back(read());
    understood_ &= tokens_.at(at_) == "while";
    ++at_;
    if (understood_) read_head(out);
    ++at_;  // the semicolon
    return ended(std::move(out));
  }

  Statement read_switch() {
    Statement out{Kind::kSwitch, at_++, 0};
    read_head(out);
    understood_ &= tokens_.at(at_) == "{";
    const int close = understood_ ? tokens_[at_].match : at_;
    for (; at_ < close; ++at_)  // what may leave it is not looked for
      understood_ &= tokens_.at(at_) != "continue" && tokens_.at(at_) != "return";
    ++at_;
    return ended(std::move(out));
  }

  Statement read_simple(Kind kind) {
    Statement out{kind, at_, 0};
    while (understood_ && tokens_.at(at_) != ";") {
      understood_ &= at_ < tokens_.count() && tokens_.at(at_) != "}";
      const int match = understood_ ? tokens_[at_].match : -1;
      at_ = match > at_ ? match + 1 : at_ + 1;
    }
    ++at_;
    const bool barrier = tokens_.at(out.begin) == "__syncthreads" && at_ == out.begin + 4 &&
                         tokens_.at(out.begin + 2) == ")";
    if (barrier) out.kind = Kind::kBarrier;
    return ended(std::move(out));
  }

  const CppTokens& tokens_;
  int at_ = 0;
  int depth_ = 0;
  bool understood_ = true;
};

}  // namespace

std::optional<std::vector<Statement>> read_statements(const CppTokens& tokens, int open) {
  Reader reader(tokens);
  std::vector<Statement> out = reader.read_block(open);
  if (!reader.understood()) return std::nullopt;
  return out;
}

bool holds(const Statement& statement, Kind kind) {
  if (statement.kind == kind) return true;
  const bool loop =
      statement.kind == Kind::kFor || statement.kind == Kind::kWhile || statement.kind == Kind::kDo;
  if (loop && (kind == Kind::kBreak || kind == Kind::kContinue)) return false;
  return std::ranges::any_of(statement.parts,
                             [&](const Statement& each) { return holds(each, kind); });
}

}  // namespace gpy::rt
