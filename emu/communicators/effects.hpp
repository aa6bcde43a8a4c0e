// SPDX-License-Identifier: Apache-2.0
// What a task has asked for since it last ran. It takes effect when the task stops, on the engine's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "core/collective.hpp"
#include "core/units.hpp"
#include "emu/groups/group.hpp"
#include "emu/groups/split_parts.hpp"
#include "emu/messages/message_id.hpp"

namespace heddle::emu {

class MeasuredCommunicator;
enum class MessageSpace : std::uint8_t;

struct SendEffect {
  MessageId message;
};
struct ReceiveEffect {
  std::uint32_t slot;
};
/// Of wait_for_room(): the slot is that of a request that completes once there is room.
struct RoomEffect {
  std::uint32_t slot;
};
struct WorkEffect {
  enum class Kind : std::uint8_t { local_work, overhead, idle };
  Time duration;
  Kind kind;
};
/// Of concurrently() and concurrently_shared().
struct BranchesEffect {
  int tasks;
  MessageSpace space;
  const std::function<void(int, MeasuredCommunicator&)>* body;
  std::shared_ptr<const Group> group;
  int rank;                      ///< in the group
  int depth;                     ///< as PhaseEffect has it
  std::uint32_t parent_context;  ///< of the communicator that was asked
  std::uint32_t call;            ///< of concurrently(): how many times it had been asked that before
};
struct SwitchCallEffect {
  std::shared_ptr<const Group> group;
  int rank;
  std::uint32_t context;
  std::uint32_t call;  ///< how many times this communicator's switches had been asked before
  Collective collective;
  const CollectiveArguments* arguments;  ///< on the stack of the task, which is blocked
};

/// Of phase(), where somebody looks on.
struct PhaseEffect {
  int depth;  ///< of the communicator that was asked: it lies so many split() and concurrently() below the rank's own
  std::string name;
};

/// Sends and receives are many, and kept small for it.
using Effect = std::variant<SendEffect, ReceiveEffect, RoomEffect, WorkEffect, std::unique_ptr<BranchesEffect>,
                            std::unique_ptr<SplitCall>, std::unique_ptr<SwitchCallEffect>, std::unique_ptr<PhaseEffect>>;

}  // namespace heddle::emu
