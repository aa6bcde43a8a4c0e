// SPDX-License-Identifier: Apache-2.0
// Three algorithms over sizes on a torus: the table with the best of each size, and an SVG (to a file if one is named).
#include <fstream>
#include <iostream>

#include "heddle/errors.hpp"
#include "lab/sweep/sweep.hpp"
#include "show/drawing/sweep_plot.hpp"
#include "show/reports/sweep_report.hpp"

using namespace heddle;
using namespace heddle::literals;

int main(int argc, char** argv) try {
  Sweep sweep{.algorithms = "ring,swing_bandwidth,torus_recursive_doubling"};
  sweep.common.fabric = {.topology = "torus:4x4", .preset = "swing-nsdi24"};
  for (Bytes size = 1_KiB; size <= 16_MiB; size = 8 * size) sweep.sizes.push_back(size);
  const SweepDocument results = run(sweep);
  std::cout << table_text_of(results);
  std::ofstream file(argc > 1 ? argv[1] : "");
  (argc > 1 ? file : std::cout) << svg_text_of(results);
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
