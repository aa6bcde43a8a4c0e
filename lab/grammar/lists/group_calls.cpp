// SPDX-License-Identifier: Apache-2.0
#include "lab/grammar/lists/group_calls.hpp"

#include <fmt/format.h>

#include <cctype>

#include "core/errors.hpp"

namespace heddle {

namespace {

std::string_view without_blanks_around(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Where the = stands behind which the call begins; npos: there is none.
std::size_t find_call(std::string_view part) {
  for (std::size_t at = part.find('='); at != part.npos; at = part.find('=', at + 1)) {
    const std::string_view call = without_blanks_around(part.substr(at + 1));
    const bool is_call = call.empty() || std::isalpha(static_cast<unsigned char>(call.front())) != 0;
    if (is_call && !part.substr(0, at).ends_with("seed")) return at;
  }
  return part.npos;
}

/// "allgather/ring@64MiB"
void read_call(std::string_view call, GroupsPart& part) {
  const std::size_t at = call.rfind('@');
  if (at != call.npos) part.size = parse_bytes(without_blanks_around(call.substr(at + 1)));
  call = without_blanks_around(call.substr(0, at));
  const std::size_t slash = call.find('/');
  if (call.empty()) throw InputError("the collective is missing behind =; try =allreduce@16MiB or =allgather/ring@64MiB");
  part.collective = parse_collective(std::string(without_blanks_around(call.substr(0, slash))));
  if (slash == call.npos) return;
  part.algorithm = without_blanks_around(call.substr(slash + 1));
  if (part.algorithm.empty()) throw InputError("the algorithm is missing behind /; try =allgather/ring@64MiB");
}

GroupsPart read_part(std::string_view text) {
  GroupsPart part{.text = std::string(text), .groups = std::string(text)};
  const std::size_t equals = find_call(text);
  if (equals == text.npos) return part;
  part.groups = without_blanks_around(text.substr(0, equals));
  try {
    if (part.groups.empty()) throw InputError("the groups are missing before =; try tp:tier:0=allreduce@16MiB");
    read_call(without_blanks_around(text.substr(equals + 1)), part);
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}': {}", text, error.what()));
  }
  return part;
}

}  // namespace

std::vector<GroupsPart> split_group_calls(std::string_view text) {
  std::vector<GroupsPart> parts;
  for (std::size_t begin = 0, end = 0; end != text.npos; begin = end + 1) {
    end = text.find('+', begin);
    const std::size_t length = end == text.npos ? text.npos : end - begin;
    parts.push_back(read_part(without_blanks_around(text.substr(begin, length))));
  }
  return parts;
}

bool have_calls(std::string_view groups) {
  for (std::size_t begin = 0, end = 0; end != groups.npos; begin = end + 1) {
    end = groups.find('+', begin);
    if (find_call(groups.substr(begin, end == groups.npos ? groups.npos : end - begin)) != groups.npos) return true;
  }
  return false;
}

}  // namespace heddle
