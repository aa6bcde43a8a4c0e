// SPDX-License-Identifier: Apache-2.0
#include "show/document/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <new>
#include <ostream>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"

namespace heddle {

namespace {

constexpr std::string_view kNoMemory = "the system has no memory left";
constexpr std::string_view kNoReader = "nobody reads it";
constexpr std::chrono::milliseconds kTick(20);
constexpr std::chrono::milliseconds kPatience(2000);  // with a reader that is slow

/// Another file would help against all but a lack of memory.
std::string complaint(const std::filesystem::path& path, std::string_view why) {
  const std::string what = fmt::format("'{}': cannot be written: {}", path.string(), why);
  if (why == kNoMemory) return what;
  if (why == kNoReader) return what + "; read the pipe meanwhile, or name a file";
  const bool is_full = why == std::make_error_code(std::errc::no_space_on_device).message();
  return what + (is_full ? "; name a file where there is room" : "; name a file in a directory that you may write to");
}

[[noreturn]] void refuse(const std::filesystem::path& path, std::string_view why) { throw InputError(complaint(path, why)); }

std::string reason_of_errno() {
  if (errno == ENOMEM) return std::string(kNoMemory);
  return std::error_code(errno, std::generic_category()).message();
}

[[noreturn]] void refuse_by_errno(const std::filesystem::path& path) { refuse(path, reason_of_errno()); }

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view why) { throw OutputError(complaint(path, why)); }

bool is_standard_output(const std::string& path) {
  return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

/// No value: it cannot be told.
std::optional<std::filesystem::path> real_path(const std::string& name) {
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(name, error);
  if (!error) path = std::filesystem::weakly_canonical(path, error);
  if (error == std::errc::not_enough_memory) throw std::bad_alloc();
  if (error) return std::nullopt;
  return path;
}

bool is_same_file(const std::string& one, const std::string& other) {
  if (is_standard_output(one) || is_standard_output(other)) return is_standard_output(one) && is_standard_output(other);
  if (one == other) return true;
  std::error_code unknown;  // of what is not there yet, the names must do
  if (std::filesystem::equivalent(one, other, unknown) && !unknown) return true;
  const std::optional<std::filesystem::path> real = real_path(one);
  return real && real == real_path(other);
}

}  // namespace

OutputFile::OutputFile(const std::string& path, std::function<bool()> is_interrupted)
    : path_(path), is_interrupted_(std::move(is_interrupted)) {
  if (path.empty()) refuse(path_, "it is no name");
  // Who means standard output does not want a file that is called so.
  if (path == "-") throw InputError("'-': standard output is not for this; name a file");
  std::error_code unknown;  // a path that cannot be looked up fails below, when it is opened
  const std::filesystem::file_status status = std::filesystem::status(path_, unknown);
  if (std::filesystem::is_directory(status)) refuse(path_, "it is a directory");
  if (std::filesystem::exists(status) && access(path_.c_str(), W_OK) != 0) refuse_by_errno(path_);
  // Standard output may be a regular file, but one that others write to as well.
  const bool is_open_already = path.starts_with("/dev/std") || path.starts_with("/dev/fd/");
  is_stream_ = std::filesystem::exists(status) && (is_open_already || !std::filesystem::is_regular_file(status));
  if (is_stream_) return;

  // Through a symbolic link the file that it names is replaced, not the link.
  if (const std::filesystem::path target = std::filesystem::canonical(path_, unknown); !unknown) path_ = target;
  beside_ = path_;
  beside_ += fmt::format(".{}.part", getpid());
  errno = 0;
  if (!std::ofstream(beside_)) refuse_by_errno(path);
  std::filesystem::remove(beside_);
}

void OutputFile::write(std::string_view content) const {
  write_by([&](std::ostream& out) { out << content; });
}

void OutputFile::write_by(const std::function<void(std::ostream&)>& writer) const {
  if (is_stream_) {
    std::ostringstream text;
    writer(text);
    write_stream(text.view());
    return;
  }
  errno = 0;
  std::ofstream file(beside_, std::ios::binary | std::ios::trunc);
  writer(file);
  file.close();
  const std::string reason = reason_of_errno();
  std::error_code error;
  if (!file) {
    std::filesystem::remove(beside_, error);  // what is there of it is of no use
    fail(path_, reason);
  }
  std::filesystem::rename(beside_, path_, error);
  if (error) fail(path_, error.message());
}

// A pipe is opened and written without blocking: within open() and write() nobody looks whether heddle is to end.

int OutputFile::open_stream() const {
  for (;;) {
    const int file = open(path_.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file >= 0) return file;
    if (errno == EINTR) continue;
    if (errno != ENXIO || !std::filesystem::is_fifo(path_)) fail(path_, reason_of_errno());
    if (is_interrupted_ && is_interrupted_()) fail(path_, kNoReader);
    std::this_thread::sleep_for(kTick);  // for who will read it
  }
}

void OutputFile::write_stream(std::string_view content) const {
  const int file = open_stream();
  std::string failure;
  auto waited = std::chrono::milliseconds(0);  // since something went, interrupted
  while (!content.empty() && failure.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
      waited = {};
    } else if (errno == EAGAIN) {
      pollfd ready{file, POLLOUT, 0};
      if (poll(&ready, 1, static_cast<int>(kTick.count())) == 1) continue;
      if (is_interrupted_ && is_interrupted_()) waited += kTick;
      if (waited > kPatience) failure = kNoReader;
    } else if (errno != EINTR) {
      failure = reason_of_errno();
    }
  }
  if (close(file) != 0 && failure.empty()) failure = reason_of_errno();
  if (!failure.empty()) fail(path_, failure);
}

void require_apart(const std::vector<NamedOutput>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto& [flag, path] = outputs[i];
      if (path == "/dev/null" || !is_same_file(path, outputs[j].path)) continue;
      throw InputError(
          fmt::format("{} and {}: both would write '{}'; give each a file of its own", outputs[j].flag, flag, path));
    }
  }
}

ReportOutput::ReportOutput(std::string_view flag, const std::optional<std::string>& path) : is_standard_output_(path == "-") {
  if (path && !is_standard_output_) file_ = read_flag(flag, *path, [&](std::string_view) { return OutputFile(*path); });
}

void ReportOutput::write(std::string_view content, std::ostream& out) const {
  write_by([&](std::ostream& to) { to << content; }, out);
}

void ReportOutput::write_by(const std::function<void(std::ostream&)>& writer, std::ostream& out) const {
  if (is_standard_output_) writer(out);
  if (!file_) return;
  out.flush();  // a pipe may wait for its reader, or heddle be ended meanwhile: what has been printed is there
  file_->write_by(writer);
}

}  // namespace heddle
