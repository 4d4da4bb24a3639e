// The module _json: reading and writing for json/__init__.gpy.
#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "stdlib/native/json/json.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

static const Native kRows[] = {
    {"scan",
     "(text, start, error, strict, object_hook, object_pairs_hook, parse_int, parse_float, "
     "parse_constant, /)",
     json_scan, "(value, end, next) of the JSON value at start; next: behind the spaces too."},
    {"write",
     "(value, default, skipkeys, ensure_ascii, check_circular, allow_nan, sort_keys, indent, "
     "item_separator, key_separator, /)",
     json_write, "A value as JSON."},
};

Value open__json(Interpreter& vm) { return vm.make_module("_json", kRows); }

}  // namespace gpy::lib
