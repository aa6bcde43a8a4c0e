// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/run_command_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include "cli/command_line.hpp"
#include "tests/catch.hpp"

namespace heddle::test {

CommandResult run_heddle(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  const int status = run_command_line(arguments, out, err);
  return {status, out.str(), err.str()};
}

CommandResult run_heddle(std::string_view arguments) { return run_heddle(words_of(std::string(arguments))); }

void expect_refused(const std::string& arguments, const std::string& complaint) {
  const CommandResult result = run_heddle(arguments);
  INFO(arguments);
  CHECK(result.status == 2);
  CHECK(result.out == "");
  CHECK(lines_of(result.err).size() == 1);
  CHECK_THAT(result.err, Catch::StartsWith("heddle: " + complaint));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string file_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TemporaryFile::TemporaryFile(std::string_view name)
    : path_(std::filesystem::temp_directory_path() / fmt::format("heddle-test-{}-{}", getpid(), name)) {}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;  // some tests never write it
  std::filesystem::remove(path_, ignored);
}

}  // namespace heddle::test
