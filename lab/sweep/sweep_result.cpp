// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/sweep_result.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "algorithms/registry/registry.hpp"

namespace heddle {

namespace {

/// The measured results of one fabric and size.
struct Point {
  std::int64_t bytes;
  std::vector<const SweepResult*> measured;
};

const SweepMeasurement* find(const Point& point, const std::string& algorithm) {
  for (const SweepResult* result : point.measured)
    if (result->algorithm == algorithm) return &*result->measured;
  return nullptr;
}

/// How much longer `b` takes than `a`, in picoseconds; no value unless both were measured.
std::optional<double> lead(const Point& point, const std::string& a, const std::string& b) {
  const SweepMeasurement* of_a = find(point, a);
  const SweepMeasurement* of_b = find(point, b);
  if (of_a == nullptr || of_b == nullptr) return std::nullopt;
  return static_cast<double>((of_b->time - of_a->time).ps());
}

Crossing crossing_between(const Point& below, const Point& above, const SweepResult& from, const SweepResult& to) {
  Crossing crossing{from.fabric, from.algorithm, to.algorithm, below.bytes, above.bytes, 0};
  const auto width = static_cast<double>(above.bytes - below.bytes);
  const std::optional<double> before = lead(below, from.algorithm, to.algorithm);
  const std::optional<double> after = lead(above, to.algorithm, from.algorithm);
  const bool has_lines = before && after && *before + *after > 0;
  crossing.at = static_cast<double>(below.bytes) + width * (has_lines ? *before / (*before + *after) : 0.5);
  return crossing;
}

/// The points of one fabric, by size.
std::vector<Point> points_of(std::span<const SweepResult> results) {
  std::vector<Point> points;
  for (const SweepResult& result : results) {
    if (points.empty() || points.back().bytes != result.bytes) points.push_back({result.bytes, {}});
    if (result.measured) points.back().measured.push_back(&result);
  }
  return points;
}

void append_crossings(std::span<const SweepResult> results, std::vector<Crossing>& crossings) {
  const Point* below = nullptr;
  const std::vector<Point> points = points_of(results);
  for (const Point& point : points) {
    const SweepResult* best = best_of(point.measured);
    if (best == nullptr) continue;
    if (below != nullptr) {
      const SweepResult* best_below = best_of(below->measured);
      if (best_below->algorithm != best->algorithm) crossings.push_back(crossing_between(*below, point, *best_below, *best));
    }
    below = &point;
  }
}

bool are_of_one_row(const SweepResult& a, const SweepResult& b) {
  return a.fabric == b.fabric && a.bytes == b.bytes && bare_name(a.algorithm) == bare_name(b.algorithm);
}

bool is_better(const SweepResult& a, const SweepResult& b) {
  return a.measured && (!b.measured || a.measured->time < b.measured->time);
}

}  // namespace

bool are_twins(const SweepResult& a, const SweepResult& b) {
  if (!a.measured || !b.measured || !a.measured->messages_digest || !b.measured->messages_digest) return false;
  const auto likeness = [](const SweepMeasurement& of) { return RunLikeness(of.messages, *of.messages_digest, of.time); };
  return are_twins(likeness(*a.measured), likeness(*b.measured));
}

std::vector<SweepResult> best_of_rows(const std::vector<SweepResult>& results) {
  std::vector<SweepResult> best;
  for (const SweepResult& result : results) {
    // Variants of a row stand together; of two that were named, each with variants of its own, they do as well.
    if (best.empty() || !are_of_one_row(best.back(), result))
      best.push_back(result);
    else if (is_better(result, best.back()))
      best.back() = result;
  }
  return best;
}

const SweepResult* best_of(const std::vector<const SweepResult*>& results) {
  const SweepResult* best = nullptr;
  for (const SweepResult* result : results)
    if (result->measured && (best == nullptr || result->measured->time < best->measured->time)) best = result;
  return best;
}

std::vector<Crossing> crossings_of(const std::vector<SweepResult>& results) {
  std::vector<Crossing> crossings;
  for (std::size_t begin = 0, end = 0; begin < results.size(); begin = end) {
    while (end < results.size() && results[end].fabric == results[begin].fabric) ++end;
    append_crossings(std::span(results).subspan(begin, end - begin), crossings);
  }
  return crossings;
}

}  // namespace heddle
