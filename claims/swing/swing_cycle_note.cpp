// SPDX-License-Identifier: Apache-2.0
// Hamiltonian cycles on tori that the conditions of Swing §2.3.1 leave out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "claims/swing/swing_claims.hpp"

namespace heddle::claims {

namespace {

/// Two Hamiltonian cycles of a torus that share no edge, by search; the first of them, empty if there is none.
class CyclePair {
 public:
  CyclePair(int rows, int columns) : columns_(columns), next_(static_cast<std::size_t>(rows * columns)) {
    for (int v = 0; v < rows * columns; ++v) {
      const int r = v / columns;
      const int c = v % columns;
      next_[static_cast<std::size_t>(v)] = {r * columns + (c + 1) % columns, ((r + 1) % rows) * columns + c,
                                            r * columns + (c + columns - 1) % columns, ((r + rows - 1) % rows) * columns + c};
    }
    on_path_.resize(next_.size());
    visit(0);
  }

  const std::vector<int>& first() const { return path_; }
  std::string text() const {
    std::vector<std::string> nodes;
    for (const int v : path_) nodes.push_back(fmt::format("({},{})", v / columns_, v % columns_));
    return fmt::format("{}", fmt::join(nodes, " "));
  }

 private:
  /// Extends the path by v; true where it has become a cycle whose other edges are one cycle too.
  bool visit(int v) {
    path_.push_back(v);
    on_path_[static_cast<std::size_t>(v)] = true;
    if (path_.size() == next_.size() && others_are_a_cycle()) return true;
    for (const int to : next_[static_cast<std::size_t>(v)])
      if (!on_path_[static_cast<std::size_t>(to)] && visit(to)) return true;
    on_path_[static_cast<std::size_t>(v)] = false;
    path_.pop_back();
    return false;
  }

  bool others_are_a_cycle() const {
    const auto& back = next_[static_cast<std::size_t>(path_.back())];
    if (std::find(back.begin(), back.end(), path_.front()) == back.end()) return false;
    std::set<std::pair<int, int>> used;
    for (std::size_t i = 0; i < path_.size(); ++i) {
      used.emplace(path_[i], path_[(i + 1) % path_.size()]);
      used.emplace(path_[(i + 1) % path_.size()], path_[i]);
    }
    std::set<int> seen = {0};
    for (int v = 0, last = -1;;) {
      int to = -1;
      for (const int candidate : next_[static_cast<std::size_t>(v)])
        if (candidate != last && !used.contains({v, candidate})) to = candidate;
      if (to < 0 || !seen.insert(to).second) return to == 0 && seen.size() == path_.size();
      last = std::exchange(v, to);
    }
  }

  int columns_;
  std::vector<std::vector<int>> next_;
  std::vector<int> path_;
  std::vector<bool> on_path_;
};

std::vector<Finding> note_cycle_conditions(Lab&) {
  std::vector<Finding> findings;
  for (const auto& [rows, columns] : {std::pair{5, 5}, {6, 3}, {4, 3}, {5, 4}}) {
    const CyclePair pair(rows, columns);
    findings.push_back(define(
        fmt::format("{}x{}", rows, columns), "the construction does not apply",
        fmt::format("The conditions are those of the construction that the paper cites; `hamiltonian_rings` is that "
                    "construction and refuses other tori. They are no limit of tori: {}, and every torus has such cycles "
                    "(Kotzig 1973).",
                    pair.first().empty()
                        ? "here a search finds none"
                        : fmt::format("here one cycle is {}, and the edges that it leaves are another", pair.text()))));
  }
  return findings;
}

}  // namespace

Claim swing_cycle_note() {
  return {.name = "swing/hamiltonian-conditions",
          .section = "§2.3.1",
          .statement =
              "A note: the algorithm can build its two edge-disjoint Hamiltonian cycles on an r x c torus only if r is a "
              "multiple of c and gcd(r, c-1) = 1.",
          .check = note_cycle_conditions};
}

}  // namespace heddle::claims
