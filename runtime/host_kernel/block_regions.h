#pragma once

// What the threads of a block do between two barriers, as loops over them.

#include <functional>
#include <string>
#include <vector>

#include "runtime/host_kernel/block_variables.h"

namespace gpy::rt {

struct RegionItem {
  enum class Kind : uint8_t { kStatement, kAssignment, kGiven };  // kGiven: of a parameter's value
  Kind kind;
  const Statement* statement;
  Assignment assignment;
};

class BlockRegions {
 public:
  BlockRegions(const CppTokens& tokens, const CppFunctions& functions,
               const BlockVariables& variables)
      : tokens_(tokens), functions_(functions), variables_(variables) {}

  // All must be added before the first is written: whether a thread keeps a variable across
  // barriers depends on all of them.
  void add(const std::vector<RegionItem>& items);
  // Whether they name something of this name that is none of the variables.
  bool name_other(const std::vector<RegionItem>& items, std::string_view name) const;
  // Whether they name something else by the name of one of their variables: where they stand there
  // can be only one.
  bool mix_names(const std::vector<RegionItem>& items) const;
  // The variables of the block, and the arrays of what each thread keeps. `some_return`: before
  // others do what is between two more barriers; which ones did is kept too.
  std::string declarations(bool some_return);
  // Whether it keeps something for each thread: a block of many has no room for that.
  bool needs_room(bool some_return) const { return some_return || !kept_.empty(); }
  std::string text(const std::vector<RegionItem>& items, bool returns);

 private:
  enum class Flow : uint8_t { kThrough, kKilled, kExposed };
  Flow flow(const RegionItem& item, int variable) const;
  Flow flow(const Statement& statement, int variable) const;
  Flow flow(const std::vector<Statement>& list, int variable) const;
  bool names(TokenRange range, int variable) const;
  std::set<int> named_in(const std::vector<RegionItem>& items) const;
  void add_named(TokenRange range, std::set<int>& out) const;
  void add_others(TokenRange range, std::set<std::string_view>& out) const;
  void add_others(const RegionItem& item, std::set<std::string_view>& out) const;
  TokenRange computed_from(int variable) const;
  std::string binding(int variable) const;
  std::string item_text(const RegionItem& item) const;
  std::string thread_text(TokenRange range) const;
  std::string verbatim(TokenRange range) const;

  const BlockVariable& variable(int number) const {
    return variables_.all()[static_cast<size_t>(number)];
  }

  const CppTokens& tokens_;
  const CppFunctions& functions_;
  const BlockVariables& variables_;
  std::set<int> kept_;  // across barriers
  int written_ = 0;
  bool some_return_ = false;
};

// What gives a variable its first value under this name: that of its declaration, or that of its
// type. Empty where it has none.
std::string first_value_text(const CppTokens& tokens, const BlockVariable& declared,
                             const Assignment& first, std::string_view name,
                             const std::function<std::string(TokenRange)>& text);
// `#line` for a token, on a line of its own.
std::string line_directive(const CppTokens& tokens, int token);
// The source of a range, with its comments and literals.
std::string source_text(const CppTokens& tokens, TokenRange range);
// The source of a range; CUDA's words for positions are those of the loops, and `rename` gives the
// others, empty where a name stays.
std::string renamed_text(const CppTokens& tokens, const CppFunctions& functions, TokenRange range,
                         const std::function<std::string(int)>& rename);

}  // namespace gpy::rt
