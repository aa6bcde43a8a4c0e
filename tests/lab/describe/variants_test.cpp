// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/variants.hpp"

#include <string>
#include <vector>

#include "core/affine.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

using Texts = std::vector<std::string>;

const Shape kShape{.ranks = 8, .count = 64, .bytes = 256};

struct Choice {
  std::string_view name;
  Texts candidates;
};

/// A row whose options take any value but "wrong"; one with "odd" twice does not serve.
Algorithm row(std::string name, const std::vector<Choice>& choices) {
  Algorithm row;
  row.collective = Collective::allreduce;
  row.name = std::move(name);
  for (const Choice& choice : choices)
    row.parameters.push_back(
        {.name = choice.name, .default_value = "as_is", .meaning = "", .candidates = candidates_anywhere(choice.candidates)});
  if (choices.empty()) return row;
  row.configured = [row, choices](const Options& options) {
    Algorithm other = row;
    int odd = 0;
    for (const Choice& choice : choices) {
      if (options.text(choice.name) == "wrong") throw InputError("'wrong': not a value");
      odd += options.text(choice.name) == "odd" ? 1 : 0;
      if (options.text(choice.name) == "unfit") odd = 2;
    }
    other.needs.more = "fewer odd values";
    other.needs.has_more = [odd](const Shape&) { return odd < 2; };
    return other;
  };
  return row;
}

Variants variants(const std::vector<Algorithm>& rows, int budget) {
  return variants_of(rows, std::span(&kShape, 1), ReduceOp::sum(), Tuning{.budget = budget});
}

Texts names(const Variants& variants) {
  Texts names;
  for (const Algorithm& algorithm : variants.algorithms) names.push_back(algorithm.name);
  return names;
}

}  // namespace

TEST_CASE("all combinations are tried within the budget, the row as named first, single changes before both") {
  const Variants all = variants({row("a", {{"x", {"1", "2"}}, {"y", {"3"}}})}, 100);
  CHECK(names(all) == Texts{"a", "a:y=3", "a:x=1", "a:x=2", "a:x=1:y=3", "a:x=2:y=3"});
  CHECK(all.count == VariantCount{.points = 1, .rows = 1, .combinations = 6, .tried = 6});
}

TEST_CASE("a budget is shared by the rows in turn, and what it leaves out is counted") {
  const std::vector<Algorithm> rows = {row("a", {{"x", {"1", "2", "3", "4"}}}), row("b", {}), row("c", {{"y", {"1"}}})};
  const Variants some = variants(rows, 6);
  CHECK(names(some) == Texts{"a", "a:x=1", "a:x=2", "b", "c", "c:y=1"});
  CHECK(some.count == VariantCount{.points = 1, .rows = 3, .combinations = 8, .tried = 6, .left_out = {{"a", 2}}});
  // Rows as named are tried in any case.
  CHECK(names(variants(rows, 1)) == Texts{"a", "b", "c"});
}

TEST_CASE("options that are named stay") {
  const Algorithm chosen =
      with_options(row("a", {{"x", {"1", "2"}}, {"y", {"3"}}}), Options(row("a", {{"x", {}}, {"y", {}}}).parameters, "x=7"));
  CHECK(names(variants({chosen}, 10)) == Texts{"a:x=7", "a:x=7:y=3"});
}

TEST_CASE("a variant that is named as well is tried once") {
  const Algorithm a = row("a", {{"x", {"1", "2"}}});
  const Variants both = variants({with_options(a, Options(a.parameters, "x=1")), a}, 10);
  CHECK(names(both) == Texts{"a:x=1", "a", "a:x=2"});
  CHECK(both.count.combinations == 3);
  CHECK(both.count.left_out.empty());
}

TEST_CASE("values that do not serve are no combinations; combinations that do not are counted") {
  const Variants some = variants({row("a", {{"x", {"unfit", "odd"}}, {"y", {"odd"}}})}, 10);
  CHECK(names(some) == Texts{"a", "a:y=odd", "a:x=odd"});
  CHECK(some.count == VariantCount{.points = 1, .rows = 1, .combinations = 4, .tried = 3, .unfit = 1});
}

TEST_CASE("the default among the candidates, and one that is named twice, count once") {
  CHECK(names(variants({row("a", {{"x", {"as_is", "1", "1"}}})}, 10)) == Texts{"a", "a:x=1"});
}

TEST_CASE("a candidate that is no value is named with its row") {
  CHECK_THROWS_WITH(variants({row("a", {{"x", {"wrong"}}})}, 10), "tuning a: its candidate x=wrong: 'wrong': not a value");
}

TEST_CASE("rows that say nothing of tuning are tried as they are") {
  Algorithm silent = row("a", {{"x", {"1"}}});
  silent.parameters[0].candidates = nullptr;
  CHECK(names(variants({silent}, 10)) == Texts{"a"});
}

TEST_CASE("options with many values are no matter: the budget's are found without going through all") {
  Texts values;
  for (int i = 0; i < 200; ++i) values.push_back(std::to_string(i));
  const Variants some = variants({row("a", {{"u", values}, {"v", values}, {"w", values}, {"x", values}, {"y", values}})}, 50);
  CHECK(some.algorithms.size() == 50);
  CHECK(some.count.combinations == 201LL * 201 * 201 * 201 * 201);
}

TEST_CASE("what is said of a budget beforehand") {
  const VariantCount count{.points = 1, .rows = 3, .combinations = 9, .tried = 6, .unfit = 1, .left_out = {{"a", 2}}};
  CHECK(tuning_text(count, Tuning{.budget = 6}) ==
        "tuning: 3 rows, 9 combinations of options; 6 are tried, 1 does not serve, 2 left out by --tune-budget 6 (a 2)");
  VariantCount more = count;
  more += VariantCount{.points = 1, .rows = 2, .combinations = 3, .tried = 2, .left_out = {{"b", 1}}};
  CHECK(tuning_text(more, Tuning{.budget = 6}) ==
        "tuning at 2 points: 5 rows, 12 combinations of options; 8 are tried, 1 does not serve, 3 left out by --tune-budget 6 "
        "(a 2, b 1)");
  CHECK(tuning_text({.points = 1, .rows = 1, .combinations = 1, .tried = 1}, {}) ==
        "tuning: 1 row, 1 combination of options; 1 is tried");
}

}  // namespace heddle
