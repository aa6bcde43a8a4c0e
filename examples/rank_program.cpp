// SPDX-License-Identifier: Apache-2.0
// Runs any program on emulated ranks and reads what it did to the network: a ping-pong, and a link that two messages share.
#include <iostream>
#include <vector>

#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"
#include "topo/spec/topology_spec.hpp"

using namespace heddle;
using namespace heddle::literals;

namespace {

void ping_pong(Communicator& comm) {
  std::vector<std::int32_t> ball(256);
  if (comm.rank() == Rank(0)) {
    comm.send(Rank(1), ball);
    comm.recv(Rank(1), ball);
  } else if (comm.rank() == Rank(1)) {
    comm.recv(Rank(0), ball);
    comm.send(Rank(0), ball);
  }
}

/// Ranks 0 and 1 both send to rank 2: on a ring of 5 both cross the link from 1 to 2.
void incast(Communicator& comm) {
  std::vector<std::int32_t> data(256);
  if (comm.rank() == Rank(0) || comm.rank() == Rank(1)) comm.send(Rank(2), data);
  if (comm.rank() == Rank(2)) {
    comm.recv(kAnySource, data);
    comm.recv(kAnySource, data);
  }
}

}  // namespace

int main() try {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = 1_GBps, .latency = 100_ns}};
  const Fabric ring(parse_topology("ring:5"), settings);
  const Placement ranks = linear_placement(5, ring.topology());

  std::cout << "ping-pong of 1 KiB: " << to_string(emulate(ring, ranks, ping_pong).completion) << '\n';

  const Report report = emulate(ring, ranks, incast);
  const LinkReport busiest = report.busiest_links(1).front();
  std::cout << "incast of 1 KiB each: " << to_string(report.completion) << "; " << ring.topology().link_name(busiest.link)
            << " carried " << busiest.bytes.count() << " bytes, " << busiest.peak_flows << " messages at once\n";
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
