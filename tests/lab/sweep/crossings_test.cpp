// SPDX-License-Identifier: Apache-2.0
// Where the best changes: drawn curves, at every size that was run and between them.
#include "lab/sweep/sweep_document.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

namespace {

/// A time of 0: it failed a check.
SweepResult result_of(const std::string& algorithm, std::int64_t bytes, std::int64_t time, std::int64_t messages = 8) {
  SweepResult result;
  result.fabric = "ring:8";
  result.algorithm = algorithm;
  result.bytes = bytes;
  if (time == 0) {
    result.failure = Failure{CheckError::Kind::wrong_result, "planted"};
    return result;
  }
  result.measured.emplace();
  result.measured->time = Time::ps(time);
  result.measured->messages = messages;
  return result;
}

std::vector<std::string> texts_of(const std::vector<Crossing>& crossings) {
  std::vector<std::string> texts;
  for (const Crossing& crossing : crossings)
    texts.push_back(crossing.from + " " + crossing.to + " " +
                    (crossing.at ? std::to_string(std::llround(*crossing.at)) : "between"));
  return texts;
}

using Texts = std::vector<std::string>;

/// Drawn curves of up to 6 algorithms at up to 5 sizes, some of them not measured, some with other messages from a size on.
std::vector<SweepResult> drawn_results() {
  const int algorithms = drawn::number(1, 7);
  const int sizes = drawn::number(1, 6);
  std::vector<SweepResult> results;
  std::int64_t bytes = 0;
  for (int s = 0; s < sizes; ++s) {
    bytes += drawn::number<std::int64_t>(1, 1000);
    for (int a = 0; a < algorithms; ++a) {
      const std::int64_t time = drawn::number(0, 8) == 0 ? 0 : drawn::number<std::int64_t>(1, 30);
      results.push_back(result_of(std::string(1, static_cast<char>('a' + a)), bytes, time, drawn::number(0, 8) == 0 ? 9 : 8));
    }
  }
  return results;
}

using Curves = std::map<std::string, std::map<std::int64_t, const SweepMeasurement*>>;

Curves curves_of(const std::vector<SweepResult>& results) {
  Curves curves;
  for (const SweepResult& result : results)
    if (result.measured) curves[result.algorithm][result.bytes] = &*result.measured;
  return curves;
}

std::optional<TimeLine> line_of(const Curves& curves, const std::string& algorithm, std::int64_t below, std::int64_t above) {
  const auto& curve = curves.at(algorithm);
  if (!curve.contains(below) || !curve.contains(above)) return std::nullopt;
  return time_line(curve.at(below), curve.at(above));
}

/// That `best` is the least at `bytes` between two sizes, of those that were measured at both.
void require_least(const Curves& curves, const std::string& best, std::int64_t below, std::int64_t above, double bytes) {
  const double part = (bytes - static_cast<double>(below)) / static_cast<double>(above - below);
  const std::optional<TimeLine> own = line_of(curves, best, below, above);
  RC_ASSERT(own.has_value());
  RC_ASSERT(own->is_straight);
  for (const auto& [algorithm, curve] : curves)
    if (const std::optional<TimeLine> other = line_of(curves, algorithm, below, above))
      RC_ASSERT(own->at(part) <= other->at(part) + 1e-9);
}

void require_least_everywhere(const std::vector<SweepResult>& results, const std::vector<Crossing>& crossings) {
  const Curves curves = curves_of(results);
  std::vector<std::int64_t> sizes;
  for (const SweepResult& result : results)
    if (result.measured && (sizes.empty() || sizes.back() != result.bytes)) sizes.push_back(result.bytes);
  const auto least_at = [&](std::int64_t bytes) {
    std::int64_t least = 1000;
    for (const auto& [algorithm, curve] : curves)
      if (curve.contains(bytes)) least = std::min(least, curve.at(bytes)->time.ps());
    return least;
  };
  if (sizes.empty()) return RC_ASSERT(crossings.empty());
  // The best of the first size: that of the first crossing, or one that is never beaten.
  std::string best = crossings.empty() ? "" : crossings.front().from;
  if (best.empty())
    for (const auto& [algorithm, curve] : curves)
      if (best.empty() && std::ranges::all_of(sizes, [&, &of = curve](std::int64_t bytes) {
            return of.contains(bytes) && of.at(bytes)->time.ps() == least_at(bytes);
          }))
        best = algorithm;
  RC_ASSERT(!best.empty());
  std::size_t next = 0;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    RC_ASSERT(curves.at(best).contains(sizes[s]));
    RC_ASSERT(curves.at(best).at(sizes[s])->time.ps() == least_at(sizes[s]));
    if (s + 1 == sizes.size()) break;
    double from = static_cast<double>(sizes[s]);
    for (; next < crossings.size() && crossings[next].below == sizes[s]; ++next) {
      const Crossing& crossing = crossings[next];
      RC_ASSERT(crossing.from == best);
      RC_ASSERT(crossing.above == sizes[s + 1]);
      if (crossing.at) {
        RC_ASSERT(*crossing.at >= from - 1e-9);
        RC_ASSERT(*crossing.at <= static_cast<double>(crossing.above));
        for (const double bytes : {from, (from + *crossing.at) / 2, *crossing.at})
          require_least(curves, best, crossing.below, crossing.above, bytes);
        require_least(curves, crossing.to, crossing.below, crossing.above, *crossing.at);
        from = *crossing.at;
      }
      best = crossing.to;
    }
  }
  RC_ASSERT(next == crossings.size());
}

}  // namespace

TEST_CASE("a third algorithm that is the best between two sizes alone is named, and where") {
  const std::vector<SweepResult> results = {result_of("early", 1000, 100),  result_of("middle", 1000, 200),
                                            result_of("late", 1000, 400),   result_of("early", 2000, 1100),
                                            result_of("middle", 2000, 500), result_of("late", 2000, 450)};
  // early 100 + 1000 x, middle 200 + 300 x, late 400 + 50 x: they meet at x = 1/7 and 4/5.
  CHECK(texts_of(crossings_of(results)) == Texts{"early middle 1143", "middle late 1800"});
}

TEST_CASE("where the messages change between two sizes, nobody knows where the best does") {
  std::vector<SweepResult> results = {result_of("few", 1000, 100, 8), result_of("cut", 1000, 200, 8),
                                      result_of("few", 2000, 300, 8), result_of("cut", 2000, 250, 64)};
  CHECK(texts_of(crossings_of(results)) == Texts{"few cut between"});
  results[3].measured->messages = 8;
  CHECK(texts_of(crossings_of(results)) == Texts{"few cut 1667"});
  results[3].measured->rounds = 7;
  CHECK(texts_of(crossings_of(results)) == Texts{"few cut between"});
}

TEST_CASE("what was not run at a size is neither the best there nor beaten") {
  const std::vector<SweepResult> results = {result_of("a", 1000, 100), result_of("b", 1000, 200), result_of("c", 1000, 900),
                                            result_of("a", 2000, 0),   result_of("b", 2000, 300), result_of("c", 2000, 310),
                                            result_of("a", 3000, 300), result_of("b", 3000, 400), result_of("c", 3000, 0)};
  CHECK(texts_of(crossings_of(results)) == Texts{"a b between", "b a between"});
  // A size at which nothing was measured is none.
  CHECK(texts_of(crossings_of({result_of("a", 1, 10), result_of("b", 1, 20), result_of("a", 2, 0), result_of("b", 2, 0),
                               result_of("a", 3, 40), result_of("b", 3, 30)})) == Texts{"a b 2"});
}

TEST_CASE("of equals the best stays the best") {
  CHECK(crossings_of({result_of("a", 1, 10), result_of("b", 1, 10), result_of("a", 2, 20), result_of("b", 2, 20)}).empty());
  CHECK(texts_of(crossings_of({result_of("a", 100, 10), result_of("b", 100, 20), result_of("a", 200, 20),
                               result_of("b", 200, 20), result_of("a", 300, 30), result_of("b", 300, 20)})) ==
        Texts{"a b 200"});
}

TEST_CASE("at every size that was measured, at every crossing and between them the one that is named is the least") {
  testing::property([] {
    const std::vector<SweepResult> results = drawn_results();
    require_least_everywhere(results, crossings_of(results));
  });
}

TEST_CASE("a document names no crossing at sizes with runs that are missing, and none in a part of a sweep") {
  SweepDocument document;
  document.planned = 4;
  document.runs = {result_of("a", 1000, 100), result_of("b", 1000, 200), result_of("a", 2000, 300), result_of("b", 2000, 200)};
  CHECK(texts_of(crossings_of(document)) == Texts{"a b 1500"});
  CHECK(json_of_crossings(document).dump() ==
        R"([{"fabric":"ring:8","from":"a","to":"b","below":1000,"above":2000,"at":1500.0}])");
  document.shard = {1, 2};
  CHECK(crossings_of(document).empty());
  document.shard = {};
  document.runs.back().measured.reset();
  CHECK(crossings_of(document).empty());
}

}  // namespace heddle
