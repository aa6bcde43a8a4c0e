// SPDX-License-Identifier: Apache-2.0
// How a run fails that must fail.
#pragma once

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/fabrics.hpp"

namespace heddle {

/// The CheckError that the run ends with; fails the test if it ends otherwise.
inline CheckError check_error_of(const Fabric& fabric, const RankFunction& function, const EmulationSettings& settings = {}) {
  try {
    run_on(fabric, function, settings);
  } catch (const CheckError& error) {
    return error;
  }
  FAIL("the run passed");
  throw std::logic_error("unreachable: FAIL throws");
}

}  // namespace heddle
