// SPDX-License-Identifier: Apache-2.0
// Runs any program on emulated ranks and reads what it did to the network: a ping-pong, and a link that two messages share.
#include <heddle/run.hpp>
#include <iostream>
#include <vector>

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
  const Machine ring{.topology = "ring:5", .bandwidth = 1_GBps, .latency = 100_ns};

  std::cout << "ping-pong of 1 KiB: " << to_string(check(ring, ping_pong).completion) << '\n';

  const Record record = check(ring, incast);
  const LinkRecord& busiest = record.busiest.front();
  std::cout << "incast of 1 KiB each: " << to_string(record.completion) << "; " << busiest.name << " carried "
            << busiest.bytes.count() << " bytes, " << busiest.peak_flows << " messages at once\n";
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
