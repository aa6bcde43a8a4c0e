// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/windows/trivance_pattern.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace heddle::schedule {

namespace {

using Growths = std::vector<TrivanceGrowth>;

int power_of_three(int exponent) {
  int power = 1;
  for (int i = 0; i < exponent; ++i) power *= 3;
  return power;
}

WindowSchedule windows_of(const Growths& growths) {
  std::vector<std::vector<WindowPart>> steps;
  Window window{0, 1};
  for (const TrivanceGrowth& growth : growths) {
    std::vector<WindowPart>& parts = steps.emplace_back();
    if (growth.right > 0) parts.push_back({growth.right, {window.end(), growth.right}});
    if (growth.left > 0) parts.push_back({-growth.left, {window.first - growth.left, growth.left}});
    window = {window.first - growth.left, window.count + growth.left + growth.right};
  }
  return WindowSchedule(steps);
}

/// What the busier direction carries, times how far, summed over the steps.
std::int64_t load_of(const WindowSchedule& windows) {
  std::int64_t load = 0;
  for (const WindowSchedule::Step& step : windows.steps()) {
    std::int64_t busier = 0;
    for (const WindowSchedule::Message& message : step.messages)
      busier = std::max(busier, std::int64_t{std::abs(message.peer)} * static_cast<std::int64_t>(message.sums.size()));
    load += busier;
  }
  return load;
}

/// Looks for the windows whose parts end at seams: places where the rank's own sums of the steps before meet. Such a part's sum
/// is at hand wherever it is wanted. The last few steps are searched; those before take whole windows, as the nearer steps cost
/// least.
class SeamSearch {
 public:
  explicit SeamSearch(int n) : n_(n), steps_(trivance_steps(n)) {}

  /// The least load; empty if there are no such windows.
  Growths best() {
    grow({0, 1}, 0);
    return best_;
  }

 private:
  static constexpr int kSearched = 3;

  /// Lengths of the upper or lower end of the window that end at a seam; the shortest first.
  std::vector<int> upper(const Window& window) const {
    std::vector<int> lengths{0, window.count};
    for (const int seam : seams_) lengths.push_back(window.end() - seam);
    return in_order(std::move(lengths));
  }
  std::vector<int> lower(const Window& window) const {
    std::vector<int> lengths{0, window.count};
    for (const int seam : seams_) lengths.push_back(seam - window.first);
    return in_order(std::move(lengths));
  }
  static std::vector<int> in_order(std::vector<int> lengths) {
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
  }

  void grow(const Window& window, std::int64_t load) {
    const int left_to_do = steps_ - static_cast<int>(grown_.size());
    if (left_to_do == 0) {
      if (window.count == n_ && load < least_) {
        least_ = load;
        best_ = grown_;
      }
      return;
    }
    if (load >= least_ || std::int64_t{window.count} * power_of_three(left_to_do) < n_) return;
    if (left_to_do > kSearched) return add(window, {window.count, window.count}, load);
    const std::vector<int> rights = upper(window);
    const std::vector<int> lefts = lower(window);
    for (auto right = rights.rbegin(); right != rights.rend(); ++right) {
      if (left_to_do == 1) {
        const int left = n_ - window.count - *right;
        if (std::binary_search(lefts.begin(), lefts.end(), left)) add(window, {*right, left}, load);
        continue;
      }
      for (auto left = lefts.rbegin(); left != lefts.rend(); ++left) {
        if (window.count + *right + *left <= n_) add(window, {*right, *left}, load);
      }
    }
  }

  void add(const Window& window, TrivanceGrowth growth, std::int64_t load) {
    grown_.push_back(growth);
    seams_.push_back(window.first);
    seams_.push_back(window.end());
    grow({window.first - growth.left, window.count + growth.left + growth.right}, load + std::max(growth.left, growth.right));
    seams_.resize(seams_.size() - 2);
    grown_.pop_back();
  }

  int n_;
  int steps_;
  Growths grown_;
  std::vector<int> seams_;
  Growths best_;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace

int trivance_steps(int n) {
  int steps = 0;
  for (std::int64_t reached = 1; reached < n; reached *= 3) ++steps;
  return steps;
}

int trivance_distance(int step, int n) {
  const int power = power_of_three(step);
  return std::int64_t{3} * power > n ? (n - power + 1) / 2 : power;
}

SkipPaths trivance_paths(int n) {
  std::vector<int> distances;
  for (int step = 0; step < trivance_steps(n); ++step) distances.push_back(trivance_distance(step, n));
  std::sort(distances.begin(), distances.end());
  SkipRounds rounds;
  for (const int distance : distances) rounds.push_back({distance, -distance});
  return skip_paths(n, rounds);
}

SkipPattern trivance_pattern() { return {"trivance", trivance_paths}; }

std::vector<TrivanceGrowth> trivance_growths(int n) {
  if (n == 1) return {};
  Growths best = SeamSearch(n).best();
  std::int64_t least = best.empty() ? std::numeric_limits<std::int64_t>::max() : load_of(windows_of(best));

  // The other way: whole windows first, and in the last step what is missing, wherever that ends; sums of parts travel along.
  Growths growths;
  for (int step = 0; step + 1 < trivance_steps(n); ++step) growths.push_back({power_of_three(step), power_of_three(step)});
  const int window = power_of_three(static_cast<int>(growths.size()));
  const int missing = n - window;
  growths.emplace_back();
  for (int right = (missing + 1) / 2; right <= std::min(missing, window); ++right) {
    growths.back() = {right, missing - right};
    const std::int64_t load = load_of(windows_of(growths));
    if (load >= least) continue;
    least = load;
    best = growths;
  }
  return best;
}

WindowSchedule trivance_windows(int n) { return windows_of(trivance_growths(n)); }

}  // namespace heddle::schedule
