// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "schedules/files/msccl.hpp"
#include "schedules/run/compiled_schedule.hpp"
#include "tests/fuzzers/refusal.hpp"
#include "tests/fuzzers/targets.hpp"

namespace heddle::fuzzers {

/// Read, looked through and explained, as before a run and after one that failed.
void msccl(std::string_view text) {
  may_refuse([&] {
    const CompiledSchedule schedule(read_msccl(std::string(text), "schedule.xml", Collective::allreduce));
    static_cast<void>(schedule.explain(1, true));
  });
}

}  // namespace heddle::fuzzers
