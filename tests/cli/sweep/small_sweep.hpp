// SPDX-License-Identifier: Apache-2.0
// A sweep of thirty runs that takes no time, and what it leaves behind.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle::test {

inline void write_file(const std::string& path, std::string_view content) { std::ofstream(path, std::ios::binary) << content; }

/// Two fabrics, two ways to sit on them, three sizes, algorithms that do not fit everywhere.
inline const std::string kSweep =
    "sweep allreduce --algo ring,bucket,rabenseifner --topo torus:2x3,star:6 --placement linear,random:3 --size 1KiB:16KiB:x4 "
    "--data-memory 16KiB";

struct Outputs {
  std::string out, json, csv;
  bool operator==(const Outputs&) const = default;
};

/// Of the sweep with more flags, which must go well.
inline Outputs run_sweep_in(const TemporaryDirectory& directory, const std::string& flags) {
  const CommandResult result =
      run_heddle(fmt::format("{} --json {} --csv {} {}", kSweep, directory / "s.json", directory / "s.csv", flags));
  CHECK(result.err == "");
  CHECK(result.status == 0);
  CHECK_FALSE(std::filesystem::exists(directory / "s.json.partial"));
  return {result.out, file_content(directory / "s.json"), file_content(directory / "s.csv")};
}

/// A journal of the sweep with all of its runs, as a kill just before the end leaves it.
inline std::string journal_of_all_runs(const TemporaryDirectory& directory) {
  // Where the last output cannot be replaced, the journal stays.
  std::filesystem::create_directories(directory / "x");
  const CommandResult result = run_heddle(fmt::format("{} --json {} --csv /dev/full", kSweep, directory / "x/s.json"));
  CHECK(result.status == 1);
  return file_content(directory / "x/s.json.partial");
}

}  // namespace heddle::test
