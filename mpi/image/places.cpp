// SPDX-License-Identifier: Apache-2.0
#include "mpi/image/places.hpp"

#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

#include "process/child.hpp"

extern char** environ;

namespace heddle::mpi {

namespace {

// All that a program of PATH prints; empty if it cannot be started. What it complains of is not shown.
std::string output_of(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  const OpenFile reads(ends[0]);
  OpenFile writes(ends[1]);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, writes.get(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  writes.close();
  if (error != 0) return "";
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t got = 0; (got = read(reads.get(), part.data(), part.size())) != 0;) {
    if (got > 0) {
      text.append(part.data(), static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      break;
    }
  }
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return text;
}

// "ring.c:41" of "/home/me/ring.c:41 (discriminator 2)"; empty if the line is not known.
std::string short_place(std::string_view line) {
  line = line.substr(0, line.find(' '));
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos || line.starts_with("??")) return "";
  const std::string_view number = line.substr(colon + 1);
  if (number.empty() || number == "?" || number == "0") return "";
  return fmt::format("{}:{}", std::filesystem::path(line.substr(0, colon)).filename().string(), number);
}

// Of inline functions of the C++ library's, which a program has in itself: a place in them says little of the program.
bool is_of_cxx_library(std::string_view line) { return line.find("/include/c++/") != std::string_view::npos; }

// The innermost place of each address, in order; empty: not known. That of the C++ library's is taken only where there is no other. With
// -a, each answer begins with its address.
std::vector<std::string> lines_of(const ElfFile& file, const std::vector<std::uint64_t>& addresses) {
  std::vector<std::string> words{"addr2line", "-a", "-C", "-f", "-i", "-e", file.path()};
  for (const std::uint64_t address : addresses) words.push_back(fmt::format("{:#x}", address));
  const std::string text = output_of(words);
  std::vector<std::string> places;
  std::size_t line_in_answer = 0;
  bool is_settled = false;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.starts_with("0x")) {
      places.emplace_back();
      line_in_answer = 0;
      is_settled = false;
    } else if (++line_in_answer % 2 == 0 && !places.empty() && !is_settled) {  // after each function's name
      is_settled = !is_of_cxx_library(line);
      if (is_settled || line_in_answer == 2) places.back() = short_place(line);
    }
  }
  places.resize(addresses.size());
  return places;
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return text != nullptr ? text.get() : name;
}

std::uintptr_t call_before(const void* return_address) { return reinterpret_cast<std::uintptr_t>(return_address) - 1; }

std::string place_without_lines(const ElfFile& file, std::uint64_t address) {
  if (const auto function = file.function_at(address))
    return fmt::format("{}+{:#x}", demangled(function->name), function->offset);
  return fmt::format("{}+{:#x}", std::filesystem::path(file.path()).filename().string(), address);
}

}  // namespace

void Places::add(const ProgramCopy& copy) {
  const ElfFile& file = copy.image().file();
  for (const ElfSegment& segment : file.segments()) {
    const std::uintptr_t start = copy.base() + segment.address;
    ranges_[start] = {start + segment.memory_size, copy.base(), &file};
  }
}

const Places::Range* Places::range_of(const void* return_address) const {
  const std::uintptr_t call = call_before(return_address);
  auto after = ranges_.upper_bound(call);
  if (return_address == nullptr || after == ranges_.begin()) return nullptr;
  const Range& range = (--after)->second;
  return call < range.end ? &range : nullptr;
}

std::string Places::stack_text(std::span<const void* const> return_addresses) const {
  const auto first =
      std::ranges::find_if(return_addresses, [this](const void* address) { return range_of(address) != nullptr; });
  if (first == return_addresses.end()) return "";
  const Range& range = *range_of(*first);
  const auto function = range.file->function_at(call_before(*first) - range.base);
  const std::string name = function ? demangled(function->name) : "the program";
  const std::string place = texts(std::span(&*first, 1)).front();
  if (first == return_addresses.begin()) return fmt::format("in {} at {}", name, place);
  return fmt::format("in what {} calls at {}", name, place);
}

std::vector<std::string> Places::texts(std::span<const void* const> return_addresses) const {
  std::vector<std::string> texts(return_addresses.size(), "unknown place");
  struct Asked {
    std::vector<std::uint64_t> addresses;
    std::vector<std::size_t> answers_to;
  };
  std::map<const ElfFile*, Asked> by_file;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < return_addresses.size(); ++i) {
    const Range* const range = range_of(return_addresses[i]);
    if (range == nullptr) continue;
    const std::uint64_t address = call_before(return_addresses[i]) - range->base;
    if (const auto known = known_.find({range->file, address}); known != known_.end()) {
      texts[i] = known->second;
      continue;
    }
    by_file[range->file].addresses.push_back(address);
    by_file[range->file].answers_to.push_back(i);
  }
  for (const auto& [file, asked] : by_file) {
    const std::vector<std::string> lines = lines_of(*file, asked.addresses);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::string& text = texts[asked.answers_to[i]];
      text = lines[i].empty() ? place_without_lines(*file, asked.addresses[i]) : lines[i];
      known_.emplace(std::pair(file, asked.addresses[i]), text);
    }
  }
  return texts;
}

}  // namespace heddle::mpi
