// SPDX-License-Identifier: Apache-2.0
#include "net/ranks/run_rank.hpp"

#include <fmt/format.h>

#include "net/ranks/process_communicator.hpp"

namespace heddle::net {

void run_rank(Transport& transport, const std::function<void(Communicator&)>& body, const RankSettings& settings) {
  run_measured_rank(
      transport, [&body](emu::MeasuredCommunicator& communicator) { body(communicator); }, settings);
}

void run_program(Transport& transport, const std::function<void(Communicator&)>& body, const RankSettings& settings) {
  try {
    run_rank(transport, body, settings);
  } catch (const std::exception& error) {
    transport.abort(fmt::format("heddle: rank {} of {}: {}", transport.rank(), transport.size(), error.what()));
  }
}

}  // namespace heddle::net
