// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/pipeline.hpp"

#include <array>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle::plans {

TEST_CASE("P* = sqrt((L-1) M β / α), explainer 01 (Lu) App. C.3") {
  // α = 1 µs, 100 GB/s: (63 - 1) · 2^30 · 1e-11 / 1e-6 = 665719.9…, its root 815.9
  CHECK(optimal_segments(63, std::int64_t{1} << 30, {1e-6, 1e-11}) == 816);
  CHECK(optimal_segments(10, 900, {9e-9, 1e-9}) == 30);
  SECTION("it is the whole number next to the best") {
    const auto time = [](double p) { return (20 + p - 1) * (5 + 4000 / p); };
    const auto best = static_cast<double>(optimal_segments(20, 4000, {5, 1}));
    CHECK(best == 123);
    CHECK(time(best) < time(best - 1));
    CHECK(time(best) < time(best + 1));
  }
}

TEST_CASE("at least one segment, and not more than are of use") {
  CHECK(optimal_segments(1, 1 << 20, {1e-6, 1e-9}) == 1);  // one step: nothing to overlap
  CHECK(optimal_segments(0, 1 << 20, {1e-6, 1e-9}) == 1);
  CHECK(optimal_segments(63, 0, {1e-6, 1e-9}) == 1);
  CHECK(optimal_segments(63, 1000, {1e-6, 0}) == 1);  // infinite bandwidth
  CHECK(optimal_segments(63, 1000, {0, 1e-9}) == kMostSegments);
  CHECK(optimal_segments(63, 0, {}) == 1);
  CHECK(optimal_segments(5, 1 << 20, {}) == 8);  // unknown: √(4 · 1 MiB / 64 KiB)
}

TEST_CASE("tuning tries powers of two within a factor of 8 of P*, the nearest first") {
  using Texts = std::vector<std::string>;
  CHECK(segments_to_try(30, 1000) == Texts{"32", "16", "64", "8", "128", "4"});
  CHECK(segments_to_try(30, 50) == Texts{"32", "16", "8", "4"});
  CHECK(segments_to_try(1, 1000) == Texts{"1", "2", "4", "8"});
  CHECK(segments_to_try(1, 0).empty());
}

TEST_CASE("the option: a number or P*") {
  const std::array parameters{Segments::parameter([](const Shape&) { return std::int64_t{30}; })};
  CHECK(Segments(Options(parameters)).wanted(10, 900, {9e-9, 1e-9}) == 30);
  CHECK(Segments(Options(parameters, "segments=7")).wanted(10, 900, {9e-9, 1e-9}) == 7);
  CHECK_THROWS_AS(Segments(Options(parameters, "segments=0")), InputError);
  CHECK_THROWS_AS(Segments(Options(parameters, "segments=many")), InputError);
}

}  // namespace heddle::plans
