// SPDX-License-Identifier: Apache-2.0
// `heddle claims`: what the sources of the algorithms claim, beside what runs show.
#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle {

namespace claims {
struct Source;
}

/// The flags, as written.
struct ClaimsOptions {
  std::vector<std::string> names = {};
  bool list = false;
  bool full = false;
  std::optional<std::string> json = {};  ///< "-": standard output
  std::optional<std::string> html = {};
  std::optional<std::string> markdown = {};  ///< "-": standard output
  std::optional<std::string> plot = {};
};

/// Returns the exit status: kExitCheckFailed if a claim's check failed or a verdict lacks its reason, not if a claim does not
/// hold. Throws InputError, always where heddle was built without its claims (HEDDLE_BUILD_CLAIMS). Progress goes to `err`
/// where that is a terminal.
int claims_command(const ClaimsOptions& options, std::ostream& out, std::ostream& err);

/// The same with other sources.
int claims_command(const ClaimsOptions& options, std::span<const claims::Source> sources, std::ostream& out, std::ostream& err);

}  // namespace heddle
