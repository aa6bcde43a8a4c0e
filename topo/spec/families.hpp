// SPDX-License-Identifier: Apache-2.0
// The table of families that parse_topology reads. A family's file ends with its row, in <file>_families(); CMake writes the table
// from its list of files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "topo/spec/spec_fields.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

struct FamilyEntry {
  TopologyFamily facts;
  /// What stands behind the colon. Throws InputError.
  std::unique_ptr<Topology> (*build)(SpecFields&);
};

/// All of them, in CMake's order.
std::vector<FamilyEntry> family_entries();

/// Of "ring:4*star:8", the first field. Throws InputError. In families/grids/product.cpp.
std::unique_ptr<Topology> build_product(SpecFields& fields);

/// Reads what switches offer (",alu,multicast=s0"), if there is any, and gives it to the topology's switches. Throws InputError.
void read_offers(SpecFields& fields, Topology& topology);

/// The file of a spec such as "file:fabric.json". Throws InputError where there is none.
std::string read_file_name(SpecFields& fields);

/// The one number of a spec such as "star:72". Throws InputError.
std::int64_t read_one_size(SpecFields& fields);

}  // namespace heddle
