// Text files, and the fences of Markdown in them.
#include <algorithm>

#include "src/command/doctest/example.h"
#include "src/command/doctest/lines.h"

namespace gpy::command {

namespace {

constexpr std::string_view kPrints = "# -> ";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == text.npos ? "" : text.substr(begin, end - begin + 1);
}

bool is_comment(std::string_view line) { return trimmed(line).starts_with('#'); }

// The start of a block, "```python" for example: the number of marks, and the language.
struct Fence {
  size_t marks = 0;  // 0: no fence
  char mark = '`';
  std::string_view language;
};

Fence fence_of(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.empty() || (text[0] != '`' && text[0] != '~')) return {};
  const size_t marks = std::min(text.find_first_not_of(text[0]), text.size());
  if (marks < 3) return {};
  const std::string_view rest = trimmed(text.substr(marks));
  return {marks, text[0], rest.substr(0, std::min(rest.find_first_of(" {"), rest.size()))};
}

bool holds_scripts(std::string_view language) {
  return language == "python" || language == "py" || language == "gpy" || language == "python3";
}

bool holds_sessions(std::string_view language) {
  return language.empty() || language == "pycon" || language == "doctest" ||
         holds_scripts(language);
}

// Reads the blocks of a file, line by line. Lines that are not tested become empty, so that the
// others keep their numbers.
class Markdown {
 public:
  explicit Markdown(std::string name) { session_.name = std::move(name); }

  Session read(std::string_view text) {
    each_line(text, [this](std::string_view line, bool) { read_line(line); });
    close_block();
    session_.examples = read_examples(sessions_, session_.name, 1);
    return std::move(session_);
  }

 private:
  void read_line(std::string_view line) {
    ++number_;
    const Fence fence = fence_of(line);
    const bool closes = open_.marks && fence.mark == open_.mark && fence.marks >= open_.marks &&
                        fence.language.empty();
    if (closes) {
      close_block();
      sessions_ += '\n';
    } else if (!open_.marks && fence.marks) {
      open_block(fence);
      sessions_ += '\n';
    } else if (open_.marks && holds_scripts(language_)) {
      block_.emplace_back(line);
    } else {
      const bool is_tried = !open_.marks || holds_sessions(language_);
      sessions_ += is_tried ? std::string(line) + "\n" : "\n";
    }
  }

  void open_block(const Fence& fence) {
    open_ = fence;
    language_ = fence.language;
    block_.clear();
    first_ = number_ + 1;
  }

  void close_block() {
    const bool has_prompts = std::any_of(block_.begin(), block_.end(), [](const std::string& line) {
      return trimmed(line).starts_with(">>>");
    });
    if (has_prompts) {
      for (const std::string& line : block_) sessions_ += line + "\n";
    } else {
      if (!block_.empty()) add_script();
      sessions_.append(block_.size(), '\n');
    }
    block_.clear();
    open_ = {};
  }

  void add_script() {
    if (block_[0].find("# doctest: +SKIP") != std::string::npos) return;
    Script script;
    script.line = first_;
    script.source.assign(static_cast<size_t>(first_ - 1), '\n');
    int number = first_, statement = first_;
    for (const std::string& line : block_) {
      script.source += line + "\n";
      if (!is_comment(line)) statement = number;
      if (const size_t at = line.rfind(kPrints); at != line.npos) {
        const std::string_view told = trimmed(line);
        script.prints[statement].emplace_back(told.substr(told.rfind(kPrints) + kPrints.size()));
      }
      ++number;
    }
    session_.scripts.push_back(std::move(script));
  }

  Session session_;
  std::string sessions_;  // the lines that may hold prompts
  int number_ = 0, first_ = 0;
  Fence open_;
  std::string language_;
  std::vector<std::string> block_;
};

}  // namespace

Session read_text(std::string_view text, const std::string& name, bool is_markdown) {
  if (is_markdown) return Markdown(name).read(text);
  return {name, read_examples(text, name, 1), {}};
}

}  // namespace gpy::command
