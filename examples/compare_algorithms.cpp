// SPDX-License-Identifier: Apache-2.0
// Asks which allreduce of the registry is fastest on a fabric, at a small and at a large size.
#include <heddle/registry.hpp>
#include <heddle/run.hpp>
#include <iostream>

using namespace heddle;
using namespace heddle::literals;

int main() try {
  const Machine machine{.topology = "torus:4x4", .preset = "swing-nsdi24"};
  for (const Bytes size : {1_KiB, 4_MiB}) {
    Time best = Time::max();
    std::string_view winner;
    const Shape shape{.ranks = 16, .dims = {4, 4}, .count = size.count() / 4, .bytes = size.count()};
    for (const Algorithm* algorithm : algorithms_of(Collective::allreduce)) {
      if (!why_not(*algorithm, shape, ReduceOp::sum()).empty()) continue;  // a torus has no switches that compute
      const Record record = check(machine, Call{.algorithm = algorithm->name, .size = size});
      if (record.completion < best) best = record.completion, winner = algorithm->name;
    }
    std::cout << to_string(size) << ": " << winner << " in " << to_string(best) << '\n';
  }
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
