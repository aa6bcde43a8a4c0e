// SPDX-License-Identifier: Apache-2.0
// How a source's numbers are compared with runs, as its rows are and for what is computed apart.
#pragma once

#include <string>

#include "claims/claim_data.hpp"

namespace heddle::claims {

/// n_α and n_β of a call without size and speeds, as measured, each by a run of its own: n_α without bytes' time, with `step` for α,
/// n_β without latency.
struct Cost {
  double n_alpha;
  double n_beta;
};
Cost cost_of(Lab& lab, const std::string& call, const std::string& step = "--alpha 1us");

/// The command that measures n_β.
std::string bytes_only(const std::string& call);

/// "heddle run <run>"
std::string command_of(const std::string& run);

/// The bytes at which `first` (which is faster for few) takes as long as `second`, to one per cent, from 1 KB to `most`;
/// `most` where it stays faster.
double crossing(Lab& lab, const std::string& first, const std::string& second, double most);

/// "506 KB", "2.1 GB".
std::string size_text(double bytes);

// ---- charts by size ----

/// Of "32KiB".
double bytes_of(const std::string& size);
pictures::ChartAxis axis_by_size();
/// What the source prints: of a line, at a size, a value, or two for a range; behind them "at least" or "at most".
std::vector<pictures::ChartMark> marks_of(const ClaimData& data, const char* name);
/// The marks of `printed`, and `first`: lines and the sizes at which each is the first.
void print_marks(pictures::ChartPanel& panel, const ClaimData& data);

}  // namespace heddle::claims
