// SPDX-License-Identifier: Apache-2.0
// A fabric described in a JSON file (docs/fabric-file.md), checked and with names resolved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

struct FabricFile {
  /// Cables side by side between two vertices.
  struct Bundle {
    VertexId from;
    VertexId to;
    int tier;
    int cables;
    bool one_way;
  };

  int endpoints = 0;
  int switches = 0;
  std::vector<std::string> names;    ///< of the vertices
  std::vector<SwitchOffers> offers;  ///< by switch
  std::vector<Bundle> bundles;
  std::vector<std::string> tiers;       ///< names; at least one
  std::vector<LinkSpeed> speeds;        ///< by tier; empty if the file gives none
  std::vector<std::vector<int>> group;  ///< by tier of groups, by endpoint; the last is one group of all
  bool direct = false;                  ///< endpoints pass on what is for others
  std::string checksum;                 ///< of all that the file says but for 'check'
};

/// Throws InputError "FILE:LINE: what is wrong"; "FILE: …" if it cannot be read.
FabricFile read_fabric_file(const std::string& path);

}  // namespace heddle
