// SPDX-License-Identifier: Apache-2.0
// Thousands of ranks act at one instant and their state fits no cache: what an event will need is fetched while those before it
// run. Nothing here changes what happens.
#pragma once

#include "emu/communicators/task_table.hpp"
#include "emu/messages/mailbox.hpp"
#include "emu/messages/message_store.hpp"

namespace heddle::emu {

/// Each function is called with stage 0, 1, … in turn, so that what one stage has fetched leads the next one further.
class LookAhead {
 public:
  /// All of them outlive it.
  LookAhead(const TaskTable& tasks, const MessageStore& messages, const Mailbox& mailbox)
      : tasks_(tasks), messages_(messages), mailbox_(mailbox) {}

  /// A task's effects are taken soon; of three stages.
  void expect_effect(TaskId task, int stage) const;
  /// A task is due soon; of three stages. Whether it will run itself.
  bool expect_turn(TaskId task, int stage) const;
  /// A message drains, or arrives, soon; of five stages.
  void expect_drained(MessageId message, int stage) const;
  void expect_arrived(MessageId message, int stage) const;
  /// The task takes the next message of the channel soon.
  void expect_next_message(ChannelId channel) const;

 private:
  const TaskTable& tasks_;
  const MessageStore& messages_;
  const Mailbox& mailbox_;
};

}  // namespace heddle::emu
