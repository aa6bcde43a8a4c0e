// SPDX-License-Identifier: Apache-2.0
// How far sums of floats are off, by algorithm (docs/model.md, "Errors of sums").
#pragma once

#include "emu/record/report.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

/// Of a call of its own under the virtual clock, without faults: all ranks contribute numbers that are drawn from [0, 1) by the
/// setup's seed, of as many elements as the run holds. The setup asks for it (CallSpec::errors) and was checked for it. Throws
/// CheckError as emulate().
SumErrors measure_sum_errors(const Setup& setup, const Algorithm& algorithm);

}  // namespace heddle
