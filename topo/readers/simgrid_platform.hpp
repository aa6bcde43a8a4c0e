// SPDX-License-Identifier: Apache-2.0
// What clusters and zones of SimGrid's platforms share.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "core/files/xml_file.hpp"
#include "heddle/units.hpp"
#include "topo/readers/fabric_builder.hpp"

namespace heddle {

struct SimgridPlatform {
  SimgridPlatform(std::string spec, std::string path);

  Bandwidth bandwidth(const pugi::xml_node& node, const char* attribute) const;
  /// None where the attribute is not there.
  Time latency(const pugi::xml_node& node, const char* attribute) const;
  /// Of links that join others, and cost nothing.
  FabricBuilder::Tier open_tier();

  XmlFile file;
  FabricBuilder builder;
  bool passes_on = false;  ///< hosts may pass on what is for others
};

inline bool is_element(const pugi::xml_node& node, std::string_view name) { return node.name() == name; }

/// Adds a cluster's hosts, switches and links; `is_alone`: it is all of the platform. Throws InputError.
void add_cluster(SimgridPlatform& platform, const pugi::xml_node& cluster, bool is_alone);

}  // namespace heddle
