// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/picture_file.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "heddle/errors.hpp"
#include "lab/run/setup.hpp"

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

std::vector<std::string> plain_environment() {
  std::vector<std::string> plain = {"LC_ALL=C"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with("LC_") || text.starts_with("LANG")) continue;
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

/// What another program makes of a text.
struct FilterResult {
  static constexpr int kNotFound = 127;

  int status = 0;   ///< its exit status; 1 if it was killed, kNotFound if there is no such program
  std::string out;  ///< what it wrote to standard output …
  std::string err;  ///< … and to standard error
};

/// Runs a program of PATH on `input` as its standard input, and waits until it ends. No shell is between; of the environment what
/// would change numbers is left out. Throws InputError where there is no room for its input and output.
FilterResult run_filter(const std::string& program, const std::vector<std::string>& arguments, std::string_view input) {
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
  std::vector<std::string> environment = plain_environment();
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, program.c_str(), &actions, nullptr, pointers_to(words).data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {FilterResult::kNotFound, {}, {}};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 1, out.read(), err.read()};
}

[[noreturn]] void refuse_missing_converter() {
  throw InputError("rsvg-convert is not installed (Debian's librsvg2-bin); it makes .png and .pdf files; .svg needs nothing");
}

}  // namespace

void require_picture_file(std::string_view path) {
  if (path.ends_with(".svg")) return;
  if (!path.ends_with(".png")) throw InputError(fmt::format("'{}': a picture's file ends in .svg or .png", path));
  require_converter();
}

void require_converter() {
  if (run_filter("rsvg-convert", {"--version"}, "").status == FilterResult::kNotFound) refuse_missing_converter();
}

std::string picture_for(std::string_view path, std::string svg) {
  if (path.ends_with(".svg")) return svg;
  const std::string format = path.ends_with(".pdf") ? "--format=pdf" : "--format=png";
  const FilterResult made = run_filter("rsvg-convert", {"--unlimited", format}, svg);
  if (made.status == FilterResult::kNotFound) refuse_missing_converter();
  if (made.status != 0 || made.out.empty())
    throw InputError(fmt::format("rsvg-convert failed: {}",
                                 made.err.empty() ? "it wrote nothing" : made.err.substr(0, made.err.find('\n'))));
  return made.out;
}

std::string path_of_one(std::string_view path, std::string_view name) {
  std::string safe(name);
  for (char& letter : safe)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 &&
        std::string_view("._-+=,").find(letter) == std::string_view::npos)
      letter = '_';
  const std::filesystem::path whole(path);
  return (whole.parent_path() / (whole.stem().string() + "-" + safe + whole.extension().string())).string();
}

std::string path_of(const Setup& setup, const Algorithm& algorithm, const std::string& path) {
  const bool is_alone = setup.algorithms.chosen.size() == 1 && !setup.is_one_of_models;
  return is_alone ? path : path_of_one(path, setup.name_of(algorithm));
}

std::vector<OutputFile> files_of(const Setup& setup, const std::string& path) {
  const OutputFile as_named(path);  // a directory, say, is refused by the name that was given
  std::vector<OutputFile> files;
  for (const PlannedAlgorithm& run : setup.planned())
    files.emplace_back(path_of(*run.setup, *run.algorithm, path), setup.asked.clock.interrupted);
  return files;
}

}  // namespace heddle::pictures
