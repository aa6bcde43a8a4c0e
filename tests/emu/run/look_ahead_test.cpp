// SPDX-License-Identifier: Apache-2.0
// Looking ahead changes nothing, and may be asked of tasks and messages in any state.
#include "emu/run/emulation.hpp"

#include "emu/messages/endpoint.hpp"
#include "tests/catch.hpp"
#include "tests/emu/run/run_parts.hpp"

namespace heddle::emu {

TEST_CASE("look ahead: tasks that have asked for nothing, messages that nobody waits for, channels that no message has had") {
  RunParts test(2);
  Mailbox mailbox;
  const LookAhead look_ahead(test.run.tasks, test.run.messages, mailbox);
  for (int stage = 0; stage < 3; ++stage) {
    look_ahead.expect_effect(0, stage);
    CHECK(look_ahead.expect_turn(0, stage));
  }
  look_ahead.expect_next_message(0);

  const auto [id, message] = test.run.messages.take();
  ChannelId hint = 0;
  message->channel = mailbox.add_message({0, 0, 1, 0}, id, hint);
  look_ahead.expect_next_message(message->channel);
  for (const bool has_drained : {false, true}) {
    message->drained = has_drained;
    test.run.tasks[0].slots.resize(1);
    for (int stage = 0; stage < 5; ++stage) {
      look_ahead.expect_drained(id, stage);
      look_ahead.expect_arrived(id, stage);
    }
  }
}

}  // namespace heddle::emu
