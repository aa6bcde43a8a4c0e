// SPDX-License-Identifier: Apache-2.0
// Who sees every message of a run: what traces a wrong result, draws schedules, and counts what channels hold. A run
// without an observer pays one comparison per message.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "emu/record/failure.hpp"
#include "heddle/units.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

/// A message as it is posted. Views are valid during the call; `from` says where the sender's memory is, not what is in it.
struct PostedMessage {
  /// In place of a rank: the switches, which ranks give to and get from in an operation in the network.
  static constexpr int kSwitches = -1;

  std::uint64_t number;  ///< in the order in which messages of the run take effect
  int source;            ///< ranks of the run, whatever communicator it is sent on
  int dest;
  Tag tag;
  int round;         ///< its place in the chain of messages that leads to it; counts anew in the second call
  bool second_call;  ///< of a call that is not measured
  Time time;
  ConstVectorView data;
  std::span<const ConstVectorView> from;
  int task = 0;                 ///< of the sender; 0: the rank itself, else a branch of concurrently()
  int task_family = 0;          ///< tasks of a rank that can run at once have the same one, which is not 0
  bool credits_by_tag = false;  ///< its tag is a channel of its own, as where tasks share their rank's messages
};

/// A receive as it takes effect.
struct PostedReceive {
  int rank;  ///< of the run
  bool from_any;
  std::span<const VectorView> into;
};

/// Room for one more message, which somebody asks for before it takes the one that it is to pass on.
struct AskedRoom {
  int source;  ///< ranks of the run
  int dest;
  Tag tag;
  bool credits_by_tag;
};

/// Called on the engine's thread alone (but for poison), in the order of the run, which is the same with any threads until all ranks make the second call.
class MessageObserver {
 public:
  virtual void posted(const PostedMessage& /*message*/) {}
  /// It has been written to `into`, which may be longer than it; the receiver was in the second call or not.
  virtual void received(std::uint64_t /*number*/, bool /*in_second_call*/, Time /*time*/,
                        std::span<const VectorView> /*into*/) {}
  /// Whether it wants to see what happens in the order in which it happens: else ranks may run ahead in the second call.
  virtual bool keeps_order() const { return false; }
  /// Whether asked_room() is of use to it, where messages have no bound.
  virtual bool minds_room() const { return false; }
  virtual void asked_room(const AskedRoom& /*room*/) {}
  virtual void posted_receive(const PostedReceive& /*receive*/) {}
  /// It was cancelled: nothing is written to it.
  virtual void withdrew_receive(const PostedReceive& /*receive*/) {}
  /// Whether it says itself what the buffers of receives show until their messages are there.
  virtual bool poisons() const { return false; }
  /// On the thread of the rank's task, unlike the others: the first bytes of a buffer that was filled with poison, to be filled with
  /// something else. `source` is of the receive's communicator.
  virtual void poison(std::span<std::byte> /*first_bytes*/, int /*rank*/, Rank /*source*/, Tag /*tag*/) {}
  /// Nothing can happen any more. The run ends with this.
  virtual void deadlocked(int /*ranks*/, const std::vector<BlockedOperation>& /*blocked*/) {}

 protected:
  ~MessageObserver() = default;
};

/// Sees who receives from any source.
class AnySourceObserver final : public MessageObserver {
 public:
  void posted_receive(const PostedReceive& receive) override {
    if (receive.from_any && !rank_) rank_ = receive.rank;
  }
  std::optional<int> first_rank() const { return rank_; }

 private:
  std::optional<int> rank_;
};

}  // namespace heddle::emu
