#pragma once
// The body of a stencil: a function with the indices of a place as further parameters, which
// indices of its arrays are offsets to.

#include <utility>
#include <vector>

#include "src/translate/function_translator.h"
#include "src/translate/stencil.h"

namespace gpy {

class StencilTranslator : public FunctionTranslator {
 public:
  StencilTranslator(ProgramBuilder& program, const TranslationSource& source,
                    const StencilFacts& facts, int rank)
      : FunctionTranslator(program, source, false),
        facts_(facts),
        offsets_(static_cast<size_t>(rank)) {}

  void add_argument(const TypedParameter& parameter);
  // Behind the arguments.
  void add_indices();

  // Of the offsets, or as it was declared.
  std::vector<std::pair<int64_t, int64_t>> neighborhood() const;
  // The parameters that are indexed by offsets, in their order.
  std::vector<int> relative() const;

 private:
  TypedExpression element(TypedExpression array, const syntax::Expr& index,
                          syntax::Span place) override;
  TypedExpression position(const TypedExpression& array, int axis, TypedExpression index,
                           syntax::Span place) override;
  TypedExpression slice_bound(const TypedExpression& array, int axis, const syntax::Expr* node,
                              int64_t otherwise) override;
  void store(TypedExpression at, TypedExpression value, syntax::Span place) override;

  bool is_relative(const TypedExpression& array) const;
  TypedExpression index_variable(int axis) const;
  // Whether the places at this offset lie in the array.
  bool note_offset(int axis, const TypedExpression& offset, syntax::Span place);

  struct Argument {
    bool is_relative;
    bool is_read = false;
  };
  const StencilFacts& facts_;
  std::vector<Argument> arguments_;
  std::vector<std::pair<int64_t, int64_t>> offsets_;  // that are there
};

}  // namespace gpy
