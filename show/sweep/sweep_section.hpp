// SPDX-License-Identifier: Apache-2.0
// A sweep's results as its table shows them: the fabrics one below the other, each with its values on the axes in which they
// differ.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lab/sweep/sweep_document.hpp"
#include "show/sweep/sweep_lines.hpp"

namespace heddle {

/// One fabric's.
struct SweepSection {
  const nlohmann::ordered_json* fabric = nullptr;  ///< its member of context.fabrics
  std::vector<std::string> values = {};            ///< by axis of the table; none where there is one fabric alone
  std::vector<SweepResult> results = {};
  std::vector<SweepResult> shown = {};  ///< the results, or of a tuned sweep the best of each row
  std::vector<SweepLine> lines = {};    ///< of what is shown
  std::set<std::int64_t> open = {};     ///< sizes with runs that are missing: nobody knows the best; of a part of a sweep all
};

struct SweepTable {
  std::vector<std::string> axes = {};  ///< in which the fabrics differ
  std::vector<std::int64_t> sizes = {};
  std::vector<SweepSection> sections = {};   ///< those with runs, in the order of the sweep
  std::map<int, double> ratio_to_base = {};  ///< by number of the run
  bool has_base = false;
};

/// The best of what the section shows at this size; nullptr: there is none, or it is not known.
const SweepResult* best_at(const SweepSection& section, std::int64_t bytes);

/// The document outlives it.
SweepTable sweep_table_of(const SweepDocument& document);

}  // namespace heddle
