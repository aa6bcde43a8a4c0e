// SPDX-License-Identifier: Apache-2.0
// Rows of the explainer's tables as data, and what they are compared with. Each function below makes a claim's check of its
// rows, so that a new row is a line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "claims/claim.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle::claims::explainer_notes {

using Check = std::function<std::vector<Finding>(Lab&)>;

/// A time that the source prints, in microseconds, beside what `heddle run <run>` takes.
struct TimeRow {
  std::string subject;
  double printed;
  int decimals;  ///< that are printed
  std::string run;
  Unless unless = {};       ///< required where the row does not hold
  double tolerance = 0.01;  ///< relative: the source sums terms that it has rounded, and whole blocks round sizes
};
Check times(std::vector<TimeRow> rows);

/// A cost n_α·α + n_β·M/BW, each coefficient from a run of its own: n_α from one without bytes' time, with `step` for α, n_β
/// from one without latency.
struct CostRow {
  std::string subject;
  double n_alpha;
  double n_beta;
  std::string call;  ///< of `heddle run`, without size and speeds
  Unless unless = {};
  int decimals = 3;                  ///< of n_β
  std::string step = "--alpha 1us";  ///< or "--hop 1us": of each switch or router, where one message makes several steps
  double tolerance = 0;              ///< of n_β
};
Check costs(std::vector<CostRow> rows);

/// n_α and n_β as measured, each without rounding of the other.
struct Cost {
  double n_alpha;
  double n_beta;
};
Cost cost_of(Lab& lab, const CostRow& row);

/// How many times as long one run takes as another.
struct RatioRow {
  std::string subject;
  double printed;
  int decimals;
  std::string slower;
  std::string faster;
  Unless unless = {};
  double tolerance = 0.03;
};
Check ratios(std::vector<RatioRow> rows);

/// The printed time of a pipeline: the steps of its shortest and the bytes of its longest schedule. No run has both at once.
struct LimitRow {
  std::string subject;
  double printed;  ///< microseconds
  int decimals;
  std::string run;    ///< in the best number of segments
  std::string uncut;  ///< the same in one segment, in which bytes take no time
  std::string cut;    ///< the same in many segments, in which only bytes take time
  double tolerance = 0.03;
};
/// Holds under other assumptions where `run` takes longer and the sum of the other two is what is printed.
Check limits(std::vector<LimitRow> rows);

/// What is counted on a fabric as built.
struct CountRow {
  std::string subject;
  std::int64_t printed;
  std::string topology;
  int TopologyProperties::*what;
  Unless unless = {};
};
Check counts(std::vector<CountRow> rows);

/// Rounds that a run needs: the longest chain of messages.
struct RoundsRow {
  std::string subject;
  int printed;
  std::string run;
  Unless unless = {};
};
Check rounds(std::vector<RoundsRow> rows);

/// A definition for each: subject, what is printed.
Check definitions(std::vector<std::pair<std::string, std::string>> rows, const std::string& why);

/// One after the other.
Check all_of(std::vector<Check> checks);

/// A check that makes one finding.
Check one(std::function<Finding(Lab&)> finding);

std::string command_of(const std::string& run);

/// The bytes at which `first` (which is faster for few) takes as long as `second`, to one per cent, from 1 KB to `most`;
/// `most` where it stays faster.
double crossing(Lab& lab, const std::string& first, const std::string& second, double most);

/// "506 KB", "2.1 GB".
std::string size_text(double bytes);

// The claims, by note.
std::vector<Claim> cheatsheet();              // 00
std::vector<Claim> algorithms();              // 01 §3–§8
std::vector<Claim> algorithms_appendices();   // 01 App. A–D
std::vector<Claim> topologies();              // 02 §1–§5
std::vector<Claim> topology_shapes();         // 02 §3.6, §5.1, App. A–C
std::vector<Claim> hierarchies();             // 03 §1–§3
std::vector<Claim> hierarchies_appendices();  // 03 App. A, B
std::vector<Claim> in_network();              // 04
std::vector<Claim> contention();              // 05

}  // namespace heddle::claims::explainer_notes
