// SPDX-License-Identifier: Apache-2.0
#include "cli/command_texts/guide.hpp"

#include <fmt/format.h>

#include <array>

namespace heddle {

namespace {

constexpr std::array<FirstCommand, 5> kFirstCommands = {{
    {"heddle run allreduce --topo torus:8x8 --size 1MiB --preset swing-nsdi24",
     "every allreduce that fits, on an 8x8 torus with the Swing paper's speeds"},
    {"heddle run allreduce --algo ring --topo ring:16 --size 1MiB --explain", "one algorithm, and where its time goes"},
    {"heddle sweep allreduce --topo torus:4x4 --size 1KiB:16MiB:x4", "which algorithm is the fastest at which size"},
    {"heddle list --collective allreduce", "the algorithms: rounds, bytes, needs, sources"},
    {"heddle topo fattree:k=8", "a fabric's size, degree, diameter and bisection"},
}};

}  // namespace

std::span<const FirstCommand> first_commands() { return kFirstCommands; }

std::string guide() {
  std::string text =
      "heddle runs collective-communication algorithms on an emulated fabric, checks\n"
      "every result, and only then reports the time.\n\n";
  for (const FirstCommand& command : first_commands()) text += fmt::format("  {}\n      {}\n", command.line, command.meaning);
  return text +
         "\nAll commands: heddle help. One command's flags: heddle help run. The manual:\n"
         "man heddle, where heddle is installed.\n";
}

}  // namespace heddle
