// SPDX-License-Identifier: Apache-2.0
// Ranks that come late, throw or stop because a run is asked to have it so (docs/faults.md).
#pragma once

#include <cstdint>
#include <string>

#include "emu/communicators/faulty_communicator.hpp"
#include "emu/communicators/host.hpp"
#include "emu/run/state/run_state.hpp"

namespace heddle::emu {

/// Of a run with injected faults.
class RankFaults final : public CallCounter {
 public:
  /// Both outlive it.
  RankFaults(RunState& run, Host& host) : run_(run), host_(host) {}

  void begin(TaskId task) override;
  void end(TaskId task) override { run_.tasks[task].counts_calls = false; }
  void count(TaskId task, const char* call) override;

 private:
  RunState& run_;
  Host& host_;
};

/// "call 3, isend(), fault rank:2,throws,call=3".
std::string strike_text(std::int64_t call, const char* name, const RankFault& fault);

}  // namespace heddle::emu
