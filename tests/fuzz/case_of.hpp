// SPDX-License-Identifier: Apache-2.0
// Cases as their text says, with rows of one's own.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/describe/experiment.hpp"

namespace heddle::testing {

inline Experiment case_of(std::string_view text, std::vector<Algorithm> rows = {}) {
  Experiment what = Experiment::parse(text);
  what.own = std::make_shared<const std::vector<Algorithm>>(std::move(rows));
  return what;
}

}  // namespace heddle::testing
