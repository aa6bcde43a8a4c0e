// SPDX-License-Identifier: Apache-2.0
#include "lab/results/comparison.hpp"

#include <algorithm>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

namespace {

/// An allreduce of 1 KiB on ring:4 by this algorithm; 0 ps: it failed.
ResultCell cell_of(const std::string& algorithm, std::int64_t ps, const std::string& topology = "ring:4") {
  ResultCell cell;
  for (const std::string& name : cell_names())
    cell.values.push_back(name == "algorithm" ? algorithm : name == "topology" ? topology : name == "size" ? "1KiB" : "");
  if (ps > 0)
    cell.time = Time::ps(ps);
  else
    cell.failure = "deadlock";
  return cell;
}

ResultFile results_of(std::vector<ResultCell> cells, const std::string& version = "1.0") {
  ResultFile file;
  file.path = "results.json";
  file.version = version;
  file.contexts = {{{"seed", 1}}};
  file.cells = std::move(cells);
  return file;
}

std::vector<std::string> changes_of(const Comparison& comparison) {
  std::vector<std::string> texts;
  for (const CellDifference& difference : comparison.differences)
    texts.push_back(to_string(difference.change) + " " + difference.values.back());
  return texts;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a cell is slower when it takes longer than the tolerance allows, and not at the tolerance itself") {
  const auto compared = [](std::int64_t before, std::int64_t now, double tolerance) {
    return compare(results_of({cell_of("ring", before)}), results_of({cell_of("ring", now)}), tolerance);
  };
  CHECK(changes_of(compared(1000, 1020, 0.01)) == Lines{"slower ring"});
  CHECK(compared(1000, 1020, 0.01).differences[0].slowdown() == Approx(0.02));
  CHECK(compared(1000, 1020, 0.01).is_worse());
  CHECK(compared(1000, 1010, 0.01).differences.empty());
  CHECK(compared(1000, 1001, 0).is_worse());
  CHECK(changes_of(compared(1000, 980, 0.01)) == Lines{"faster ring"});
  CHECK_FALSE(compared(1000, 980, 0.01).is_worse());
}

TEST_CASE("failing cells come first, then slower ones, the slowest first") {
  const Comparison comparison = compare(results_of({cell_of("a", 100), cell_of("b", 100), cell_of("c", 100), cell_of("d", 100),
                                                    cell_of("e", 0), cell_of("f", 100)}),
                                        results_of({cell_of("a", 200), cell_of("b", 300), cell_of("c", 50), cell_of("d", 0),
                                                    cell_of("e", 100), cell_of("g", 100)}),
                                        0.01);
  CHECK(changes_of(comparison) == Lines{"wrong d", "slower b", "slower a", "missing f", "new g", "right now e", "faster c"});
  CHECK(comparison.matched == 5);
  CHECK(comparison.unchanged == 0);
}

TEST_CASE("a new cell that fails is wrong, and one that failed before is still") {
  const Comparison comparison = compare(results_of({cell_of("a", 0), cell_of("b", 9)}),
                                        results_of({cell_of("a", 0), cell_of("b", 9), cell_of("c", 0)}), 0);
  CHECK(changes_of(comparison) == Lines{"wrong a", "wrong c"});
  CHECK(comparison.is_worse());
}

TEST_CASE("what is missing, new, faster or right again is no failure") {
  const Comparison comparison = compare(results_of({cell_of("a", 9), cell_of("b", 0), cell_of("c", 100)}),
                                        results_of({cell_of("b", 9), cell_of("c", 50), cell_of("d", 9)}), 0);
  CHECK(changes_of(comparison) == Lines{"missing a", "new d", "right now b", "faster c"});
  CHECK_FALSE(comparison.is_worse());
}

TEST_CASE("another fabric, version and seed are said, and cells matched by the rest") {
  ResultFile now = results_of({cell_of("ring", 100, "torus:2x2")}, "2.0");
  now.contexts = {{{"seed", 7}}};
  const Comparison comparison = compare(results_of({cell_of("ring", 100)}), now, 0);
  CHECK(comparison.matched == 1);
  Lines context;
  for (const ContextDifference& of : comparison.context) context.push_back(of.name + " " + of.before + " " + of.now);
  CHECK(context == Lines{"topology ring:4 torus:2x2", "version 1.0 2.0", "seed 1 7"});
}

TEST_CASE("one fabric of several that is gone is missing cells") {
  const Comparison comparison =
      compare(results_of({cell_of("ring", 1), cell_of("ring", 1, "star:4")}), results_of({cell_of("ring", 1, "star:4")}), 0);
  CHECK(changes_of(comparison) == Lines{"missing ring"});
  CHECK(comparison.context.empty());
}

TEST_CASE("files that share no cell cannot be compared") {
  CHECK_THROWS_AS(compare(results_of({cell_of("ring", 1)}), results_of({cell_of("bucket", 1)}), 0), InputError);
}

TEST_CASE("every cell of two files is unchanged or in the list, once for both files") {
  testing::property([] {
    const auto drawn = [] {
      std::vector<ResultCell> cells;
      for (const char* name : {"a", "b", "c", "d", "e"})
        if (drawn::any<bool>()) cells.push_back(cell_of(name, drawn::number(0, 4)));
      cells.push_back(cell_of("always", drawn::number(0, 4)));
      return results_of(cells);
    };
    const ResultFile before = drawn();
    const ResultFile now = drawn();
    const Comparison comparison = compare(before, now, 0);
    std::size_t told = static_cast<std::size_t>(comparison.unchanged);
    for (const CellDifference& difference : comparison.differences) {
      const auto is_it = [&](const ResultCell& cell) { return cell.values == difference.values; };
      told += std::ranges::count_if(before.cells, is_it) > 0 && std::ranges::count_if(now.cells, is_it) > 0 ? 1 : 0;
    }
    RC_ASSERT(told == static_cast<std::size_t>(comparison.matched));
    RC_ASSERT(comparison.differences.size() + static_cast<std::size_t>(comparison.unchanged) ==
              before.cells.size() + now.cells.size() - static_cast<std::size_t>(comparison.matched));
  });
}

TEST_CASE("a tolerance is a percentage or a part, from 0") {
  CHECK(parse_tolerance("1%") == Approx(0.01));
  CHECK(parse_tolerance("0.5%") == Approx(0.005));
  CHECK(parse_tolerance("0.02") == Approx(0.02));
  CHECK(parse_tolerance("0") == 0);
  for (const std::string text : {"", "%", "-1%", "1%%", "nan", "inf", "much"})
    CHECK_THROWS_AS(parse_tolerance(text), InputError);
}

}  // namespace heddle
