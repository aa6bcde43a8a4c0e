// SPDX-License-Identifier: Apache-2.0
// The flags of `heddle run`, as written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/flags/fabric_options.hpp"
#include "show/run/run_outputs.hpp"

namespace heddle {

struct RunOptions {
  std::string collective;
  FabricOptions fabric;

  std::string algorithms = "all";
  std::optional<std::string> tune;
  std::optional<std::string> tune_budget;
  std::vector<std::string> plugins;
  std::string size;
  std::optional<std::string> datatype;
  std::string values = "usual";
  std::string op = "sum";
  std::string root = "0";
  std::string blocks = "even";
  std::optional<std::string> skew;
  bool in_place = false;
  bool out_of_place = false;

  std::optional<std::string> ranks;
  std::string placement = "linear";
  std::optional<std::string> groups;
  std::string alone = "64";
  std::vector<std::string> background;
  std::vector<std::string> faults;
  std::string buffering = "eager";
  std::string model = "fluid";
  std::optional<std::string> threads;
  std::optional<std::string> stack;
  std::optional<std::string> order_seed;
  std::optional<std::string> order;
  std::optional<std::string> explore;
  std::string clock = "virtual";
  std::optional<std::string> dilation;
  std::optional<std::string> deadline;
  std::optional<std::string> over;
  std::optional<std::string> beside;

  std::string payload = "64MiB";
  std::string calls = "2";
  std::string seed = "1";

  RunOutputPaths outputs;
  std::string links = "16";
  bool explain = false;
  bool wide = false;

  std::optional<std::string> iterations;
  std::optional<std::string> warmup;
  std::string check = "1";
};

}  // namespace heddle
