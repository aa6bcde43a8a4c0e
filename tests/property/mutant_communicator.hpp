// SPDX-License-Identifier: Apache-2.0
// A communicator that makes one mistake: an algorithm run over it is a copy of that algorithm with one fault in its schedule.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/forwarding_communicator.hpp"
#include "heddle/collective.hpp"

namespace heddle::testing {

enum class Fault : std::uint8_t {
  off_by_one_destination,  ///< a message goes to the next rank
  off_by_one_source,       ///< a receive names the next rank
  wrong_direction,    ///< a rank's message goes the other way round, and so does its receive (if all did, it could be right)
  missing_round,      ///< a round of all ranks is left out
  missing_message,    ///< a message is not sent, its receive not posted
  swapped_blocks,     ///< the two halves of a message change places
  dropped_segment,    ///< the last element of a message does not come through
  stale_buffer,       ///< what a receive brings is thrown away
  missing_reduction,  ///< a reduce_into is left out
  doubled_reduction   ///< a reduce_into is done twice
};
inline constexpr int kFaults = 10;
std::string to_string(Fault fault);

/// Fault number `operation` (from 0) that the rank has the occasion to make.
struct Mutation {
  Fault fault;
  int rank;
  int operation;

  std::string name() const;
};

/// Counts the occasions of a fault on one rank and says when it is the mutation's turn. Shared by the tasks of the rank that
/// take part: of a `concurrently`, only the first does.
class Occasion {
 public:
  Occasion(const Mutation& mutation, int rank);
  const Mutation& mutation() const { return mutation_; }
  /// Whether the mutation concerns this rank at all.
  bool concerns() const;
  /// True once: at occasion number `operation`.
  bool comes() { return seen_++ == mutation_.operation; }
  /// The same for the receives of a round whose sends are counted by comes().
  bool comes_to_receive() { return seen_receiving_++ == mutation_.operation; }
  /// It changed nothing: what was lost had been there already.
  void was_harmless() { harmless_ = true; }
  /// Whether the fault was made.
  bool made() const { return seen_ > mutation_.operation && !harmless_; }

 private:
  Mutation mutation_;
  int rank_;
  int seen_ = 0;
  int seen_receiving_ = 0;
  bool harmless_ = false;
};

class MutantCommunicator final : public ForwardingCommunicator {
 public:
  /// `occasion` may be nullptr: no fault. Both outlive this.
  MutantCommunicator(Communicator& inner, Occasion* occasion)
      : ForwardingCommunicator(inner), occasion_(occasion), switches_(*this) {}

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  void concurrently(int n, const std::function<void(int, Communicator&)>& body) override;
  void concurrently_shared(int n, const std::function<void(int, Communicator&)>& body) override;
  std::unique_ptr<Communicator> split(int color, int key) override { return inner().split(color, key); }
  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override;
  void copy(VectorView into, ConstVectorView from) override { inner().copy(into, from); }
  InNetwork* in_network() override { return inner().in_network() != nullptr ? &switches_ : nullptr; }

 protected:
  /// Not shared: plans are cheap at the sizes of tests.
  std::shared_ptr<const void> shared_plan_erased(const std::string&,
                                                 const std::function<std::shared_ptr<const void>()>& make) override {
    return make();
  }

 private:
  /// The switches are right; what the rank makes of what it gets from them is not.
  class Switches final : public InNetwork {
   public:
    explicit Switches(MutantCommunicator& mutant) : mutant_(mutant) {}
    std::string why_not(Collective collective, Datatype type, std::int64_t count, const ReduceOp* op) const override {
      return mutant_.inner().in_network()->why_not(collective, type, count, op);
    }
    void perform(Collective collective, const CollectiveArguments& arguments) override;

   private:
    MutantCommunicator& mutant_;
  };

  bool makes(Fault fault) const { return occasion_ != nullptr && occasion_->mutation().fault == fault; }
  Rank next(Rank peer) const;
  Rank mirrored(Rank peer) const;
  /// A message that comes through in part.
  struct Withheld {
    Buffer message;
    std::vector<VectorView> into;
    std::int64_t lost;  ///< elements at its end
  };
  struct Operation {
    std::optional<Request> inner = {};  ///< none: it never was
    std::optional<Withheld> withheld = {};
  };
  Request note(Operation operation);
  void deliver(const Withheld& withheld);
  ConstVectorView keep(Buffer buffer);

  Occasion* occasion_;
  Switches switches_;
  std::vector<Operation> operations_;  ///< by own id of the request
  std::vector<Buffer> kept_;           ///< until the rank is done
};

}  // namespace heddle::testing
