// SPDX-License-Identifier: Apache-2.0
// Texts of any length over a network.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lab/describe/processes.hpp"
#include "net/transport/transport.hpp"

namespace heddle::net {

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

}  // namespace heddle::net
