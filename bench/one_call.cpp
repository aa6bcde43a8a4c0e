// SPDX-License-Identifier: Apache-2.0
// usage: heddle_one_call P                               lists every call: COLLECTIVE SHAPE ROW, a line each
//        heddle_one_call P COLLECTIVE SHAPE ROW          what the virtual run sends: SOURCE DEST MESSAGES BYTES, a line each
//        mpirun -n P … heddle_one_call P COLLECTIVE SHAPE ROW LIBRARY      makes the call once over MPI, by that library of heddle's
// Calls of 840 elements, which 2 to 8 divide, on P ranks.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emu/record/timeline.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "net/mpi/open_mpi.hpp"
#include "net/study/network_ranks.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

Setup plan_of(Collective collective, const std::string& shape) {
  Experiment what;
  what.collective = collective;
  what.fabric.topology = shape;
  if (collective != Collective::barrier) what.size = Bytes(4 * 840);
  what.keep_timeline = true;
  return set_up(what, "all", Fabric(parse_topology(shape), {}), Unfitting::left_out);
}

std::vector<std::string> names_in(const Setup& setup) {
  std::vector<std::string> names;
  for (const Algorithm& row : setup.algorithms.chosen) names.push_back(row.name);
  return names;
}

/// Rows that need a grid, on one; all others on a star.
void list_calls(int p) {
  for (const Collective collective : all_collectives()) {
    const std::string star = fmt::format("star:{}", p);
    const std::string grid = fmt::format("torus:2x{}", p / 2);
    const std::vector<std::string> flat = names_in(plan_of(collective, star));
    for (const std::string& name : flat) std::cout << to_string(collective) << ' ' << star << ' ' << name << '\n';
    if (p % 2 != 0) continue;
    for (const std::string& name : names_in(plan_of(collective, grid)))
      if (std::ranges::find(flat, name) == flat.end()) std::cout << to_string(collective) << ' ' << grid << ' ' << name << '\n';
  }
}

void print_virtual_messages(const Setup& setup, const Algorithm& row) {
  std::map<std::pair<int, int>, std::pair<std::int64_t, std::int64_t>> matrix;
  const Outcome outcome = run_algorithm(setup, row);
  if (outcome.timeline == nullptr) throw InputError(outcome.failure()->explanation);
  for (const MessageRecord& message : outcome.timeline->messages) {
    if (message.source == message.dest) continue;
    auto& [messages, bytes] = matrix[{message.source, message.dest}];
    ++messages;
    bytes += message.bytes;
  }
  for (const auto& [pair, sent] : matrix)
    std::cout << pair.first << ' ' << pair.second << ' ' << sent.first << ' ' << sent.second << '\n';
}

void call_over_mpi(const Setup& setup, const Algorithm& row, const std::string& library) {
  const std::unique_ptr<net::Transport> transport = net::open_mpi(library);
  net::NetworkRanks ranks(*transport, {.stall_seconds = 60});
  ranks.set_shape(setup);
  CollectiveCall call = setup.call(row);
  call.calls = 1;
  ranks.run(call);
}

void run_words(const std::vector<std::string>& words) {
  if (words.size() == 1) return list_calls(std::stoi(words[0]));
  if (words.size() < 4) throw InputError("usage: heddle_one_call P [COLLECTIVE SHAPE ROW [LIBRARY]]");
  const Setup setup = plan_of(parse_collective(words[1]), words[2]);
  const auto row = std::ranges::find(setup.algorithms.chosen, words[3], &Algorithm::name);
  if (row == setup.algorithms.chosen.end()) throw InputError(words[3] + " does not fit " + words[2]);
  if (words.size() == 4) return print_virtual_messages(setup, *row);
  call_over_mpi(setup, *row, words[4]);
}

}  // namespace

}  // namespace heddle

int main(int argc, char** argv) {
  try {
    heddle::run_words({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
