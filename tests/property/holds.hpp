// SPDX-License-Identifier: Apache-2.0
// A property checked on a number of cases of its own.
#pragma once

#include <rapidcheck.h>

#include <iostream>
#include <string>
#include <utility>

#include "tests/effort.hpp"
#include "tests/sanitizers.hpp"

namespace heddle::testing {

/// Whether the property holds in `quick` or `thorough` drawn cases, fewer under sanitizers. RC_PARAMS by hand gives the seed;
/// to run longer there is the effort.
template <class Property>
bool holds(const std::string& name, int quick, int thorough, Property&& property) {
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = name;
  rc::detail::TestParams parameters = rc::detail::configuration().testParams;
  parameters.maxSuccess = sampled(sample(quick, thorough), 250, 50);
  const rc::detail::TestResult result = rc::detail::checkTestable(std::forward<Property>(property), metadata, parameters);
  std::cerr << "- " << name << '\n';
  rc::detail::printResultMessage(result, std::cerr);
  std::cerr << std::endl;
  return result.is<rc::detail::SuccessResult>();
}

}  // namespace heddle::testing
