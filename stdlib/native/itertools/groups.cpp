// groupby and tee: several iterators that share a source.
#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "stdlib/native/itertools/itertools.h"

namespace gpy::lib {

namespace {

struct Group;

struct GroupBy : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  GroupBy(Type* type, Value iterator, Value key)
      : Object(type), iterator(std::move(iterator)), key(std::move(key)) {}
  Value iterator, key;
  Value item, item_key;    // read and not given out; item undefined: taken
  Value group_key;         // the key of the group given last
  Group* group = nullptr;  // the only group that may read on
  template <class F> void each_field(F&& f) {
    f(iterator), f(key), f(item), f(item_key), f(group_key);
  }
};

struct Group : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  Group(Type* type, Ref<GroupBy> parent)
      : Object(type), parent(std::move(parent)), key(this->parent->item_key) {}
  ~Group() {
    if (parent->group == this) parent->group = nullptr;
  }
  Ref<GroupBy> parent;
  Value key;
  template <class F> void each_field(F&& f) { f(parent), f(key); }
};

// An item that a tee has read, in a chain that each of its iterators walks on its own.
struct Link : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  using Object::Object;
  Value item;  // undefined: not read yet
  Ref<Link> next;
  template <class F> void each_field(F&& f) { f(item), f(next); }
};

struct Source : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  Source(Type* type, Value iterator, Type* link)
      : Object(type), iterator(std::move(iterator)), link(link) {}
  Value iterator;
  Type* link;
  bool reading = false;
  template <class F> void each_field(F&& f) { f(iterator); }
};

struct Tee : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  Tee(Type* type, Ref<Source> source, Ref<Link> at)
      : Object(type), source(std::move(source)), at(std::move(at)) {}
  Ref<Source> source;
  Ref<Link> at;
  template <class F> void each_field(F&& f) { f(source), f(at); }
};

}  // namespace

// Types that scripts do not name are attributes of the types whose objects make theirs.
static Type* hidden_type(Interpreter& vm, Type* home, std::string_view name) {
  return home->lookup(vm.intern(name))->as<Type>();
}

template <class T>
static Type* add_hidden(Interpreter& vm, const char* name, TypeSpec spec, Type* home = nullptr) {
  spec.name = name;
  spec.module = "itertools";
  spec.slots.traverse = traverse_fields<T>;
  Type* type = vm.make_type<T>(spec);
  if (home) home->set_attribute(vm.intern(name), Value(type));
  return type;
}

// --- groupby -------------------------------------------------------------------------------------

static Value make_groupby(Interpreter& vm, Type& cls, const Value& iterable, const Value& key) {
  return vm.make<GroupBy>(&cls, vm.iterate(iterable), key);
}

// Reads one more item with its key; false at the end.
static bool read_item(Interpreter& vm, GroupBy& it) {
  Value item = vm.next(it.iterator);
  if (item.is_undefined()) return false;
  it.item_key = it.key.is_none() ? item : vm.call(it.key, CallArgs{&item, 1});
  it.item = std::move(item);
  return true;
}

static Value groupby_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<GroupBy>();
  it.group = nullptr;
  while (it.item_key.is_undefined() ||
         (it.group_key.is_defined() && vm.equal(it.group_key, it.item_key))) {
    if (!read_item(vm, it)) return Value();
    vm.poll();
  }
  it.group_key = it.item_key;
  auto group = vm.make<Group>(hidden_type(vm, it.type, "_grouper"), Ref<GroupBy>(&it));
  it.group = group.get();
  return vm.tuple({it.group_key, Value(group)});
}

static Value group_next(Interpreter& vm, const Value& self) {
  auto& group = *self.as<Group>();
  GroupBy& it = *group.parent;
  if (it.group != &group) return Value();
  if (it.item.is_undefined() && !read_item(vm, it)) return Value();
  if (!vm.equal(group.key, it.item_key)) return Value();
  return std::exchange(it.item, Value());
}

static const Native kGroupby = {"groupby", "(cls, iterable, key=None)", typed<make_groupby>,
                                "(key, items) for each run of items with equal keys."};

// --- tee -----------------------------------------------------------------------------------------

static Value tee_next(Interpreter& vm, const Value& self) {
  auto& tee = *self.as<Tee>();
  if (tee.at->item.is_undefined()) {
    if (tee.source->reading) vm.raise_runtime_error("cannot re-enter the tee iterator");
    tee.source->reading = true;
    Value item;
    try {
      item = vm.next(tee.source->iterator);
    } catch (...) {
      tee.source->reading = false;
      throw;
    }
    tee.source->reading = false;
    if (item.is_undefined()) return item;
    tee.at->item = std::move(item);
    tee.at->next = vm.make<Link>(tee.source->link);
  }
  Value item = tee.at->item;
  tee.at = tee.at->next;
  return item;
}

static Value copy_tee(Interpreter& vm, const Tee& tee) {
  return vm.make<Tee>(tee.type, tee.source, tee.at);
}

static Value first_tee(Interpreter& vm, Type* type, const Value& iterator) {
  if (iterator.is_object() && iterator.as_object()->type == type) return iterator;
  Type* link = hidden_type(vm, type, "_link");
  auto source = vm.make<Source>(hidden_type(vm, type, "_source"), iterator, link);
  return vm.make<Tee>(type, source, vm.make<Link>(link));
}

static Value tee(Interpreter& vm, const Args& call, const Value& iterable, int64_t count) {
  if (count < 0) vm.raise_value_error("n must be >= 0");
  std::vector<Value> iterators;
  vm.claim(static_cast<size_t>(count), sizeof(Tee) + 2 * sizeof(Value));
  iterators.reserve(static_cast<size_t>(count));
  InterruptPoll poll(vm);
  auto* type = static_cast<Type*>(call.callee().context);
  if (count > 0) iterators.push_back(first_tee(vm, type, vm.iterate(iterable)));
  while (iterators.size() < static_cast<size_t>(count)) {
    poll.step();
    iterators.push_back(copy_tee(vm, *iterators[0].as<Tee>()));
  }
  return vm.tuple(iterators);
}

static const Native kTeeMethods[] = {
    {"__copy__", "(self, /)", typed<copy_tee>, "Another iterator that goes on from here."}};
static const Native kTee = {"tee", "(iterable, n=2, /)", typed<tee>,
                            "n iterators that each give the items of iterable."};

void add_groups(Interpreter& vm, Module& module) {
  Type* groupby = add_iterator<GroupBy>(vm, module, kGroupby, groupby_next);
  add_hidden<Group>(vm, "_grouper", {.slots = {.iter = iterator_itself, .next = group_next}},
                    groupby);
  Type* tee = add_hidden<Tee>(
      vm, "_tee", {.slots = {.iter = iterator_itself, .next = tee_next}, .methods = kTeeMethods});
  add_hidden<Link>(vm, "_link", {}, tee);
  add_hidden<Source>(vm, "_source", {}, tee);
  module.set(vm, "tee", vm.function(kTee, "itertools", tee));
}

}  // namespace gpy::lib
