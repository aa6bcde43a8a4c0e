// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/promises.hpp"

#include <fmt/format.h>

#include "core/errors.hpp"

namespace heddle {

void check_promises(const Setup& setup, const Algorithm& row, const Report& report) {
  if (setup.groups.size() > 1 || !setup.blocks.empty() || !setup.sends.empty() ||
      setup.placement_text != Experiment().placement)
    return;
  const Shape shape = setup.shape();
  const std::int64_t granule = row.granule == nullptr ? 1 : row.granule(shape);
  if (setup.count < granule || !formulas_are_exact(row, shape)) return;
  const auto require = [&row](std::string_view what_of, std::int64_t counted, std::int64_t promised, std::string_view formula) {
    if (counted == promised) return;
    throw CheckError(CheckError::Kind::formula,
                     fmt::format("{} {}: the run counted {} {}, its formula says {} ({})", to_string(row.collective), row.name,
                                 counted, what_of, promised, formula));
  };
  if (row.rounds) require("rounds", report.rounds_max(), row.rounds(shape), row.rounds.text);
  if (report.switch_precision || granule == 0 || setup.count % granule != 0) return;
  if (row.bytes) require("bytes sent by the busiest rank", report.sent_max().count(), row.bytes(shape), row.bytes.text);
}

}  // namespace heddle
