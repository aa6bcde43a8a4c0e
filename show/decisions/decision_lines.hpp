// SPDX-License-Identifier: Apache-2.0
// Decisions and targets as lines for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/results/decisions.hpp"

namespace heddle::decisions {

/// "ring (4.094us, rabenseifner +12 %)": how far the next best is behind; or that the target decides by itself, and why.
std::string choice_text(const Target& target, const Decision& decision);

/// "swing_bandwidth is the fastest (1.565us), but Open MPI has no Swing"
std::string missed_text(const Target& target, const Missed& missed);

/// "64KiB"; of a barrier, which has no size, "any size".
std::string size_text(const CollectiveDecisions& of, std::int64_t bytes);

/// Without what would end a comment's line.
std::string in_one_line(std::string_view text);

/// What a reader of the file should know of all its decisions: where the speeds come from, what was left to the target. Without
/// a line feed.
std::vector<std::string> header_lines(const Decisions& decisions);

/// What the target does not have though it is the fastest, one line each, what failed its checks, header_lines(), and how many
/// decisions there are. Without a line feed.
std::vector<std::string> summary_lines(const Decisions& decisions);

/// Each row of the registry that the target has, and why it does not have the others.
std::string mapping_list(const Target& target);

}  // namespace heddle::decisions
