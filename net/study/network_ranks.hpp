// SPDX-License-Identifier: Apache-2.0
// Checked calls among processes.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/network/process_ranks.hpp"
#include "net/ranks/run_rank.hpp"
#include "net/transport/transport.hpp"

namespace heddle::net {

/// Where a rank throws, or the network fails, all processes end with the explanation (Transport::abort). The transport outlives it.
class NetworkRanks final : public ProcessRanks {
 public:
  NetworkRanks(Transport& transport, RankSettings settings) : transport_(transport), settings_(std::move(settings)) {}

  int size() const override { return transport_.size(); }
  int rank() const override { return transport_.rank(); }
  std::string description() const override;
  std::vector<Time> run(const CollectiveCall& call) override;

  /// Of the calls that come: what all ranks fill, and what lies under them (RankSettings).
  void set_shape(std::optional<Grid> grid, std::optional<Tiers> tiers) {
    settings_.grid = std::move(grid);
    settings_.tiers = std::move(tiers);
  }

 private:
  Transport& transport_;
  RankSettings settings_;
};

}  // namespace heddle::net
