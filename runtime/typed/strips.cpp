#include "runtime/typed/strips.h"

#include <algorithm>
#include <map>
#include <set>

#include "runtime/typed/selection.h"
#include "runtime/typed/walk.h"

namespace gpy::rt::typed {

namespace {

using Form = Expression::Kind;
using Kind = Statement::Kind;

bool is_word(const Type& type) { return type.is_number() && type.dtype == DType::kInt64; }

// What a sweep may look at ahead: nothing that an access relies on.
bool is_look(std::string_view symbol) {
  constexpr std::string_view kLooks[] = {"is_settled", "add_fits", "subtract_fits",
                                         "is_exact_float", "same_number"};
  return std::ranges::find(kLooks, symbol) != std::end(kLooks);
}
bool is_pure(std::string_view symbol) {
  constexpr std::string_view kPure[] = {"selected", "range_item", "from_end", "smaller", "greater"};
  return std::ranges::find(kPure, symbol) != std::end(kPure) || is_look(symbol);
}
// Divisions of ints trap where they are computed too early.
bool may_trap(const Ufunc& row, const Type& type) {
  constexpr Row kDivisions[] = {Row::floor_divide, Row::remainder, Row::fmod};
  return is_integer(type.dtype) &&
         std::ranges::any_of(kDivisions, [&](Row each) { return row.is(each); });
}

class Planner {
 public:
  Planner(const Function& function, const Statement& range) : function_(function), range_(range) {}

  std::optional<Strips> plan() {
    note_assignments(range_.body);
    out_.own.assign(assigned_.begin(), assigned_.end());
    for (const Statement& each : range_.body) statement(each);
    const bool gains = out_.has_checks() || !out_.fixed.empty();
    if (!fits_ || !gains) return std::nullopt;
    if (out_.has_checks() && traps_) return std::nullopt;
    return stores_ ? of_stores() : of_sums();
  }

 private:
  using Stride = std::optional<int>;  // places a round; nothing where it is not known

  std::optional<Strips> of_stores() {
    if (!places_fit_ || (out_.has_checks() && !carried_.empty())) return std::nullopt;
    return std::move(out_);
  }

  // Each check is of what becomes a sum's next value: it stands for all checks before it.
  std::optional<Strips> of_sums() {
    const bool all_sums = std::ranges::all_of(carried_, [&](int each) {
      return std::ranges::find(sums_, each) != sums_.end() && !again_.contains(each);
    });
    if (!all_sums || sums_.empty() || !pending_.empty() || out_.stays.size() != sums_.size())
      return std::nullopt;
    out_.stays.clear();
    for (const int each : sums_) {
      Expression check = settled_;
      check.args = {Expression::variable(each, type_of(each))};
      out_.sums.push_back(std::move(check));
    }
    return std::move(out_);
  }

  const Type& type_of(int variable) const {
    return function_.variables[static_cast<size_t>(variable)].type;
  }

  void note_assignments(const std::vector<Statement>& list, bool always = true) {
    for (const Statement& each : list) {
      note_assignments(each.body, false);
      note_assignments(each.otherwise, false);
      if (each.kind != Kind::kAssign) continue;
      if (!assigned_.insert(each.variable).second || !always) again_.insert(each.variable);
    }
    assigned_.insert(range_.variable);
  }

  // The variable from the round before whose value, where it is no finite number, makes this none.
  std::optional<int> carrier_of(const Expression& node) const {
    if (!node.type.is_number() || !is_float(node.type.dtype)) return std::nullopt;
    if (node.kind == Form::kVariable) {
      if (const auto known = carriers_.find(node.index); known != carriers_.end())
        return known->second;
      const bool before = assigned_.contains(node.index) && !ready_.contains(node.index);
      return before ? std::optional(node.index) : std::nullopt;
    }
    if (node.kind == Form::kCast && node.args[0].type.dtype == node.type.dtype)
      return carrier_of(node.args[0]);
    if (node.kind != Form::kRow) return std::nullopt;
    const Ufunc& row = *node.ufunc;
    if (!row.is(Row::add) && !row.is(Row::subtract) && !row.is(Row::multiply)) return std::nullopt;
    const std::optional<int> left = carrier_of(node.args[0]);
    return left ? left : carrier_of(node.args[1]);
  }

  void note_carriers(const Statement& node) {
    const Expression& value = node.values[0];
    const std::optional<int> carrier = carrier_of(value);
    const bool is_next = value.kind == Form::kVariable && pending_.contains(value.index);
    if (carrier && *carrier == node.variable && is_next) {
      pending_.erase(value.index);
      sums_.push_back(node.variable);
    }
    carriers_.erase(node.variable);
    if (carrier) carriers_[node.variable] = *carrier;
  }

  void statement(const Statement& node) {
    if (const Expression* check = check_of(node)) return look(*check);
    std::optional<Statement> plain = node;
    if (node.kind == Kind::kIf) plain = try_selection(function_, node, true);
    if (plain && plain->kind == Kind::kAssign) return assign(*plain);
    if (plain && plain->kind == Kind::kStore && !stores_) return store(*plain);
    fits_ = false;
  }

  // The condition without which the statement leaves the function.
  static const Expression* check_of(const Statement& node) {
    const bool leaves = node.kind == Kind::kIf && node.otherwise.empty() && node.body.size() == 1 &&
                        node.body[0].kind == Kind::kReturn && node.values[0].kind == Form::kNot;
    return leaves ? &node.values[0].args[0] : nullptr;
  }

  void look(const Expression& check) {
    if (check.kind == Form::kSupport && check.symbol == "round_goes_on") {
      out_.polls.push_back(check);
      out_.polls.back().args[0] = Expression::constant(Scalar::strong(int64_t{0}));
      return;
    }
    fits_ = fits_ && !stores_ && check.kind == Form::kSupport && is_look(check.symbol);
    if (!fits_) return;  // it may be a name alone, as of `if not found: return`
    read(check, true);
    const Expression& value = check.args[0];
    if (check.symbol == "is_settled" && value.kind == Form::kVariable && carrier_of(value)) {
      pending_.insert(value.index);
      settled_ = check;
    }
    out_.stays.push_back(check);
    // The same by signs, which vectors have.
    std::string& symbol = out_.stays.back().symbol;
    if (symbol == "add_fits") symbol = "sum_fits";
    if (symbol == "subtract_fits") symbol = "difference_fits";
  }

  void assign(const Statement& node) {
    const Type& type = type_of(node.variable);
    fits_ = fits_ && type.is_number() && !is_complex(type.dtype);
    read(node.values[0], true);
    note_carriers(node);
    const Stride stride = is_word(type) ? stride_of(node.values[0]) : Stride();
    strides_[node.variable] = stride;
    if (stride) out_.head.push_back(node);
    if (!stores_) out_.sweep.push_back(node);
    out_.unchecked.push_back(node);
    ready_.insert(node.variable);
  }

  void store(const Statement& node) {
    const Expression& place = node.values[0];
    fits_ = fits_ && place.kind == Form::kElement;
    if (!fits_) return;
    for (const Expression& each : place.args) read(each, true);
    read(node.values[1], true);
    places_fit_ = places_fit_ && place.args[0].type.dense && place_stride(place) == 1;
    out_.stored = place;
    out_.unchecked.push_back(node);
    stores_ = true;
  }

  // `always`: it is computed in every round.
  void read(const Expression& node, bool always) {
    fits_ = fits_ && !node.effects && !node.fails;
    switch (node.kind) {
      case Form::kNumber:
      case Form::kCast:
      case Form::kAnd:
      case Form::kOr:
      case Form::kNot:
      case Form::kExtent:
      case Form::kChoice: break;
      case Form::kVariable:
        if (assigned_.contains(node.index) && !ready_.contains(node.index) &&
            node.index != range_.variable)
          carried_.insert(node.index);
        break;
      case Form::kRow: traps_ = traps_ || may_trap(*node.ufunc, node.args[0].type); break;
      case Form::kSupport: fits_ = fits_ && is_pure(node.symbol); break;
      case Form::kElement: element(node, always); break;
      default: fits_ = false;
    }
    const bool decides =
        node.kind == Form::kAnd || node.kind == Form::kOr || node.kind == Form::kChoice;
    for (size_t i = 0; i < node.args.size(); ++i) read(node.args[i], always && !(decides && i));
  }

  void element(const Expression& node, bool always) {
    const Stride stride = place_stride(node);
    places_fit_ = places_fit_ && stride && !stores_;
    if (!places_fit_) return;
    std::vector<Expression>& list = *stride == 0 ? out_.fixed : out_.moving;
    places_fit_ = *stride == 0 ? always : node.args[0].type.dense;
    if (std::ranges::none_of(list, [&](const Expression& each) { return is_same(each, node); }))
      list.push_back(node);
  }

  // Along the last axis; others must stay.
  Stride place_stride(const Expression& node) const {
    if (node.args[0].kind != Form::kVariable) return std::nullopt;
    Stride last = 0;
    for (size_t axis = 1; axis < node.args.size(); ++axis) {
      if (last != 0) return std::nullopt;
      last = stride_of(node.args[axis]);
    }
    return last;
  }

  Stride stride_of(const Expression& node) const {
    if (node.kind == Form::kNumber) return 0;
    if (node.kind == Form::kVariable) {
      if (node.index == range_.variable) return 1;
      if (!assigned_.contains(node.index)) return 0;
      const auto known = strides_.find(node.index);
      if (again_.contains(node.index) || known == strides_.end()) return std::nullopt;
      return known->second;
    }
    if (node.kind == Form::kExtent) return stride_of(node.args[0]);
    const bool is_end = node.kind == Form::kSupport && node.symbol == "from_end";
    if (is_end) return stride_of(node.args[0]) == 0 ? stride_of(node.args[1]) : Stride();
    if (!is_word(node.type)) return std::nullopt;
    if (node.kind == Form::kCast && is_word(node.args[0].type)) return stride_of(node.args[0]);
    if (node.kind == Form::kSupport && node.symbol == "range_item") {
      const bool by_one = node.args[1].kind == Form::kNumber && node.args[1].number.as_int() == 1;
      const Stride first = stride_of(node.args[0]);
      return by_one && first == 0 ? stride_of(node.args[2]) : Stride();
    }
    const bool adds = node.kind == Form::kRow && node.ufunc->is(Row::add);
    if (!adds && !(node.kind == Form::kRow && node.ufunc->is(Row::subtract))) return std::nullopt;
    const Stride left = stride_of(node.args[0]), right = stride_of(node.args[1]);
    if (!left || !right) return std::nullopt;
    const int sum = adds ? *left + *right : *left - *right;
    return sum == 0 || sum == 1 ? Stride(sum) : Stride();
  }

  const Function& function_;
  const Statement& range_;
  Strips out_;
  std::set<int> assigned_, again_;  // variables; those assigned to more than once
  std::set<int> ready_;             // assigned to in this round
  std::map<int, Stride> strides_;
  std::set<int> carried_;        // that a round reads as the one before has left them
  std::map<int, int> carriers_;  // see carrier_of
  std::set<int> pending_;        // checked, and not yet a sum's next value
  std::vector<int> sums_;
  Expression settled_;
  bool fits_ = true, stores_ = false, traps_ = false;
  bool places_fit_ = true;  // the addresses of elements are known from the first round's
};

}  // namespace

std::optional<Strips> plan_strips(const Function& function, const Statement& range) {
  return Planner(function, range).plan();
}

}  // namespace gpy::rt::typed
