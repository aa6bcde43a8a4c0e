// SPDX-License-Identifier: Apache-2.0
// Checked calls among processes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lab/describe/processes.hpp"
#include "net/ranks/rank_settings.hpp"
#include "net/transport/transport.hpp"

namespace heddle {
struct Setup;
}

namespace heddle::net {

/// Where a rank throws, or the network fails, all processes end with the explanation (Transport::abort). The transport outlives it.
class NetworkRanks final : public ProcessRanks {
 public:
  NetworkRanks(Transport& transport, RankSettings settings) : transport_(transport), settings_(std::move(settings)) {}

  int size() const override { return transport_.size(); }
  int rank() const override { return transport_.rank(); }
  std::string description() const override;
  std::vector<Time> run(const CollectiveCall& call) override;

  /// Of the calls that come: the grid that all ranks fill and what lies under them, as on the setup's fabric. Before that: no grid, and a
  /// tier for each machine (RankSettings).
  void set_shape(const Setup& setup);

 private:
  Transport& transport_;
  RankSettings settings_;
};

}  // namespace heddle::net
