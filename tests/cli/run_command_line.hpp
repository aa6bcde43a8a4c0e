// SPDX-License-Identifier: Apache-2.0
// The command as tests call it: in process, with its streams as strings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::test {

struct CommandResult {
  int status = 0;
  std::string out;
  std::string err;
};

CommandResult run_heddle(const std::vector<std::string>& arguments);

/// The same, split at blanks: "run allreduce --topo ring:4 --size 1KiB".
CommandResult run_heddle(std::string_view arguments);

/// Checks that it ends as bad input, in one line that begins with "heddle: " and this.
void expect_refused(const std::string& arguments, const std::string& complaint);

std::vector<std::string> lines_of(const std::string& text);
std::vector<std::string> words_of(const std::string& text);
std::string file_content(const std::string& path);

/// A file name of its own in a directory for temporary files; removed with this.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view name);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace heddle::test
