// SPDX-License-Identifier: Apache-2.0
#include "emu/diagnosis/deadlock.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace heddle::emu {

namespace {

constexpr std::size_t kMostWaitingLines = 16;

void append_lines(std::string& text, const std::vector<std::string>& lines, std::string_view what) {
  for (std::size_t i = 0; i < std::min(lines.size(), kMostWaitingLines); ++i) text += "\n  " + lines[i];
  if (lines.size() > kMostWaitingLines) text += fmt::format("\n  … and {} more {}", lines.size() - kMostWaitingLines, what);
}

}  // namespace

std::vector<int> find_cycle(int ranks, const std::vector<BlockedOperation>& blocked) {
  std::vector<std::vector<int>> waits_for(static_cast<std::size_t>(ranks));
  for (const BlockedOperation& operation : blocked) {
    if (operation.peer >= 0) waits_for[static_cast<std::size_t>(operation.rank)].push_back(operation.peer);
  }
  // Depth first, without recursion: a cycle can be as long as there are ranks.
  enum class Mark : char { unseen, on_path, done };
  std::vector<Mark> mark(static_cast<std::size_t>(ranks), Mark::unseen);
  std::vector<std::size_t> next(static_cast<std::size_t>(ranks), 0);
  for (int start = 0; start < ranks; ++start) {
    std::vector<int> path;
    if (mark[static_cast<std::size_t>(start)] == Mark::unseen) path.push_back(start);
    while (!path.empty()) {
      const auto at = static_cast<std::size_t>(path.back());
      mark[at] = Mark::on_path;
      if (next[at] == waits_for[at].size()) {
        mark[at] = Mark::done;
        path.pop_back();
        continue;
      }
      const int to = waits_for[at][next[at]++];
      if (mark[static_cast<std::size_t>(to)] == Mark::unseen) path.push_back(to);
      if (mark[static_cast<std::size_t>(to)] == Mark::on_path) return {std::find(path.begin(), path.end(), to), path.end()};
    }
  }
  return {};
}

std::string explain_deadlock(int ranks, const std::vector<BlockedOperation>& blocked,
                             const std::vector<std::string>& unreceived) {
  std::set<int> blocked_ranks;
  std::vector<std::string> lines;
  for (const BlockedOperation& operation : blocked) {
    blocked_ranks.insert(operation.rank);
    const std::string who = operation.task == 0 ? fmt::format("rank {}", operation.rank)
                                                : fmt::format("rank {}, task {},", operation.rank, operation.task);
    lines.push_back(fmt::format("{} waits {}", who, operation.waits_for));
  }
  std::string text =
      fmt::format("deadlock: {} of {} ranks are blocked, and nothing is on its way", blocked_ranks.size(), ranks);
  append_lines(text, lines, "operations");
  const std::vector<int> cycle = find_cycle(ranks, blocked);
  if (!cycle.empty()) {
    text += cycle.size() <= kMostWaitingLines
                ? fmt::format("\n  cycle: rank {} -> {}", fmt::join(cycle, " -> "), cycle.front())
                : fmt::format("\n  cycle of {} ranks: {} -> … -> {}", cycle.size(),
                              fmt::join(cycle.begin(), cycle.begin() + kMostWaitingLines, " -> "), cycle.front());
  }
  if (!unreceived.empty()) text += "\n  sent, but not asked for:";
  append_lines(text, unreceived, "messages");
  return text;
}

}  // namespace heddle::emu
