// SPDX-License-Identifier: Apache-2.0
// How many bytes each link carried, as pictures show it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emu/report/report.hpp"
#include "topo/topology.hpp"

namespace heddle::pictures {

/// A link that carried something, with its name.
struct NamedLoad {
  std::string name;
  std::int64_t bytes;
};

class LinkLoads {
 public:
  explicit LinkLoads(const Report& report);

  std::int64_t bytes(LinkId link) const { return bytes_[static_cast<std::size_t>(link)]; }
  /// The most of these links.
  std::int64_t most_of(const std::vector<LinkId>& links) const;
  std::int64_t most() const { return most_; }
  std::int64_t total() const { return total_; }
  int links() const { return static_cast<int>(bytes_.size()); }
  int carrying() const { return carrying_; }
  /// Bytes over the links that carried something; 0 if none did.
  double mean() const { return carrying_ > 0 ? static_cast<double>(total_) / carrying_ : 0; }

  /// Most bytes first, ties by number.
  std::vector<NamedLoad> busiest(std::size_t count, const Topology& topology) const;

  /// 0 for nothing, else 1 … steps: in which part of (0, most()] the load is.
  int step(std::int64_t bytes, int steps) const;

 private:
  std::vector<std::int64_t> bytes_;
  std::int64_t most_ = 0;
  std::int64_t total_ = 0;
  int carrying_ = 0;
};

}  // namespace heddle::pictures
