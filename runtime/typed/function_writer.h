#pragma once

// A function of the typed form as C++ text.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/cpp_text/writer.h"
#include "runtime/typed/expression_text.h"
#include "runtime/typed/form.h"
#include "runtime/typed/parallel.h"
#include "runtime/typed/strips.h"

namespace gpy::rt::typed {

class FunctionWriter {
 public:
  // `one_thread` and `checked` as in write.h.
  FunctionWriter(CppWriter& out, Rows& rows, const Program& program, const Function& function,
                 bool one_thread, std::vector<std::string>* checked)
      : out_(out),
        expressions_(rows, program, function, checked),
        function_(function),
        one_thread_(one_thread),
        checked_(checked) {}

  static std::string head(const Function& function);
  void write();

 private:
  void constant(size_t index, const Storage& storage);
  void storage(size_t index, const Storage& storage);
  std::string name_of(size_t storage) const;

  void block(const std::vector<Statement>& statements);
  void statement(const Statement& node);
  void place(int line);
  void note_line(const Statement& node);
  void branch(const Statement& node);

  void any_range(const Statement& node);
  void range(const Statement& node);
  void parallel_range(const Statement& node, const ParallelPlan& plan);
  void part(const Statement& node, const ParallelPlan& plan, int depth);
  std::string first_value(const Reduction& reduction) const;

  // The rounds of a loop in strips.
  void strips(const Statement& node, const Strips& plan, int depth);
  void store_strip(const Statement& node, const Strips& plan, int depth);
  void sum_strip(const Statement& node, const Strips& plan, int depth);
  void sweep(const Statement& node, const Strips& plan, int depth);
  void rounds(const Statement& node, const std::vector<Statement>& body, int depth);
  void open_rounds(const Statement& node, int depth);
  void own_variables(const Strips& plan);
  std::vector<KnownElement> known_elements(const Strips& plan, int depth);
  void look_at_addresses(const Statement& node, const Strips& plan, int depth,
                         const std::vector<KnownElement>& known);

  std::string text(const Expression& node) { return expressions_.text(node); }
  std::string place_text(const Expression& node) { return expressions_.place_text(node); }
  const Type& variable_type(int variable) const {
    return function_.variables[static_cast<size_t>(variable)].type;
  }

  CppWriter& out_;
  ExpressionText expressions_;
  const Function& function_;
  bool one_thread_;
  int loops_ = 0;
  bool in_parallel_ = false;
  std::vector<std::string>* checked_;
};

}  // namespace gpy::rt::typed
