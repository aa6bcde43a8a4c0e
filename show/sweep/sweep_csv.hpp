// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/sweep/sweep_document.hpp"

namespace heddle {

/// A line of titles, then one row per run with its whole context, so that rows of several files may be mixed. `status` is ok,
/// the kind of check that failed, or not_run. An axis of the sweep is a column: algorithm, topology, preset, bandwidth, latency,
/// fault, placement, ranks, bytes. Empty: a value that there is not. Tiers of links are parted by semicolons; inf is
/// an unlimited bandwidth. RFC 4180, but for lines that end as elsewhere on the system.
std::string csv_text_of(const SweepDocument& document);

}  // namespace heddle
