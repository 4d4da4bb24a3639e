#include "runtime/text/element_format.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/scalar.h"
#include "runtime/text/number_text.h"

namespace gpy::rt {
namespace {

class Elements {
 public:
  Elements(DType dtype, const void* data, int64_t count)
      : dtype_(dtype), data_(static_cast<const char*>(data)), count_(count) {}

  int64_t count() const { return count_; }
  Scalar at(int64_t index) const { return Scalar::load(dtype_, data_ + index * item_size(dtype_)); }

 private:
  DType dtype_;
  const char* data_;
  int64_t count_;
};

class BoolFormat : public ElementFormat {
 public:
  BoolFormat(const Elements& elements, bool is_0d)
      : elements_(elements), true_(is_0d ? "True" : " True") {}
  std::string text(int64_t index) const override {
    return elements_.at(index).truth() ? true_ : "False";
  }

 private:
  Elements elements_;
  std::string true_;
};

class IntegerFormat : public ElementFormat {
 public:
  IntegerFormat(const Elements& elements, char sign) : elements_(elements), sign_(sign) {
    for_each_polled(elements.count(), [&](int64_t i) {
      if (scalar_str(elements.at(i))[0] == '-' && sign == ' ') sign_ = '-';
    });
    for_each_polled(elements.count(),
                    [&](int64_t i) { width_ = std::max(width_, signed_text(i).size()); });
  }
  std::string text(int64_t index) const override {
    std::string text = signed_text(index);
    return text.insert(0, width_ - text.size(), ' ');
  }

 private:
  std::string signed_text(int64_t index) const {
    std::string text = scalar_str(elements_.at(index));
    if (sign_ != '-' && text[0] != '-') text.insert(0, 1, sign_);
    return text;
  }

  Elements elements_;
  char sign_;
  size_t width_ = 0;
};

// The real or imaginary parts of the elements.
template <class T> using Values = std::vector<T>;

// Numbers of one type as text, and that type's limits.
struct NumberType {
  using Number = double;
  DType type;

  std::string positional(double value, const FloatStyle& style) const {
    return positional_text(value, type, style);
  }
  std::string scientific(double value, const FloatStyle& style) const {
    return scientific_text(value, type, style);
  }
  // Limits and quotients are compared in the array's own type, as NumPy does.
  double rounded(double value) const { return Scalar::of(type, value).as_double(); }
  double exponent_cutoff() const {
    return type == DType::kFloat16 ? 1e3 : type == DType::kFloat32 ? 1e6 : 1e8;
  }
};

struct LongDoubleType {
  using Number = long double;

  std::string positional(long double value, const FloatStyle& style) const {
    return positional_text(value, style);
  }
  std::string scientific(long double value, const FloatStyle& style) const {
    return scientific_text(value, style);
  }
  long double rounded(long double value) const { return value; }
  long double exponent_cutoff() const { return 1e8L; }
};

// numpy's FloatingFormat.
template <class Type> class FloatFormat {
 public:
  using T = typename Type::Number;

  FloatFormat(Type type, const Values<T>& values, char sign, const PrintOptions& options)
      : type_(type), sign_(sign), options_(options) {
    if (is_oldest() && sign == '-') sign_ = ' ';
    Values<T> finite;
    std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
                 [](T x) { return std::isfinite(x); });
    style_.plus = sign == '+';
    style_.pad_left = style_.pad_right = 0;
    if (!finite.empty()) measure(finite);
    const bool negative =
        std::any_of(finite.begin(), finite.end(), [](T x) { return std::signbit(x); });
    if (sign == ' ' && !negative && !is_oldest()) ++style_.pad_left;
    if (finite.size() != values.size()) make_room_for_specials(values);
  }

  std::string text(T value) const {
    if (!std::isfinite(value)) return special_text(value);
    return exponent_ ? type_.scientific(value, style_) : type_.positional(value, style_);
  }

 private:
  // numpy 1.13 leaves a column for the sign of every number.
  bool is_oldest() const { return options_.legacy == LegacyLayout::k1_13; }

  T exponent_cutoff() const {
    return options_.legacy <= LegacyLayout::k2_2 ? T(1e8) : type_.exponent_cutoff();
  }

  void measure(const Values<T>& finite) {
    if (options_.floatmode != FloatMode::kUnique) {
      if (options_.precision < 0) fail(ErrorKind::kValue, "precision must be >= 0");
      style_.precision = options_.precision;
    }
    exponent_ = needs_exponent(finite);
    const bool fixed = options_.floatmode == FloatMode::kFixed || (exponent_ && is_oldest());
    style_.trim = fixed ? Trim::kNone : Trim::kZeros;
    style_.unique = !fixed;
    exponent_ ? measure_scientific(finite) : measure_positional(finite);
  }

  bool needs_exponent(const Values<T>& finite) const {
    T largest = 0;
    T smallest = INFINITY;
    for (T value : finite) {
      if (value == 0) continue;
      largest = std::max(largest, std::fabs(value));
      smallest = std::min(smallest, std::fabs(value));
    }
    if (largest == 0) return false;
    if (largest >= exponent_cutoff()) return true;
    const bool is_small = smallest < type_.rounded(0.0001);
    return !options_.suppress && (is_small || type_.rounded(largest / smallest) > 1000);
  }

  void measure_scientific(const Values<T>& finite) {
    size_t before = 0;
    size_t places = 0;
    size_t exponent_size = 0;
    for_each_polled(static_cast<int64_t>(finite.size()), [&](int64_t i) {
      const std::string text = type_.scientific(finite[i], style_);
      const size_t point = text.find('.');
      const size_t e = text.find('e');
      exponent_size = std::max(exponent_size, text.size() - e - 2);
      places = std::max(places, e - point - 1);
      before = std::max(before, point);
    });
    constexpr int kOldestBefore = 3;  // a space, a sign and a digit
    style_.pad_left = is_oldest() ? kOldestBefore : static_cast<int>(before);
    style_.exp_digits = static_cast<int>(exponent_size);
    style_.trim = Trim::kNone;
    style_.precision = style_.min_digits = static_cast<int>(places);
    style_.pad_right = style_.exp_digits + 2 + style_.precision;
  }

  void measure_positional(const Values<T>& finite) {
    size_t before = 0;
    size_t after = 0;
    for_each_polled(static_cast<int64_t>(finite.size()), [&](int64_t i) {
      const std::string text = type_.positional(finite[i], style_);
      const size_t point = text.find('.');
      const size_t sign = is_oldest() ? text.find_first_not_of("-+") : 0;
      before = std::max(before, point - sign + (is_oldest() ? 1 : 0));
      after = std::max(after, text.size() - point - 1);
    });
    style_.pad_left = static_cast<int>(before);
    style_.pad_right = static_cast<int>(after);
    const FloatMode mode = options_.floatmode;
    if (mode == FloatMode::kFixed || mode == FloatMode::kMaxprecEqual) {
      style_.precision = style_.min_digits = style_.pad_right;
      style_.trim = Trim::kNone;
    } else {
      style_.min_digits = 0;
    }
  }

  void make_room_for_specials(const Values<T>& values) {
    const bool minus =
        std::any_of(values.begin(), values.end(), [](T x) { return std::isinf(x) && x < 0; });
    const int inf_sign = sign_ != '-' || minus ? 1 : 0;
    const int offset = style_.pad_right + 1;
    style_.pad_left = std::max({style_.pad_left, static_cast<int>(options_.nanstr.size()) - offset,
                                static_cast<int>(options_.infstr.size()) + inf_sign - offset});
  }

  std::string special_text(T value) const {
    const bool minus = !std::isnan(value) && value < 0;
    std::string text = minus ? "-" : sign_ == '+' ? "+" : "";
    text += std::isnan(value) ? options_.nanstr : options_.infstr;
    const auto width = static_cast<size_t>(style_.pad_left + style_.pad_right + 1);
    if (text.size() < width) text.insert(0, width - text.size(), ' ');
    return text;
  }

  Type type_;
  char sign_;
  const PrintOptions& options_;
  bool exponent_ = false;
  FloatStyle style_;
};

Values<double> real_parts(const Elements& elements) {
  Values<double> values;
  for_each_polled(elements.count(),
                  [&](int64_t i) { values.push_back(elements.at(i).as_double()); });
  return values;
}

Values<double> imaginary_parts(const Elements& elements) {
  Values<double> values;
  for_each_polled(elements.count(),
                  [&](int64_t i) { values.push_back(elements.at(i).as_complex().imag()); });
  return values;
}

class RealFormat : public ElementFormat {
 public:
  RealFormat(DType dtype, const Elements& elements, const PrintOptions& options)
      : elements_(elements), format_({dtype}, real_parts(elements), options.sign, options) {}
  std::string text(int64_t index) const override {
    return format_.text(elements_.at(index).as_double());
  }

 private:
  Elements elements_;
  FloatFormat<NumberType> format_;
};

// An imaginary part, the j before the spaces behind it.
std::string with_unit(std::string imaginary) {
  return imaginary.insert(imaginary.find_last_not_of(' ') + 1, 1, 'j');
}

// The options of a complex number's part: numpy 1.13 has a mode of its own for each.
PrintOptions for_part(PrintOptions options, FloatMode oldest) {
  if (options.legacy == LegacyLayout::k1_13) options.floatmode = oldest;
  return options;
}

class ComplexFormat : public ElementFormat {
 public:
  ComplexFormat(DType dtype, const Elements& elements, const PrintOptions& options)
      : elements_(elements),
        real_options_(for_part(options, FloatMode::kMaxprecEqual)),
        imaginary_options_(for_part(options, FloatMode::kMaxprec)),
        real_({real_type(dtype)}, real_parts(elements), options.sign, real_options_),
        imaginary_({real_type(dtype)}, imaginary_parts(elements), '+', imaginary_options_) {}
  std::string text(int64_t index) const override {
    const std::complex<double> value = elements_.at(index).as_complex();
    return real_.text(value.real()) + with_unit(imaginary_.text(value.imag()));
  }

 private:
  Elements elements_;
  PrintOptions real_options_, imaginary_options_;
  FloatFormat<NumberType> real_;
  FloatFormat<NumberType> imaginary_;
};

class LongDoubleFormat : public ElementFormat {
 public:
  LongDoubleFormat(std::vector<long double> values, char sign, const PrintOptions& options)
      : values_(std::move(values)), format_({}, values_, sign, options) {}
  std::string text(int64_t index) const override {
    return format_.text(values_[static_cast<size_t>(index)]);
  }

 private:
  std::vector<long double> values_;
  FloatFormat<LongDoubleType> format_;
};

class LongComplexFormat : public ElementFormat {
 public:
  LongComplexFormat(std::vector<long double> real, std::vector<long double> imaginary,
                    const PrintOptions& options)
      : real_options_(for_part(options, FloatMode::kMaxprecEqual)),
        imaginary_options_(for_part(options, FloatMode::kMaxprec)),
        real_(std::move(real), options.sign, real_options_),
        imaginary_(std::move(imaginary), '+', imaginary_options_) {}
  std::string text(int64_t index) const override {
    return real_.text(index) + with_unit(imaginary_.text(index));
  }

 private:
  PrintOptions real_options_, imaginary_options_;
  LongDoubleFormat real_, imaginary_;
};

// Writes each element by itself, for types that are not NumPy's own.
class PlainFormat : public ElementFormat {
 public:
  explicit PlainFormat(const Elements& elements) : elements_(elements) {}
  std::string text(int64_t index) const override { return scalar_str(elements_.at(index)); }

 private:
  Elements elements_;
};

}  // namespace

std::unique_ptr<ElementFormat> make_element_format(DType dtype, const void* data, int64_t count,
                                                   bool is_0d, const PrintOptions& options) {
  const Elements elements(dtype, data, count);
  if (!is_numpys_own(dtype)) return std::make_unique<PlainFormat>(elements);
  if (dtype == DType::kBool) return std::make_unique<BoolFormat>(elements, is_0d);
  if (is_float(dtype)) return std::make_unique<RealFormat>(dtype.native(), elements, options);
  if (is_complex(dtype)) return std::make_unique<ComplexFormat>(dtype.native(), elements, options);
  return std::make_unique<IntegerFormat>(elements, options.sign);
}

std::unique_ptr<ElementFormat> make_long_double_format(std::vector<long double> real,
                                                       std::vector<long double> imaginary,
                                                       const PrintOptions& options) {
  if (imaginary.empty()) {
    return std::make_unique<LongDoubleFormat>(std::move(real), options.sign, options);
  }
  return std::make_unique<LongComplexFormat>(std::move(real), std::move(imaginary), options);
}

}  // namespace gpy::rt
