// SPDX-License-Identifier: Apache-2.0
// Three algorithms over sizes on a torus: the table with the best of each size, and an SVG (to a file if one is named).
#include <fstream>
#include <heddle/sweep.hpp>
#include <iostream>

using namespace heddle;
using namespace heddle::literals;

int main(int argc, char** argv) try {
  SweepAxes axes{.algorithms = "ring,swing_bandwidth,torus_recursive_doubling"};
  for (Bytes size = 1_KiB; size <= 16_MiB; size = 8 * size) axes.sizes.push_back(size);
  const SweepTexts results = sweep({.topology = "torus:4x4", .preset = "swing-nsdi24"}, {}, axes);
  std::cout << results.table;
  std::ofstream file(argc > 1 ? argv[1] : "");
  (argc > 1 ? file : std::cout) << results.svg;
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
