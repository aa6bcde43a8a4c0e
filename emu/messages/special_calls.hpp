// SPDX-License-Identifier: Apache-2.0
// What a task asks for beyond plain sends, receives and waits for all of them: kept apart, as most tasks never do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emu/messages/channel_table.hpp"
#include "emu/messages/groups.hpp"
#include "emu/messages/message_id.hpp"
#include "heddle/communicator.hpp"
#include "heddle/messages.hpp"
#include "heddle/units.hpp"

namespace heddle::emu {

class MeasuredCommunicator;
struct Doze;
struct FormCall;
struct Probe;

/// Of a request slot whose kind is special.
struct SpecialRequest {
  const void* place = nullptr;  ///< where it was posted; nullptr: unknown
  std::uint64_t label = 0;      ///< that its caller has given it
  std::uint64_t got = 0;        ///< the label of the message that came
  MessageId message = 0;        ///< of a send
  std::uint64_t asked_in = 0;   ///< SpecialCalls::questions when it was last asked for
  bool takes_longer = false;
  bool is_task = false;      ///< it completes when a task has ended
  bool is_given_up = false;  ///< by its task, which has no more to do with it
  bool is_freed = false;     ///< that has taken effect: it is given back as soon as it completes
  /// Of a receive: a message of more bytes would be written into what a send has open, and `overlap` says so.
  std::size_t apart = std::numeric_limits<std::size_t>::max();
  std::function<std::string()> overlap = {};
};

/// Of one task.
struct SpecialCalls {
  const void* place = nullptr;           ///< of its calls, from now on
  std::vector<SpecialRequest> requests;  ///< by slot
  std::vector<MessageId> taken;          ///< messages taken out of matching, and not yet asked to be received

  // Of the send or the receive that is being posted; nullptr: a plain one.
  const SendOptions* send_options = nullptr;
  const ReceiveOptions* receive_options = nullptr;
  const MessageId* receives_taken = nullptr;  ///< the message that was taken, and is to be received

  bool is_started = false;                    ///< by start(): its parent does not wait for it as for a branch
  std::optional<std::uint32_t> ends_request;  ///< of the parent: its slot, which is complete when this task has ended

  // That it is blocked in.
  const Probe* probe = nullptr;
  const Doze* doze = nullptr;
  const FormCall* form = nullptr;

  // What it polls for.
  bool is_asker = false;  ///< it has asked something: what follows is kept from then on
  Probe* waits_to_find = nullptr;
  std::uint64_t happened = 0;           ///< requests that completed while it did not wait, and messages that came for its rank
  std::uint64_t seen = 0;               ///< of these, when it was last answered in vain
  std::uint64_t looked = 0;             ///< and when it was last answered
  std::int64_t vain_dozes = 0;          ///< in a row, since something has happened
  std::int64_t short_dozes = 0;         ///< that are to come, and return at once: nothing can happen in them
  std::uint64_t questions = 0;          ///< that were not answered by itself
  int own_answers = 0;                  ///< that it has given itself since it last dozed: Endpoint::would_ask_in_vain()
  std::vector<ChannelKey> vain_probes;  ///< of those that found nothing
  std::uint64_t vain_probes_seen = 0;   ///< `seen`, when they did not
  Doze* dozes = nullptr;                ///< in which it sleeps
  std::uint32_t doze_number = 0;        ///< of that, in the run
  Time dozes_since;
  Time vain_since;  ///< the first of the dozes in vain

  /// It has been answered, or woken.
  void end_vain_dozes() { vain_dozes = short_dozes = 0; }
  /// Answered in vain.
  void answer_in_vain() {
    if (seen != happened) end_vain_dozes();
    seen = happened;
  }

  SpecialRequest& request(std::uint32_t slot) {
    if (slot >= requests.size()) requests.resize(slot + std::size_t{1});
    return requests[slot];
  }
};

// What such calls ask of the run. Those of a task that blocks until it is answered lie on its stack.

/// Of a request of the task: answered at once.
struct Question {
  enum class Kind : std::uint8_t { is_complete, cancel };

  Kind kind;
  std::uint32_t slot;
  bool answer = false;
};
struct PendingQuestion {
  Question* question;
};

/// A wait for any of several requests.
struct PendingChoice {};

/// It is not waited for any more.
struct PendingFree {
  std::uint32_t slot;
};

struct Probe {
  ChannelKey key;
  const Group* group;  ///< of its communicator
  bool takes;          ///< the message out of matching
  bool waits;          ///< until there is one
  bool has_found = false;
  MessageId message = 0;  ///< if it takes it
  Status status = {};
};
struct PendingProbe {
  Probe* probe;
};

/// Of a message that was taken.
struct PendingTakenReceive {
  std::uint32_t slot;
  MessageId message;
};

struct Doze {
  const Polling* polling;
  const Group* group;  ///< of the communicator that was asked
  Time limit;
  bool has_happened = false;
};
struct PendingDoze {
  Doze* doze;
};

struct PendingStart {
  std::uint32_t slot;
  std::function<void(MeasuredCommunicator&)> body;
  std::shared_ptr<const Group> group;
  int rank;                      ///< in the group
  int depth;                     ///< as PendingPhase has it
  std::uint32_t parent_context;  ///< as PendingBranches has both
  std::uint32_t call;
};

/// One rank's call of form().
struct FormCall {
  std::uint32_t parent_context;
  std::vector<int> members;  ///< world ranks
  int key;
};
struct PendingForm {
  const FormCall* call;
};

}  // namespace heddle::emu
