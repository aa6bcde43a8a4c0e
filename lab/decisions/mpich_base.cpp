// SPDX-License-Identifier: Apache-2.0
#include "lab/decisions/mpich_base.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/errors.hpp"
#include "core/read_file.hpp"

namespace heddle::decisions {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kCollective = "\"collective=allreduce\"";
constexpr std::string_view kAlgorithm = "algorithm=MPIR_";  // the files of its devices name compositions
constexpr int kDeepest = 64;

[[noreturn]] void refuse_base(const std::string& path, std::string_view what) {
  throw InputError(fmt::format("'{}': {}", path, what));
}

/// Whoever goes through a document goes down it, its copies for one.
Json parse_base(const std::string& path, std::string_view text) {
  const auto note = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) refuse_base(path, fmt::format("objects more than {} deep in each other", kDeepest));
    return true;
  };
  try {
    return Json::parse(text, note);
  } catch (const Json::exception&) {
    refuse_base(path, "is no JSON");
  }
}

/// The text without its end that a library has; no value if it has none.
std::optional<std::string_view> text_in_library(std::string_view content) {
  for (std::size_t at = 0; (at = content.find(kCollective, at)) != content.npos; ++at) {
    const std::size_t before = content.rfind('\0', at);
    if (before == content.npos) continue;
    const std::string_view text = content.substr(before + 1, content.find('\0', at) - before - 1);
    if (text.starts_with('{') && text.find(kAlgorithm) != text.npos) return text;
  }
  return std::nullopt;
}

std::string content_of_base(const std::string& path) {
  try {
    return read_file(path);
  } catch (const InputError& error) {
    refuse_base(path, error.what());
  }
}

}  // namespace

Json read_mpich_base(const std::string& path) {
  const std::string content = content_of_base(path);
  const bool is_library = content.find('\0') != std::string::npos;
  const std::optional<std::string_view> text = is_library ? text_in_library(content) : std::string_view(content);
  if (!text) refuse_base(path, "has no tuning file of MPICH in it; give libmpich.so, or generic.json of MPICH's sources");
  Json base = parse_base(path, *text);
  if (!base.is_object() || !base.contains("collective=allreduce") || text->find(kAlgorithm) == text->npos)
    refuse_base(path, "is no tuning file of MPICH's algorithms; give libmpich.so, or generic.json of MPICH's sources");
  return base;
}

}  // namespace heddle::decisions
