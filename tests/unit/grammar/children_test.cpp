// The children of nodes are all that the dump shows, and come in the order of the source.

#include "grammar/children.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "ast_corpus.h"
#include "parsing.h"

namespace gpy::syntax {
namespace {

template <class Node> void add_with_children(const Node& node, std::vector<std::string>& kinds) {
  const std::string kind(kind_name(node.kind));
  kinds.push_back(kind == "ExprStmt" ? "Expr" : kind);
  each_child(node, [&](const auto& child) { add_with_children(child, kinds); });
}

// "Assign", "Name", "Constant": sorted, as the dump puts some children in another order.
std::vector<std::string> walked_kinds(const Tree& tree) {
  std::vector<std::string> kinds;
  for (const Stmt* each : tree.module.body) add_with_children(*each, kinds);
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

// The dump shows parameters, handlers and absent keys in lines of their own, which are no nodes.
bool is_node(const std::string& label, const std::string& kind) {
  constexpr const char* kParts[] = {
      "posonly:", "arg:", "vararg:", "kwonly:", "kwarg:", "handler:", "Module"};
  return kind != "None" &&
         std::find(std::begin(kParts), std::end(kParts), label) == std::end(kParts);
}

std::vector<std::string> dumped_kinds(const Tree& tree) {
  std::vector<std::string> kinds;
  std::istringstream lines(dump(tree, {}));
  for (std::string line; std::getline(lines, line);) {
    std::string label, kind;
    std::istringstream(line) >> label >> kind;
    if (is_node(label, kind)) kinds.push_back(kind);
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

template <class Node> std::string texts_of_children(const SourceFile& source, const Node& node) {
  std::string texts;
  each_child(node, [&](const auto& child) {
    texts += (texts.empty() ? "" : " | ") + std::string(source.text(child.span));
  });
  return texts;
}

std::string children_of(const std::string& statement) {
  auto result = parse_text(statement + "\n");
  REQUIRE(result.tree);
  const Stmt& first = *result.tree->module.body[0];
  const auto* value = try_as<ExprStmt>(&first);
  const SourceFile& source = *result.tree->source;
  return value ? texts_of_children(source, *value->value) : texts_of_children(source, first);
}

TEST_CASE("a walk over the children meets every node") {
  for (const Snippet& snippet : kSnippets) {
    CAPTURE(snippet.text);
    auto result = parse_text(snippet.text);
    REQUIRE(result.tree);
    CHECK_EQ(walked_kinds(*result.tree), dumped_kinds(*result.tree));
  }
}

TEST_CASE("children come in the order of the source") {
  CHECK_EQ(children_of("a = b = c"), "a | b | c");
  CHECK_EQ(children_of("a if b else c"), "a | b | c");
  CHECK_EQ(children_of("for a in b: c\nelse: d"), "a | b | c | d");
  CHECK_EQ(children_of("f(a, k=b)"), "f | a | b");
  CHECK_EQ(children_of("a[b:c:d]"), "a | b:c:d");
  CHECK_EQ(children_of("{a: b, **c}"), "a | b | c");
  CHECK_EQ(children_of("[a for b in c if d]"), "a | b | c | d");
  CHECK_EQ(children_of("@a\ndef f(x: b, y=c, *z: d, w=e, **v: g) -> h: i"),
           "a | b | c | d | e | g | h | i");
  CHECK_EQ(children_of("try: a\nexcept b as x: c\nelse: d\nfinally: e"), "a | b | c | d | e");
}

TEST_CASE("a search among the children stops where it found") {
  auto result = parse_text("[a, b, c]\n");
  const Stmt& first = *result.tree->module.body[0];
  int calls = 0;
  CHECK(any_child(*as<ExprStmt>(first).value, [&](const auto&) { return ++calls == 2; }));
  CHECK_EQ(calls, 2);
  CHECK_FALSE(any_child(*as<ExprStmt>(first).value, [](const auto&) { return false; }));
}

}  // namespace
}  // namespace gpy::syntax
