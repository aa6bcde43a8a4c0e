// SPDX-License-Identifier: Apache-2.0
// The flags that describe a fabric, as written, and what they say.
#pragma once

#include <optional>
#include <string>

#include "lab/experiment/fabric_spec.hpp"

namespace heddle {

/// As written on the command line; what was not written has no value.
struct FabricOptions {
  std::string topology;
  std::optional<std::string> preset;
  std::optional<std::string> bandwidth;  ///< here and in the next three: one value, or a list by tier of links
  std::optional<std::string> latency;
  std::optional<std::string> eta_alpha;
  std::optional<std::string> eta_beta;
  std::optional<std::string> hop;
  std::optional<std::string> host_link;
  std::optional<std::string> alpha;
  std::optional<std::string> gamma;
  std::optional<std::string> send_overhead;
  std::optional<std::string> recv_overhead;
  std::optional<std::string> routing;

  bool operator==(const FabricOptions&) const = default;
};

/// Throws InputError that names the flag.
FabricSpec read_fabric_spec(const FabricOptions& options);

}  // namespace heddle
