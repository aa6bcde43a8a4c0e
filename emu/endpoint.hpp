// SPDX-License-Identifier: Apache-2.0
// Where a strand stands in a group: posts its sends and receives, and sees them through.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/communicator.hpp"
#include "emu/mailbox.hpp"
#include "emu/strand_state.hpp"

namespace heddle::emu {

class Emulation;

struct Endpoint {
  Emulation& emulation;
  StrandId strand;
  int rank;  ///< in the group
  std::uint32_t context;
  std::shared_ptr<const Group> group;

  int size() const { return static_cast<int>(group->members.size()); }

  /// As those of Communicator: they take effect when the strand blocks.
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) const;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) const;

  /// From now on the strand waits for these; StrandState::pending is how many have not completed. How many are receives. Throws
  /// UsageError for what the strand has not posted, or has waited for already.
  int begin_wait(std::span<const Request> requests) const;
  /// All have completed: what came of them; they are free again. `statuses` may be shorter.
  void end_wait(std::span<const Request> requests, std::span<Status> statuses) const;

 private:
  ChannelKey channel_key(Rank source, Rank dest, Tag tag) const { return {context, source.value(), dest.value(), tag.value()}; }
  int world_rank(Rank of) const { return group->members[static_cast<std::size_t>(of.value())]; }
};

}  // namespace heddle::emu
