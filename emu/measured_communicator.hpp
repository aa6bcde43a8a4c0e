// SPDX-License-Identifier: Apache-2.0
// What a checked run asks of its communicators besides messages.
#pragma once

#include <optional>

#include "core/communicator.hpp"
#include "core/units.hpp"

namespace heddle::emu {

class MeasuredCommunicator : public Communicator {
 public:
  virtual Time now() const = 0;
  /// What switches have rounded f32 to in this run so far; no value: they have not.
  virtual std::optional<Datatype> switch_precision() const = 0;
  /// From here on this rank's messages take no time, meet no others and are not counted, and its completion time is now (or
  /// when it crossed the finish line). Called once, by the rank's own strand, when all of its requests have been waited for.
  virtual void begin_rehearsal() = 0;
  /// Blocks for so long that every other rank gets as far as it can without this one.
  virtual void fall_behind() = 0;
  /// What is measured begins now, for all strands that take part in it together. Once on each of them.
  virtual void start_line() = 0;
  /// What is measured has ended: when. Once on each strand that crossed the start line, before anything else is done.
  virtual Time finish_line() = 0;
};

}  // namespace heddle::emu
