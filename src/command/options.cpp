#include "src/command/options.h"

#include <stdexcept>
#include <string_view>

namespace gpy::command {

const char* const kHelp =
    R"(usage: gpy [OPTION...] [FILE | -c TEXT | -m MODULE | -] [ARGUMENT...]
       gpy info
       gpy doctest [-v] [-f] [-o FLAG]... FILE...
       gpy explain [CODE]
       gpy cache [clear [--older AGE]]

Runs a script; without one, a prompt at a terminal, else what standard input holds.

  FILE               run a file; a file called like a command is reached as ./info
  -c TEXT            run TEXT
  -m MODULE          run a module along sys.path, or a package's __main__, as the main program
  -                  run what standard input holds
  --                 what follows is FILE, whatever it is called
  -i                 give a prompt after the script, with its names
  --device NAME      cpu, cuda or cuda:N; as GPY_DEVICE, and before it
  --color WHEN       auto, always or never: colour in errors (NO_COLOR, FORCE_COLOR)
  --errors FORM      text, or json: one line an uncaught error, for editors
  --full-traceback   errors tell of the library's own frames too
  --ast              print the syntax tree of FILE or TEXT, run nothing
  --version          print the version
  --help             print this
  info               show devices, libraries found and folders used
  doctest FILE...    try the >>> examples of texts, Markdown and docstrings, and what lines of
                     ```python blocks say behind `# -> `. -v: tell each; -f: stop at the first
                     failure; -o FLAG: ELLIPSIS, NORMALIZE_WHITESPACE, SKIP,
                     IGNORE_EXCEPTION_DETAIL ... as Python's doctest has them
  explain CODE       more on an error that ends in [CODE]; without a code, all of them in a line
  cache              show what is kept of compiled kernels, and where; cache clear: remove it, with
                     --older 30d (12h, 5m) what was not used for that long

environment
  GPY_DEVICE         as --device
  GPY_LAZY=0         compute each operation at once
  GPY_CHECK=1        check kernels while they run; 0: not at the prompt either
  GPY_NUM_THREADS    threads of the CPU's loops
  GPY_CUDA_PATH      where CUDA's libraries are looked for first
  GPY_COMPILE_LOOPS=off  leave loops that run for long to the interpreter
  GPY_CACHE_DIR      where compiled kernels are kept
  GPY_CACHE_BYTES    how much of them: 268435456, or 256M (K, M, G); 0: nothing
  GPY_COMPILE_SECONDS  how long the C++ compiler of a kernel may take: 60
)";

namespace {

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& words) : words_(words) {}

  Options read() {
    while (at_ < words_.size() && !done_) read_word(words_[at_++]);
    check_action();
    for (size_t i = at_; i < words_.size(); ++i) options_.arguments.push_back(words_[i]);
    if (options_.arguments.empty() && !takes_words_) options_.arguments.push_back("");
    return std::move(options_);
  }

 private:
  void read_word(const std::string& word) {
    constexpr std::string_view kDevice = "--device=";
    if (word == "--help" || word == "-h") return finish(Action::help);
    if (word == "--version" || word == "-V") return finish(Action::version);
    if (word == "info") return finish(Action::info);
    if (word == "explain") return take_rest(Action::explain);
    if (word == "cache") return take_rest(Action::cache);
    if (word == "doctest") return take_rest(Action::doctest);
    if (word == "-i") {
      options_.interactive = true;
    } else if (word == "--full-traceback") {
      options_.full_traceback = true;
    } else if (word == "--device") {
      options_.device = value_of(word);
    } else if (word.starts_with(kDevice)) {
      options_.device = word.substr(kDevice.size());
    } else if (word == "--color" || word.starts_with("--color=")) {
      options_.colour = colour_named(value_given(word, "--color="));
    } else if (word == "--errors" || word.starts_with("--errors=")) {
      options_.errors = form_named(value_given(word, "--errors="));
    } else {
      read_source(word);
    }
  }

  void read_source(const std::string& word) {
    if (word == "-m") return take(SourceKind::module, value_of(word), word);
    if (word == "-c") return take(SourceKind::text, value_of(word) + "\n", word);
    if (word == "-") return take(SourceKind::standard_input, "", word);
    if (word == "--") return at_ < words_.size() ? take_file(words_[at_++]) : finish(Action::run);
    if (word == "--ast") {
      options_.action = Action::dump_tree;
      return;
    }
    if (word.starts_with("-")) throw std::invalid_argument("unknown option " + word);
    take_file(word);
  }

  void take_file(const std::string& path) { take(SourceKind::file, path, path); }

  // The words behind the source belong to the script.
  void take(SourceKind source, std::string operand, const std::string& name) {
    options_.source = source;
    options_.operand = std::move(operand);
    options_.arguments = {name};
    done_ = true;
  }

  static Colour colour_named(const std::string& name) {
    if (name == "auto") return Colour::automatic;
    if (name == "always") return Colour::always;
    if (name == "never") return Colour::never;
    throw std::invalid_argument("--color is auto, always or never, not " + name);
  }

  static ErrorForm form_named(const std::string& name) {
    if (name == "text") return ErrorForm::text;
    if (name == "json") return ErrorForm::json;
    throw std::invalid_argument("--errors is text or json, not " + name);
  }

  // The value of an option: `--name=VALUE`, or the next word.
  std::string value_given(const std::string& word, const std::string& with_value) {
    return word.starts_with(with_value) ? word.substr(with_value.size()) : value_of(word);
  }

  // The words that follow are the command's own.
  void take_rest(Action action) {
    options_.action = action;
    done_ = true;
    takes_words_ = true;
  }

  void finish(Action action) {
    options_.action = action;
    done_ = true;
  }

  void check_action() const {
    const bool is_text =
        options_.source != SourceKind::none && options_.source != SourceKind::module;
    if (options_.action == Action::dump_tree && !is_text) {
      throw std::invalid_argument("option --ast needs a FILE, -c TEXT or -");
    }
    const bool runs = options_.source != SourceKind::none || options_.action == Action::run;
    if (!runs && !takes_words_ && at_ < words_.size()) {
      throw std::invalid_argument("unexpected argument " + words_[at_]);
    }
  }

  const std::string& value_of(const std::string& option) {
    if (at_ == words_.size()) throw std::invalid_argument("option " + option + " needs a value");
    return words_[at_++];
  }

  const std::vector<std::string>& words_;
  size_t at_ = 0;
  bool done_ = false, takes_words_ = false;
  Options options_;
};

}  // namespace

Options read_options(const std::vector<std::string>& words) { return Reader(words).read(); }

}  // namespace gpy::command
