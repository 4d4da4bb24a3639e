#pragma once
// A Value is 16 bytes: a tag and a word. Numbers, None and the other singletons are in the word;
// everything else is a counted reference to an Object. Counts are not atomic: an object belongs to
// one interpreter, and an interpreter runs on one thread at a time.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace gpy {

class Interpreter;
struct Type;

// The layout of the bytes behind an object. A subclass keeps its base's layout, so `is<Dict>()` is
// one load and holds for subclasses too; compare `type` for an exact check. Values from
// `first_free` on are for native types that floors above define.
enum class ObjectLayout : uint8_t {
  plain,
  type,
  big_int,
  complex,
  str,
  bytes,
  list,
  tuple,
  dict,
  dict_view,
  set,
  slice,
  range,
  long_range,
  range_iterator,
  sequence_iterator,
  native_iterator,
  function,
  native_function,
  bound_method,
  getter,
  property,
  static_method,
  class_method,
  module,
  exception,
  traceback,
  cell,
  code,
  generator,
  instance,
  file,
  first_free = 64,
};

// Layouts that many C++ types have in common: the object's type tells them apart.
constexpr bool is_shared(ObjectLayout layout) {
  return layout == ObjectLayout::plain || layout == ObjectLayout::native_iterator;
}

// The identity of such a C++ type. One derived from another struct of objects names that as `Base`.
struct CppType {
  const CppType* base;
};
template <class T> constexpr bool has_base() {
  return requires { typename T::Base; };
}
template <class T> constexpr const CppType* base_cpp_type();
template <class T> inline constexpr CppType kCppType{base_cpp_type<T>()};
template <class T> constexpr const CppType* base_cpp_type() {
  if constexpr (has_base<T>()) return &kCppType<typename T::Base>;
  return nullptr;
}

struct Object {
  explicit Object(Type* type);  // takes the layout from the type
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  // Objects are allocated in their interpreter's Heap: Interpreter::make.
  static void* operator new(size_t) = delete;
  static void* operator new(size_t, void* block) { return block; }
  static void operator delete(void*) = delete;
  static void operator delete(void*, void*) {}

  Type* type;
  uint32_t refs = 0;
  ObjectLayout layout;
  uint8_t collector = 0;  // notes of the cycle collector while it runs
  uint16_t flags = 0;     // free for the layout's own use
};

// Whether the object's type was made for the C++ type that `cpp_type` stands for, or for one
// derived from it.
inline bool is_made_for(const Object* object, const CppType* cpp_type) noexcept;

// Called when the last reference goes. Long chains are released iteratively, never by recursion.
void destroy_object(Object* object) noexcept;

inline void retain(Object* object) noexcept { ++object->refs; }
inline void release(Object* object) noexcept {
  if (--object->refs == 0) destroy_object(object);
}

// An owning pointer to an object of a known C++ type.
template <class T> class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  Ref(T* object) : object_(object) {
    if (object_) retain(object_);
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
  requires std::is_convertible_v<U*, T*> Ref(const Ref<U>& other)
      : Ref(static_cast<T*>(other.get())) {}
  ~Ref() {
    if (object_) release(object_);
  }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  // Passes the reference to the caller.
  T* detach() { return std::exchange(object_, nullptr); }

 private:
  T* object_ = nullptr;
};

enum class Tag : uint8_t {
  undefined,  // no value: an unbound variable, an omitted argument, an exhausted iterator
  none,
  not_implemented,
  ellipsis,
  boolean,
  integer,  // fits 64 bits; beyond, an Int object
  real,
  object,
};

class Value;
// Throws an error that becomes a SystemError: a native has read the value as another type.
[[noreturn, gnu::cold]] void refuse_to_read(const Value& value, const char* as);

class Value {
 public:
  Value() noexcept : tag_(Tag::undefined) { word_.integer = 0; }
  template <class T>
  Value(const Ref<T>& object) noexcept : Value(static_cast<Object*>(object.get())) {}
  template <class T> Value(Ref<T>&& object) noexcept : tag_(Tag::object) {
    word_.object = static_cast<Object*>(object.detach());
  }
  explicit Value(Object* object) noexcept : tag_(Tag::object) {
    word_.object = object;
    retain(object);
  }
  Value(const Value& other) noexcept : word_(other.word_), tag_(other.tag_) {
    if (tag_ == Tag::object) retain(word_.object);
  }
  Value(Value&& other) noexcept : word_(other.word_), tag_(other.tag_) {
    other.tag_ = Tag::undefined;
  }
  ~Value() {
    if (tag_ == Tag::object) release(word_.object);
  }
  Value& operator=(const Value& other) noexcept {
    if (other.tag_ == Tag::object) retain(other.word_.object);
    put(other.word_, other.tag_);
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    Word word = other.word_;
    Tag tag = std::exchange(other.tag_, Tag::undefined);
    put(word, tag);
    return *this;
  }
  void swap(Value& other) noexcept {
    std::swap(word_, other.word_);
    std::swap(tag_, other.tag_);
  }

  // `value = Value::integer(i)` and the like, without the value in between.
  void set_undefined() noexcept { put({}, Tag::undefined); }
  void set_boolean(bool b) noexcept { put({.integer = b}, Tag::boolean); }
  void set_integer(int64_t i) noexcept { put({.integer = i}, Tag::integer); }
  void set_real(double d) noexcept { put({.real = d}, Tag::real); }

  static Value undefined() { return Value(); }
  static Value none() { return Value(Tag::none); }
  static Value not_implemented() { return Value(Tag::not_implemented); }
  static Value ellipsis() { return Value(Tag::ellipsis); }
  static Value boolean(bool b) {
    Value v(Tag::boolean);
    v.word_.integer = b;
    return v;
  }
  static Value integer(int64_t i) {
    Value v(Tag::integer);
    v.word_.integer = i;
    return v;
  }
  static Value real(double d) {
    Value v(Tag::real);
    v.word_.real = d;
    return v;
  }

  Tag tag() const { return tag_; }
  bool is_undefined() const { return tag_ == Tag::undefined; }
  bool is_defined() const { return tag_ != Tag::undefined; }
  bool is_none() const { return tag_ == Tag::none; }
  bool is_not_implemented() const { return tag_ == Tag::not_implemented; }
  bool is_ellipsis() const { return tag_ == Tag::ellipsis; }
  bool is_boolean() const { return tag_ == Tag::boolean; }
  bool is_integer() const { return tag_ == Tag::integer; }
  bool is_real() const { return tag_ == Tag::real; }
  bool is_object() const { return tag_ == Tag::object; }

  // Checked: a value cannot be read as another type. The check costs nothing where the compiler has
  // seen the same test before.
  bool as_boolean() const {
    if (tag_ != Tag::boolean) [[unlikely]]
      refuse_to_read(*this, "a bool");
    return word_.integer != 0;
  }
  int64_t as_integer() const {  // of a boolean too
    if (tag_ != Tag::integer && tag_ != Tag::boolean) [[unlikely]]
      refuse_to_read(*this, "an int");
    return word_.integer;
  }
  double as_real() const {
    if (tag_ != Tag::real) [[unlikely]]
      refuse_to_read(*this, "a float");
    return word_.real;
  }
  Object* as_object() const {
    if (tag_ != Tag::object) [[unlikely]]
      refuse_to_read(*this, "an object");
    return word_.object;
  }
  template <class T> T* as() const {
    if (!is<T>()) [[unlikely]]
      refuse_to_read(*this, "another kind of object");
    return static_cast<T*>(word_.object);
  }

  // T names its layout: `static constexpr ObjectLayout kLayout`. True for subclasses too.
  template <class T> bool is() const {
    if (tag_ != Tag::object || word_.object->layout != T::kLayout) return false;
    constexpr bool is_told_by_layout = !is_shared(T::kLayout) && !has_base<T>();
    return is_told_by_layout || is_made_for(word_.object, &kCppType<T>);
  }
  template <class T> T* try_as() const { return is<T>() ? static_cast<T*>(word_.object) : nullptr; }

  // Unchecked reads, for code that has tested the tags just before.
  int64_t unchecked_integer() const { return word_.integer; }
  double unchecked_real() const { return word_.real; }
  Object* unchecked_object() const { return word_.object; }
  template <class T> T* unchecked() const { return static_cast<T*>(word_.object); }

  // Python's `is`.
  bool same(const Value& other) const {
    return tag_ == other.tag_ && (tag_ < Tag::boolean || word_.integer == other.word_.integer);
  }

 private:
  union Word {
    int64_t integer;
    double real;
    Object* object;
  };

  explicit Value(Tag tag) noexcept : tag_(tag) { word_.integer = 0; }

  // The old object is released last: its end may run code that reads this value.
  void put(Word word, Tag tag) noexcept {
    if (tag_ != Tag::object) [[likely]] {
      word_ = word;
      tag_ = tag;
      return;
    }
    Object* old = word_.object;
    word_ = word;
    tag_ = tag;
    release(old);
  }

  Word word_;
  Tag tag_;
};
static_assert(sizeof(Value) == 16);

}  // namespace gpy
