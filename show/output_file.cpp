// SPDX-License-Identifier: Apache-2.0
#include "show/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "core/errors.hpp"

namespace heddle {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, std::string_view why) {
  throw InputError(
      fmt::format("'{}': cannot be written: {}; name a file in a directory that you may write to", path.string(), why));
}

[[noreturn]] void refuse_by_errno(const std::filesystem::path& path) {
  refuse(path, std::error_code(errno, std::generic_category()).message());
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (path.empty()) refuse(path_, "it is no name");
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
  errno = 0;
  std::ofstream file(is_stream_ ? path_ : beside_, std::ios::binary | (is_stream_ ? std::ios::app : std::ios::trunc));
  writer(file);
  file.close();
  const int cause = errno;
  std::error_code error;
  if (!file && !is_stream_) std::filesystem::remove(beside_, error);  // what is there of it is of no use
  errno = cause;
  if (!file) refuse_by_errno(path_);
  if (is_stream_) return;
  std::filesystem::rename(beside_, path_, error);
  if (error) refuse(path_, error.message());
}

}  // namespace heddle
