// functools.lru_cache: results by arguments, the least recently used forgotten first.
#include "src/typed_native.h"
#include "stdlib/native/functools/functools.h"

namespace gpy::lib {

namespace {

// A result in the ring of results, which the cache's own `newest` closes.
struct Result : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  using Object::Object;
  Value key, value;
  Result *newer = this, *older = this;
  template <class F> void each_field(F&& f) { f(key), f(value); }

  void leave() {
    newer->older = older;
    older->newer = newer;
  }
  void enter_after(Result& ring) {
    older = ring.older;
    newer = &ring;
    older->newer = this;
    ring.older = this;
  }
};

struct LruCache : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  using Object::Object;
  Value function;
  int64_t most = -1;  // results kept; -1: all
  bool typed = false;
  int64_t hits = 0, misses = 0;
  Ref<Dict> results;  // key -> Result; key -> value where all are kept
  Ref<Result> ring;   // ring->newer is the oldest, ring->older the newest
  Value keyword_mark;
  Ref<Dict> attributes;
  template <class F> void each_field(F&& f) {
    f(function), f(results), f(attributes), f(keyword_mark);
  }
};

}  // namespace

// --- keys ----------------------------------------------------------------------------------------

static Value make_key(Interpreter& vm, LruCache& cache, const CallArgs& arguments) {
  bool plain = arguments.names.empty() && !cache.typed;
  if (plain && arguments.positional == 1) {
    const Value& only = arguments.values[0];
    if (vm.type_of(only) == vm.types.integer || vm.type_of(only) == vm.types.str) return only;
  }
  if (plain) return vm.tuple(arguments.positionals());
  std::vector<Value> parts(arguments.values, arguments.values + arguments.positional);
  if (!arguments.names.empty()) parts.push_back(cache.keyword_mark);
  for (size_t i = 0; i < arguments.names.size(); ++i) {
    parts.push_back(Value(arguments.names[i]));
    parts.push_back(arguments.keyword(i));
  }
  size_t given = arguments.positional + arguments.names.size();
  for (size_t i = 0; cache.typed && i < given; ++i) {
    parts.push_back(Value(vm.type_of(arguments.values[i])));
  }
  return vm.tuple(parts);
}

// --- calls ---------------------------------------------------------------------------------------

static Value call_unbounded(Interpreter& vm, LruCache& cache, const CallArgs& arguments) {
  Value key = make_key(vm, cache, arguments);
  if (Value* known = cache.results->find(vm, key)) {
    ++cache.hits;
    return *known;
  }
  ++cache.misses;
  Value value = vm.call(cache.function, arguments);
  cache.results->set(vm, key, value);
  return value;
}

static void forget_oldest(Interpreter& vm, LruCache& cache) {
  Ref<Result> oldest(cache.ring->newer);
  oldest->leave();
  cache.results->erase(vm, oldest->key);
}

static void keep(Interpreter& vm, LruCache& cache, const Value& key, const Value& value) {
  if (cache.results->find(vm, key)) return;  // a recursive call has stored it
  if (static_cast<int64_t>(cache.results->size()) >= cache.most) forget_oldest(vm, cache);
  auto result = vm.make<Result>(cache.ring->type);
  result->key = key;
  result->value = value;
  result->enter_after(*cache.ring);
  cache.results->set(vm, key, result);
}

static Value call_bounded(Interpreter& vm, LruCache& cache, const CallArgs& arguments) {
  Value key = make_key(vm, cache, arguments);
  if (Value* known = cache.results->find(vm, key)) {
    auto* result = known->as<Result>();
    result->leave();
    result->enter_after(*cache.ring);
    ++cache.hits;
    return result->value;
  }
  ++cache.misses;
  Value value = vm.call(cache.function, arguments);
  keep(vm, cache, key, value);
  return value;
}

static Value cache_call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  auto& cache = *self.as<LruCache>();
  if (cache.most < 0) return call_unbounded(vm, cache, arguments);
  if (cache.most > 0) return call_bounded(vm, cache, arguments);
  ++cache.misses;
  return vm.call(cache.function, arguments);
}

// --- methods -------------------------------------------------------------------------------------

static Value most_of(const LruCache& cache) {
  return cache.most < 0 ? Value::none() : Value::integer(cache.most);
}

static Value cache_info(Interpreter& vm, LruCache& cache) {
  const Value* make = cache.type->lookup(vm.intern("_info_type"));
  return vm.call(*make, {Value::integer(cache.hits), Value::integer(cache.misses), most_of(cache),
                         Value::integer(static_cast<int64_t>(cache.results->size()))});
}

static Value cache_clear(Interpreter& vm, LruCache& cache) {
  cache.hits = cache.misses = 0;
  cache.results = vm.dict();
  cache.ring = vm.make<Result>(cache.ring->type);
  return Value::none();
}

static Value cache_parameters(Interpreter& vm, LruCache& cache) {
  Ref<Dict> parameters = vm.dict();
  parameters->set(vm.intern("maxsize"), most_of(cache));
  parameters->set(vm.intern("typed"), Value::boolean(cache.typed));
  return parameters;
}

static Value make_cache(Interpreter& vm, Type& cls, const Value& function, const Value& maxsize,
                        const Value& by_type, const Value& info_type) {
  if (!vm.is_callable(function)) vm.raise_type_error("the first argument must be callable");
  auto cache = vm.make<LruCache>(&cls);
  cache->function = function;
  cache->most = maxsize.is_none() ? -1 : std::max<int64_t>(vm.to_index(maxsize), 0);
  cache->typed = vm.truth(by_type);
  cache->results = vm.dict();
  cache->ring = vm.make<Result>(cls.lookup(vm.intern("_result"))->as<Type>());
  cache->keyword_mark = vm.call(Value(vm.types.object));
  if (!cls.lookup(vm.intern("_info_type"))) {
    cls.set_attribute(vm.intern("_info_type"), info_type);
  }
  return cache;
}

static const Native kMethods[] = {
    {"cache_clear", "(self, /)", typed<cache_clear>, "Forgets all results."},
    {"cache_info", "(self, /)", typed<cache_info>,
     "How often a result was known, and how many are."},
    {"cache_parameters", "(self, /)", typed<cache_parameters>, "maxsize and typed."},
};
static const NativeGetter kGetters[] = {GPY_OWN_ATTRIBUTES(LruCache)};
static const Native kConstructor = {"_lru_cache_wrapper",
                                    "(cls, function, maxsize, typed, info, /)", typed<make_cache>,
                                    "A function that remembers its results."};

void add_lru_cache(Interpreter& vm, Module& module) {
  Type* type = vm.make_type<LruCache>({.name = "_lru_cache_wrapper",
                                       .module = "functools",
                                       .doc = kConstructor.doc,
                                       .slots = {.call = cache_call,
                                                 .getattr = get_own<LruCache>,
                                                 .setattr = set_own<LruCache>,
                                                 .list_names = list_own<LruCache>,
                                                 .bind = bind_as_method,
                                                 .traverse = traverse_fields<LruCache>},
                                       .methods = kMethods,
                                       .getters = kGetters,
                                       .constructor = &kConstructor});
  Type* result = vm.make_type<Result>(
      {.name = "_result", .module = "functools", .slots = {.traverse = traverse_fields<Result>}});
  type->set_attribute(vm.intern("_result"), Value(result));
  module.set(vm, "_lru_cache_wrapper", Value(type));
}

}  // namespace gpy::lib
