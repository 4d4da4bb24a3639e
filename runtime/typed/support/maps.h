// Dictionaries that a function on the host makes: entries in the order in which they came, and an
// index of them by open addressing.
#if !defined(__CUDACC_RTC__) && !defined(__CUDACC__) && !defined(_GPY_GRID)

// SplitMix64's last step (Steele, Lea and Flood, 2014).
static inline u64 mixed(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
template <class T> static inline u64 hash_of(T x) {
  if constexpr (Traits<T>::is_integer) return mixed(u64(x));
  else return mixed(x == T(0) ? 0 : double_bits(f64(x)));
}
static inline u64 hash_of(bool x) { return mixed(x); }
template <class F> static inline u64 hash_of(Complex<F> x) {
  return mixed(hash_of(x.re) + 31 * hash_of(x.im));
}
static inline u64 hash_of(const Tuple<>&) { return 0; }
template <class T, class... Rest> static inline u64 hash_of(const Tuple<T, Rest...>& x) {
  return mixed(hash_of(x.first) + 31 * hash_of(x.rest));
}
static inline bool same_key(const Tuple<>&, const Tuple<>&) { return true; }
template <class T> static inline bool same_key(T x, T y) { return equal(x, y); }
template <class T, class... Rest>
static inline bool same_key(const Tuple<T, Rest...>& x, const Tuple<T, Rest...>& y) {
  return same_key(x.first, y.first) && same_key(x.rest, y.rest);
}

template <class K, class V> struct MapEntry {
  K key;
  V value;
  bool is_there;
};
template <class K, class V> struct MapBody {
  MapEntry<K, V>* entries;
  i64 used, count, room;  // entries that are taken, those of them that are there, all
  i64* index;             // of an entry and 1; 0: free. Twice the room and more, a power of two.
  i64 mask;
  Block *entries_block, *index_block;
  Record* record;  // of the caller's; null: it is new
};
// All copies of a dictionary are one.
template <class K, class V> struct Map : Handle<Map<K, V>> {
  using Handle<Map<K, V>>::Handle;
  typedef MapBody<K, V> Body;
  static void end_content(Body& body) {
    for (i64 i = 0; i < body.used; ++i) end_item(body.entries[i].value);
    if (body.entries_block) end_block(body.entries_block);
    if (body.index_block) end_block(body.index_block);
  }
  MapBody<K, V>& body() const { return *(MapBody<K, V>*)elements_of(this->block); }
};

template <class K, class V> static inline void index_entry(MapBody<K, V>& body, i64 entry) {
  u64 at = hash_of(body.entries[entry].key);
  while (body.index[at & u64(body.mask)]) ++at;
  body.index[at & u64(body.mask)] = entry + 1;
}
// Room for more, without the entries that were deleted.
template <class K, class V> static inline void rebuild(MapBody<K, V>& body, i64 room) {
  typedef MapEntry<K, V> Entry;
  Block* block = allocate(room * i64(sizeof(Entry)), true);
  Entry* entries = (Entry*)elements_of(block);
  i64 used = 0;
  for (i64 i = 0; i < body.used; ++i) {
    if (body.entries[i].is_there) move_items(entries + used++, body.entries + i, 1);
  }
  i64 size = 8;
  while (size < 2 * room) size *= 2;
  Block* index = allocate(size * 8, true);
  if (body.entries_block) end_block(body.entries_block);
  if (body.index_block) end_block(body.index_block);
  body.entries_block = block;
  body.index_block = index;
  body.entries = entries;
  body.index = (i64*)elements_of(index);
  body.mask = size - 1;
  body.used = used;
  body.room = room;
  for (i64 i = 0; i < used; ++i) index_entry(body, i);
}
template <class K, class V> static inline Map<K, V> empty_map(i64 room) {
  Map<K, V> out;
  out.block = allocate(sizeof(MapBody<K, V>), true);
  rebuild(out.body(), room < 4 ? 4 : room);
  return out;
}
// The entry of a key; null: it has none.
template <class K, class V>
static inline MapEntry<K, V>* map_find(const Map<K, V>& map, const K& key) {
  MapBody<K, V>& body = map.body();
  for (u64 at = hash_of(key);; ++at) {
    const i64 entry = body.index[at & u64(body.mask)];
    if (!entry) return 0;
    MapEntry<K, V>& found = body.entries[entry - 1];
    if (found.is_there && same_key(found.key, key)) return &found;
  }
}
template <class K, class V>
static inline void map_set(const Map<K, V>& map, const K& key, const V& value) {
  if (MapEntry<K, V>* found = map_find(map, key)) {
    found->value = value;
    return;
  }
  MapBody<K, V>& body = map.body();
  const V copy = value;
  if (body.used == body.room) rebuild(body, 2 * body.count < body.room ? body.room : 2 * body.room);
  MapEntry<K, V>& entry = body.entries[body.used];
  entry.key = key;
  entry.value = copy;
  entry.is_there = true;
  index_entry(body, body.used++);
  ++body.count;
}
template <class K, class V> static inline V map_get(const Map<K, V>& map, const K& key) {
  MapEntry<K, V>* found = map_find(map, key);
  if (__builtin_expect(!found, 0)) fail(kNoKey);
  return found->value;
}
template <class K, class V>
static inline V map_get_or(const Map<K, V>& map, const K& key, const V& otherwise) {
  MapEntry<K, V>* found = map_find(map, key);
  return found ? found->value : otherwise;
}
template <class K, class V> static inline bool map_has(const Map<K, V>& map, const K& key) {
  return map_find(map, key) != 0;
}
template <class K, class V> static inline i64 map_size(const Map<K, V>& map) {
  return map.body().count;
}
template <class K, class V> static inline V map_take(MapBody<K, V>& body, MapEntry<K, V>& entry) {
  const V out = entry.value;
  end_item(entry.value);
  __builtin_memset((void*)&entry.value, 0, sizeof(V));
  entry.is_there = false;
  --body.count;
  return out;
}
template <class K, class V> static inline V map_pop(const Map<K, V>& map, const K& key) {
  MapEntry<K, V>* found = map_find(map, key);
  if (!found) fail(kNoKey);
  return map_take(map.body(), *found);
}
template <class K, class V>
static inline V map_pop_or(const Map<K, V>& map, const K& key, const V& otherwise) {
  MapEntry<K, V>* found = map_find(map, key);
  return found ? map_take(map.body(), *found) : otherwise;
}
template <class K, class V> static inline void map_delete(const Map<K, V>& map, const K& key) {
  map_pop(map, key);
}
template <class K, class V>
static inline V map_setdefault(const Map<K, V>& map, const K& key, const V& value) {
  if (!map_find(map, key)) map_set(map, key, value);
  return map_get(map, key);
}
template <class K, class V> static inline void map_clear(const Map<K, V>& map) {
  MapBody<K, V>& body = map.body();
  for (i64 i = 0; i < body.used; ++i) end_item(body.entries[i].value);
  body.used = body.count = 0;
  rebuild(body, 4);
}
template <class K, class V>
static inline void map_update(const Map<K, V>& map, const Map<K, V>& other) {
  const i64 used = other.body().used;
  for (i64 i = 0; i < used; ++i) {
    const MapEntry<K, V>& entry = other.body().entries[i];
    if (entry.is_there) map_set(map, entry.key, entry.value);
  }
}
template <class K, class V> static inline Map<K, V> map_copy(const Map<K, V>& map) {
  Map<K, V> out = empty_map<K, V>(map.body().count);
  map_update(out, map);
  return out;
}
// What is in it now, as lists.
template <class T, class K, class V, class F>
static inline List<T> map_list(const Map<K, V>& map, const F& item) {
  List<T> out = empty_list<T>(map.body().count);
  for (i64 i = 0; i < map.body().used; ++i) {
    if (map.body().entries[i].is_there) list_append(out, item(map.body().entries[i]));
  }
  return out;
}
template <class K, class V> static inline List<K> map_keys(const Map<K, V>& map) {
  return map_list<K>(map, [](const MapEntry<K, V>& entry) { return entry.key; });
}
template <class K, class V> static inline List<V> map_values(const Map<K, V>& map) {
  return map_list<V>(map, [](const MapEntry<K, V>& entry) { return entry.value; });
}
template <class K, class V> static inline List<Tuple<K, V>> map_items(const Map<K, V>& map) {
  return map_list<Tuple<K, V>>(
      map, [](const MapEntry<K, V>& entry) { return Tuple<K, V>(entry.key, entry.value); });
}

// As a list's (lists.h): keys and values in turn, and how many pairs there are.
template <class K, class V> struct Words<Map<K, V>> {
  enum { count = 3, pair = int(Words<K>::count) + int(Words<V>::count) };
  static Map<K, V> get(const u64* words) {
    Record* record = (Record*)words[2];
    if (!record) return empty_map<K, V>(0);
    if (record->block) return Map<K, V>(record->block);
    const u64* content = record->content();
    const u64* items = (const u64*)content[0];
    Map<K, V> out = empty_map<K, V>(i64(content[1]));
    for (u64 i = 0; i < content[1]; ++i, items += pair)
      map_set(out, Words<K>::get(items), Words<V>::get(items + Words<K>::count));
    out.body().record = record;
    note_record(record, out.block, give_back);
    return out;
  }
  static void give_back(Record* record) { put_items(record->content(), Map<K, V>(record->block)); }
  static void put(u64* words, const Map<K, V>& map) {
    words[2] = (u64)map.body().record;
    if (!words[2]) put_items(words, map);
  }
  static void put_items(u64* words, const Map<K, V>& map) {
    const MapBody<K, V>& body = map.body();
    u64* items = (u64*)elements_of(allocate(body.count * pair * 8, false));
    words[0] = (u64)items;
    words[1] = u64(body.count);
    for (i64 i = 0; i < body.used; ++i) {
      if (!body.entries[i].is_there) continue;
      Words<K>::put(items, body.entries[i].key);
      Words<V>::put(items + Words<K>::count, body.entries[i].value);
      items += pair;
    }
  }
};
#endif
