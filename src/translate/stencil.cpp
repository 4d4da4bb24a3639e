#include "src/translate/stencil.h"

#include <algorithm>

#include "src/array/convert.h"
#include "src/code.h"
#include "src/objects/containers.h"
#include "src/objects/function.h"
#include "src/objects/str.h"
#include "src/translate/array_form.h"
#include "src/translate/find_source.h"
#include "src/translate/stencil_translator.h"

namespace gpy {

using Kind = TypedStatement::Kind;
using rt::typed::Variable;

// --- what was declared ---------------------------------------------------------------------------

StencilFacts stencil_facts(Interpreter& vm, const Value& spec) {
  const std::span<const Value> parts = spec.as<Tuple>()->items();
  StencilFacts out{parts[0].as<Function>(), std::nullopt, {}, Value()};
  if (!parts[1].is_none()) {
    out.neighborhood.emplace();
    for (const Value& each : vm.collect(parts[1])) {
      const std::span<const Value> ends = each.as<Tuple>()->items();
      out.neighborhood->emplace_back(vm.to_index(ends[0]), vm.to_index(ends[1]));
    }
  }
  for (const Value& each : vm.collect(parts[2])) out.standard.emplace_back(each.as<Str>()->view());
  const std::vector<Value> border = vm.collect(parts[3]);
  if (!border.empty()) out.border = border[0];
  return out;
}

Value stencil_spec(Interpreter& vm, const Value& value) {
  if (!value.is_object() || value.is<Function>() || as_ndarray(value)) return Value();
  const Value spec = vm.try_get_attribute(value, vm.intern("_stencil"));
  return spec.is_defined() && spec.is<Tuple>() ? spec : Value();
}

namespace {

// --- the loops -----------------------------------------------------------------------------------

TypedExpression whole(int64_t n) { return TypedExpression::constant(rt::Scalar::weak(n)); }

// Writes the entry: what it makes, checks and loops over.
class StencilLoops {
 public:
  StencilLoops(ProgramBuilder& program, const StencilFacts& facts,
               const std::vector<TypedType>& types, bool has_out)
      : program_(program), facts_(facts), types_(types), has_out_(has_out) {
    for (size_t i = 0; i < types.size(); ++i) out_.variables.push_back({"", types[i]});
    out_.parameters = static_cast<int>(types.size());
    out_.name = facts.function->code->name;
  }

  rt::typed::Function write(const StencilTranslator& kernel, int index, const TypedType& result) {
    kernel_ = index;
    element_ = result;
    neighborhood_ = kernel.neighborhood();
    for (const int each : kernel.relative()) {
      if (each > 0) check_extents(each);
    }
    prepare_result();
    loop(0, out_.body, {});
    return_result();
    return std::move(out_);
  }

 private:
  int rank() const { return types_[0].rank; }
  TypedExpression argument(int index) const {
    return TypedExpression::variable(index, out_.variables[static_cast<size_t>(index)].type);
  }
  TypedExpression extent(int array, int axis) const {
    TypedExpression out;
    out.kind = TypedExpression::Kind::kExtent;
    out.index = axis;
    out.type = int_type(program_.dialect);
    out.args = {argument(array)};
    return out;
  }
  int add_variable(TypedType type) {
    out_.variables.push_back({fmt::format(".{}", out_.variables.size()), std::move(type)});
    return static_cast<int>(out_.variables.size()) - 1;
  }
  TypedStatement& emit(std::vector<TypedStatement>& block, Kind kind,
                       std::vector<TypedExpression> values) {
    TypedStatement& out = block.emplace_back();
    out.kind = kind;
    out.values = std::move(values);
    return out;
  }

  std::vector<TypedStatement> failure(const char* text) {
    const Value type(program_.vm.types.value_error);
    const int64_t number = program_.add_raise({type, {program_.vm.str(text)}});
    TypedExpression call = support_call("fail", TypedType(), {whole(number), whole(int64_t{0})});
    call.effects = true;
    std::vector<TypedStatement> out;
    emit(out, Kind::kEvaluate, {std::move(call)});
    return out;
  }
  // No array is smaller than the first.
  void check_extents(int array) {
    if (types_[static_cast<size_t>(array)].rank != rank()) {
      for (TypedStatement& each :
           failure("Secondary stencil array does not have same number  of dimensions as the first "
                   "stencil input."))
        out_.body.push_back(std::move(each));
      return;
    }
    for (int axis = 0; axis < rank(); ++axis) {
      TypedExpression less = apply_row(program_.dialect, rt::ufunc(rt::Row::less),
                                       {extent(array, axis), extent(0, axis)}, RowUse::kOperator);
      emit(out_.body, Kind::kIf, {std::move(less)}).body = failure(
          "Secondary stencil array has some dimension smaller the same dimension in the "
          "first stencil input.");
    }
  }

  // The value of places without neighbours.
  TypedExpression border(const TypedType& type) {
    if (facts_.border.is_undefined()) return cast_to(whole(0), type);
    const auto number = try_number(program_.vm, facts_.border);
    const bool fits = number && (!rt::is_complex(number->dtype()) || rt::is_complex(type.dtype));
    if (!fits) fail_translation({}, "cval type does not match stencil return type.");
    return cast_to(TypedExpression::constant(*number), type);
  }

  void prepare_result() {
    if (has_out_) {
      result_ = static_cast<int>(types_.size()) - 1;
      const TypedType type = TypedType::number(types_.back().dtype);
      if (facts_.border.is_defined())
        emit(out_.body, Kind::kEvaluate, {assign_elements(argument(result_), border(type))});
      return;
    }
    result_ = add_variable(made_array(element_.dtype, rank()));
    const std::string symbol =
        fmt::format("made_like<{}, {}>", element_symbol(element_.dtype), rank());
    emit(out_.body, Kind::kAssign,
         {failing_call(symbol, argument(result_).type,
                       {TypedExpression::constant(rt::Scalar(false)), argument(0)})})
        .variable = result_;
    for (int axis = 0; axis < rank(); ++axis) {
      TypedExpression fill = support_call(
          "fill_border", TypedType(),
          {argument(result_), whole(axis), whole(low(axis)), whole(high(axis)), border(element_)});
      fill.effects = true;
      emit(out_.body, Kind::kEvaluate, {std::move(fill)});
    }
  }

  // How many places at the begin and at the end of an axis lack neighbours.
  int64_t low(int axis) const {
    return -std::min<int64_t>(0, neighborhood_[static_cast<size_t>(axis)].first);
  }
  int64_t high(int axis) const {
    return std::max<int64_t>(0, neighborhood_[static_cast<size_t>(axis)].second);
  }

  void loop(int axis, std::vector<TypedStatement>& block, std::vector<TypedExpression> indices) {
    if (axis == rank()) return store(block, std::move(indices));
    TypedExpression end =
        apply_row(program_.dialect, rt::ufunc(rt::Row::subtract),
                  {extent(0, axis), cast_to(whole(high(axis)), int_type(program_.dialect))},
                  RowUse::kOperator);
    const int variable = add_variable(int_type(program_.dialect));
    TypedStatement round;
    round.kind = Kind::kRange;
    round.variable = variable;
    round.values = {whole(low(axis)), std::move(end), whole(1)};
    round.parallel = axis == 0 && program_.options.is_parallel;
    indices.push_back(argument(variable));
    loop(axis + 1, round.body, std::move(indices));
    block.push_back(std::move(round));
  }

  void store(std::vector<TypedStatement>& block, std::vector<TypedExpression> indices) {
    TypedExpression call;
    call.kind = TypedExpression::Kind::kCall;
    call.index = kernel_;
    call.type = element_;
    const int arguments = static_cast<int>(types_.size()) - has_out_;
    for (int i = 0; i < arguments; ++i) call.args.push_back(argument(i));
    for (const TypedExpression& each : indices) call.args.push_back(each);
    TypedExpression at;
    at.kind = TypedExpression::Kind::kElement;
    at.type = TypedType::number(argument(result_).type.dtype);
    at.args = {argument(result_)};
    for (TypedExpression& each : indices) at.args.push_back(std::move(each));
    const TypedType type = at.type;
    emit(block, Kind::kStore, {std::move(at), cast_to(std::move(call), type)});
  }

  void return_result() {
    emit(out_.body, Kind::kReturn, {argument(result_)});
    out_.result = argument(result_).type;
  }

  ProgramBuilder& program_;
  const StencilFacts& facts_;
  const std::vector<TypedType>& types_;
  bool has_out_;
  rt::typed::Function out_;
  int kernel_ = 0, result_ = 0;
  TypedType element_;
  std::vector<std::pair<int64_t, int64_t>> neighborhood_;
};

void check_declaration(const StencilFacts& facts, const std::vector<TypedType>& types,
                       const std::vector<std::string>& names) {
  if (types.empty() || !types[0].is_array())
    fail_translation({}, "The first argument to a stencil kernel must be the primary input array.");
  const auto rank = static_cast<size_t>(types[0].rank);
  if (facts.neighborhood && facts.neighborhood->size() != rank)
    fail_translation({}, "{} dimensional neighborhood specified for {} dimensional input array",
                     facts.neighborhood->size(), rank);
  for (const std::string& each : facts.standard) {
    if (each == names[0])
      fail_translation({},
                       "The first argument to a stencil kernel must use relative indexing, not "
                       "standard indexing.");
    if (std::ranges::find(names, each) == names.end())
      fail_translation({},
                       "Standard indexing requested for an array name not present in the "
                       "stencil kernel definition.");
  }
}

}  // namespace

ProgramBuilder::Callee ProgramBuilder::stencil_for(const Value& spec,
                                                   const std::vector<TypedType>& types,
                                                   syntax::Span place) {
  const StencilFacts facts = stencil_facts(vm, spec);
  const std::string key = key_of(spec.as_object(), types);
  known_for(key, facts.function->code->name, place);
  return translated(key, [&](Known& known) { write_stencil(facts, types, known, place); });
}

void ProgramBuilder::write_stencil(const StencilFacts& facts, const std::vector<TypedType>& types,
                                   Known& known, syntax::Span place) {
  const size_t count = facts.function->code->parameters.positional;
  const bool has_out = types.size() == count + 1 && types.back().is_array();
  const std::vector<TypedType> given(types.begin(), types.end() - has_out);
  const std::vector<std::string> names = parameter_names(*facts.function, given.size(), place);
  check_declaration(facts, given, names);
  values.codes.emplace_back(static_cast<Object*>(facts.function->code.get()));
  const TranslationSource source = source_of(vm, *facts.function);
  const int kernel = add(source.name);
  StencilTranslator translator(*this, source, facts, given[0].rank);
  for (size_t i = 0; i < given.size(); ++i) translator.add_argument({names[i], given[i]});
  translator.add_indices();
  try {
    rt::typed::Function made = translator.translate();
    const TypedType result = made.result;
    finish(kernel, std::move(made));
    if (!result.is_number())
      fail_translation({}, "Stencil kernel must return a scalar and not a numpy array.");
    if (translator.relative().empty())
      fail_translation({}, "Stencil kernel with no accesses to relatively indexed arrays.");
    StencilLoops loops(*this, facts, types, has_out);
    rt::typed::Function driver = loops.write(translator, kernel, result);
    known.result = driver.result;
    known.effects = has_out;
    finish(known.index, std::move(driver));
  } catch (TranslationFailure& failure) {
    tell_at(failure, source.place, source.tree->source);
    throw;
  }
}

}  // namespace gpy
