// SPDX-License-Identifier: Apache-2.0
// Checked calls among processes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/describe/processes.hpp"
#include "net/ranks/run_rank.hpp"
#include "net/ranks/transport.hpp"

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
  std::string why_not(int tag, std::optional<std::uint64_t> context) const override;
  std::vector<Time> run(const CollectiveCall& call) override;

  /// Of the calls that come: the grid that all ranks fill and what lies under them, as on the setup's fabric. Before that: no grid, and a
  /// tier for each machine (RankSettings).
  void set_shape(const Setup& setup);

 private:
  Transport& transport_;
  RankSettings settings_;
};

// Texts of any length over a network.

/// Each text is two messages, its length and its bytes. The transport outlives it, and nobody else uses it meanwhile. What receives
/// have not taken when it is destroyed without part() stays open: the transport's end is next.
class NetworkMessages final : public ProcessMessages {
 public:
  explicit NetworkMessages(Transport& transport);

  int size() const override { return transport_.size(); }
  int rank() const override { return transport_.rank(); }
  int processes_here() const override;
  void send(int to, const std::string& text) override;
  std::vector<Received> receive() override;
  void part() override;

 private:
  /// What comes from one process.
  struct Incoming {
    std::uint64_t length = 0;
    std::string text;
    bool has_parted = false;
  };
  struct Outgoing {
    std::uint64_t length = 0;
    std::string text;
    int missing = 0;  ///< messages that have not gone
  };
  enum class Part : std::uint8_t { length, text, sent };
  struct Operation {
    Part part = Part::length;
    int peer = 0;
    std::uint64_t number = 0;  ///< of the outgoing text
  };

  void send_with_length(int to, std::uint64_t length, const std::string& text);
  void expect_length(int from);
  void step(Patience patience);
  void take_length(int from);
  void take_text(int from);
  void take_sent(std::uint64_t number);

  Transport& transport_;
  std::map<int, Incoming> incoming_;  ///< by process: rank 0's are the others, theirs is rank 0
  std::map<std::uint64_t, Outgoing> outgoing_;
  std::uint64_t next_ = 0;
  std::map<OperationId, Operation> operations_;
  std::vector<Received> received_;
  std::vector<Completion> ended_;
};

/// By its name: "mpi", "mpi:FILE" (heddle's library for one), "tcp". Blocks until all processes are there. `purpose`: what this
/// process goes on to do there ("run"), which must be the same in all of them. Throws InputError for a name that there is not, on
/// all processes if their purposes differ, and as open_mpi() and settings_from_environment(); NetworkError.
std::unique_ptr<Transport> open_network(std::string_view name, const std::string& purpose);

/// Collective, blocks: what every process has to say, of any length, by rank.
std::vector<std::string> gather_text(Transport& transport, const std::string& mine);

}  // namespace heddle::net
