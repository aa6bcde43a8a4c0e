// SPDX-License-Identifier: Apache-2.0
#include "show/plot/gnuplot.hpp"

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
#include <vector>

#include "core/errors.hpp"

namespace heddle::pictures {

namespace {

/// A file without a name, gone with this. Files instead of pipes: neither side waits for the other.
class NamelessFile {
 public:
  NamelessFile() : file_(std::tmpfile(), &std::fclose) {
    if (file_ == nullptr)
      throw InputError(fmt::format("no temporary file for gnuplot: {}; see TMPDIR", std::generic_category().message(errno)));
  }

  int descriptor() const { return fileno(file_.get()); }

  void write(std::string_view text) const {
    const bool written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size() && std::fflush(file_.get()) == 0;
    if (!written) throw InputError(fmt::format("no room for gnuplot's script: {}", std::generic_category().message(errno)));
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

struct Ended {
  int status = 0;  ///< of gnuplot; 127: it was not found
  std::string out;
  std::string err;
};

/// The environment without what would change numbers or their look.
std::vector<std::string> plain_environment() {
  std::vector<std::string> plain = {"LC_ALL=C"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with("LC_") && !text.starts_with("LANG") && !text.starts_with("GNUTERM") && !text.starts_with("GNUPLOT_"))
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

Ended spawn_gnuplot(std::string_view script) {
  const NamelessFile in;
  const NamelessFile out;
  const NamelessFile err;
  in.write(script);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  std::vector<std::string> arguments = {"gnuplot", "-d"};  // -d: nobody's settings
  std::vector<std::string> environment = plain_environment();
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, "gnuplot", &actions, nullptr, pointers_to(arguments).data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {127, {}, {}};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 1, out.read(), err.read()};
}

[[noreturn]] void refuse_missing() { throw InputError("gnuplot is not installed (Debian's gnuplot-nox); it draws the plots"); }

/// gnuplot repeats the line, points at the place and then says what is wrong, as in `line 3: undefined variable: x`.
std::string complaint_of(const std::string& err) {
  std::string last;
  for (std::size_t begin = 0; begin < err.size();) {
    const std::size_t end = std::min(err.find('\n', begin), err.size());
    const std::string line = err.substr(begin, end - begin);
    if (line.find_first_not_of(" ^") != std::string::npos) last = line.substr(line.find_first_not_of(' '));
    begin = end + 1;
  }
  return last.empty() ? "it wrote nothing" : last;
}

}  // namespace

void require_gnuplot() {
  if (spawn_gnuplot("print 1\n").status == 127) refuse_missing();
}

std::string run_gnuplot(std::string_view script) {
  const Ended ended = spawn_gnuplot(script);
  if (ended.status == 127) refuse_missing();
  if (ended.status != 0 || ended.out.empty()) throw InputError(fmt::format("gnuplot failed: {}", complaint_of(ended.err)));
  return ended.out;
}

std::string gnuplot_text(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : text) {
    if (letter == '\'') quoted += '\'';
    quoted += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
  }
  return quoted + "'";
}

}  // namespace heddle::pictures
