// SPDX-License-Identifier: Apache-2.0
// The messages of a run whose elements know what they are made of (contributions.hpp): what each carried, from where to where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "emu/checks/provenance/contributions.hpp"
#include "emu/checks/provenance/shared_memory.hpp"
#include "emu/diagnosis/message_observer.hpp"

namespace heddle::emu {

struct LoggedMessage {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  struct Carried {
    ValueId value;
    std::int64_t position;            ///< element of the message
    const std::byte* from = nullptr;  ///< where in the sender's memory,
    const std::byte* into = nullptr;  ///< and in the receiver's; nullptr until it has been received
  };

  int source = 0;  ///< ranks of the run
  int dest = 0;
  Tag tag;
  int round = 0;
  bool verification = false;              ///< of the sender,
  bool received_in_verification = false;  ///< and of the receiver
  Time posted;
  std::optional<Time> received;
  /// Places in one order of all that happened.
  std::uint64_t posted_event = 0;
  std::uint64_t received_event = kNever;
  std::int64_t elements = 0;
  std::int64_t asked = 0;        ///< elements of its receive, once it has been received
  std::vector<Carried> carried;  ///< the values that are traced, by position
};

/// Keeps, in the order in which they were posted, the messages that carry something traced, or all of them.
class MessageLog final : public MessageObserver {
 public:
  enum class Keep : std::uint8_t { traced, all };

  /// `contributions` outlives this.
  explicit MessageLog(const Contributions& contributions, Keep keep = Keep::traced)
      : contributions_(contributions), keep_(keep) {}

  const std::vector<LoggedMessage>& messages() const { return messages_; }
  /// Those that were shorter than their receives, whatever they carried, in the order in which they were received.
  const std::vector<LoggedMessage>& short_messages() const { return short_messages_; }
  const SharedMemory& shared_memory() const { return shared_memory_; }

  void posted(const PostedMessage& message) override;
  void posted_receive(const PostedReceive& receive) override;
  void received(std::uint64_t number, bool in_verification, Time time, std::span<const VectorView> into) override;

 private:
  const Contributions& contributions_;
  Keep keep_;
  std::uint64_t events_ = 0;
  std::vector<LoggedMessage> messages_;
  std::unordered_map<std::uint64_t, std::size_t> under_way_;  ///< places in messages_, by number
  std::unordered_map<std::uint64_t, LoggedMessage> others_;   ///< under way and not kept, by number
  std::vector<LoggedMessage> short_messages_;
  SharedMemory shared_memory_;

  void note_received(LoggedMessage& message, bool in_verification, Time time, std::span<const VectorView> into);
};

}  // namespace heddle::emu
