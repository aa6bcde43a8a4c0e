// SPDX-License-Identifier: Apache-2.0
#include "show/files/filter_program.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

#include "core/errors.hpp"

namespace heddle::pictures {

namespace {

/// A file without a name, gone with this. Files instead of pipes: neither side waits for the other.
class NamelessFile {
 public:
  NamelessFile() : file_(std::tmpfile(), &std::fclose) {
    if (file_ == nullptr)
      throw InputError(
          fmt::format("no temporary file for another program's input: {}; see TMPDIR", std::generic_category().message(errno)));
  }

  int descriptor() const { return fileno(file_.get()); }

  void write(std::string_view text) const {
    const bool written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size() && std::fflush(file_.get()) == 0;
    if (!written)
      throw InputError(fmt::format("no room for another program's input: {}", std::generic_category().message(errno)));
    std::rewind(file_.get());
  }

  std::string read() const {
    std::rewind(file_.get());
    std::string text;
    std::array<char, 65536> part;
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), file_.get())) text.append(part.data(), count);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

std::vector<std::string> plain_environment(const std::vector<std::string_view>& without) {
  std::vector<std::string> plain = {"LC_ALL=C"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with("LC_") || text.starts_with("LANG")) continue;
    if (std::ranges::none_of(without, [&](std::string_view prefix) { return text.starts_with(prefix); }))
      plain.emplace_back(text);
  }
  return plain;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

FilterResult run_filter(const std::string& program, const std::vector<std::string>& arguments, std::string_view input,
                        const std::vector<std::string_view>& without) {
  const NamelessFile in;
  const NamelessFile out;
  const NamelessFile err;
  in.write(input);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = plain_environment(without);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, program.c_str(), &actions, nullptr, pointers_to(words).data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {FilterResult::kNotFound, {}, {}};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 1, out.read(), err.read()};
}

}  // namespace heddle::pictures
