// SPDX-License-Identifier: Apache-2.0
// Usage: <launcher> heddle_over_network tcp|mpi|mpi:FILE [quick]
// Every row that needs no switch, called for real by the processes that the launcher started: counts of 0, 1, p - 1 and 1000, even and
// uneven blocks, in place and out of place, all roots up to 5 ranks and some above. Each call is checked as `heddle run --transport` does it,
// with all five calls. Rank 0 prints one line in the end; the first fault ends all processes with its explanation. quick: fewer counts
// and roots.
#include <fmt/format.h>

#include <iostream>
#include <set>
#include <string>
#include <string_view>

#include "heddle/errors.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/run/setup.hpp"
#include "net/study/network_ranks.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

/// Shapes of p ranks: grids as square as they come, for what needs one.
std::vector<std::string> shapes_of(int p) {
  std::vector<std::string> shapes = {fmt::format("star:{}", p)};
  for (int side = 2; side * side <= p; ++side)
    if (p % side == 0) shapes.push_back(fmt::format("torus:{}x{}", side, p / side));
  if (p == 8) shapes.emplace_back("torus:2x2x2");
  return shapes;
}

class EveryCall {
 public:
  EveryCall(net::Transport& transport, bool is_quick)
      : ranks_(transport, {.stall_seconds = 60}), p_(transport.size()), is_quick_(is_quick) {}

  std::int64_t calls() const { return calls_; }
  std::size_t rows() const { return rows_.size(); }

  void run() {
    for (const Collective collective : all_collectives())
      for (const std::string& shape : shapes_of(p_)) run_counts(collective, shape);
  }

 private:
  void run_counts(Collective collective, const std::string& shape) {
    if (collective == Collective::barrier) return run_rows(make(collective, shape, 0));
    const std::set<std::int64_t> counts =
        is_quick_ ? std::set<std::int64_t>{1, 1000} : std::set<std::int64_t>{0, 1, p_ - 1, 1000};
    for (std::int64_t count : counts) {
      if (collective == Collective::alltoall) count *= p_;
      run_roots(make(collective, shape, count));
      if (!has_blocks(collective) || count == 0) continue;
      Experiment uneven = make(collective, shape, count);
      uneven.blocks = "random:7";
      run_roots(uneven);
    }
  }

  static Experiment make(Collective collective, const std::string& shape, std::int64_t count) {
    Experiment what;
    what.collective = collective;
    what.fabric.topology = shape;
    if (collective != Collective::barrier) what.size = Bytes(4 * count);
    what.calls = 5;
    return what;
  }

  void run_roots(Experiment what) {
    std::set<int> roots = {0};
    if (has_root(what.collective))
      roots = is_quick_ || p_ > 5 ? std::set{0, p_ - 1} : std::set{0, 1 % p_, 2 % p_, 3 % p_, 4 % p_};
    for (const int root : roots) {
      what.root = root;
      for (const bool in_place : {true, false}) {
        what.in_place = in_place;
        run_rows(what);
      }
    }
  }

  void run_rows(const Experiment& what) {
    const Setup setup = set_up(what, "all", Fabric(parse_topology(what.fabric.topology), {}), Unfitting::left_out);
    ranks_.set_shape(setup);
    for (const Algorithm& row : setup.algorithms.chosen) {
      ranks_.run(setup.call(row));
      rows_.insert(fmt::format("{} {}", to_string(what.collective), row.name));
      ++calls_;
    }
  }

  net::NetworkRanks ranks_;
  int p_;
  bool is_quick_;
  std::int64_t calls_ = 0;
  std::set<std::string> rows_;
};

int check(const std::string& network, bool is_quick) {
  const std::unique_ptr<net::Transport> transport = net::open_network(network, "heddle_over_network");
  try {
    EveryCall every(*transport, is_quick);
    every.run();
    if (transport->rank() == 0)
      std::cout << fmt::format("{}, {} ranks: {} rows right in {} runs of five calls\n", transport->name(), transport->size(),
                               every.rows(), every.calls());
  } catch (const std::exception& error) {
    transport->abort(fmt::format("rank {}: {}", transport->rank(), error.what()));
  }
  return 0;
}

}  // namespace

}  // namespace heddle

int main(int argc, char** argv) {
  const std::string network = argc > 1 ? argv[1] : "";
  if (network != "tcp" && !network.starts_with("mpi")) {
    std::cerr << "usage: <launcher> heddle_over_network tcp|mpi|mpi:FILE [quick]\n";
    return 2;
  }
  try {
    return heddle::check(network, argc > 2 && std::string_view(argv[2]) == "quick");
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
