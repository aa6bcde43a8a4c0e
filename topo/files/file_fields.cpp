// SPDX-License-Identifier: Apache-2.0
#include "topo/files/file_fields.hpp"

#include <algorithm>
#include <cmath>

#include "core/checksum.hpp"
#include "core/nearest_name.hpp"
#include "core/read_file.hpp"

namespace heddle {
namespace {

void append_content(const LocatedJson& value, std::string& text) {
  text += fmt::format("{}{}:{} {} {} {}:{}", static_cast<int>(value.kind), value.key.size(), value.key, value.number,
                      value.truth, value.text.size(), value.text);
  for (const LocatedJson& part : value.parts) append_content(part, text);
  text += ';';
}

}  // namespace

std::string checksum_of_content(LocatedJson root) {
  std::erase_if(root.parts, [](const LocatedJson& member) { return member.key == "check"; });
  std::string content;
  append_content(root, content);
  return checksum_of(content);
}

LocatedJson FileFields::read_root() const {
  std::string content;
  try {
    content = read_file(path_);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path_, error.what()));
  }
  return read_located_json(content, path_);
}

void FileFields::fail(const LocatedJson& at, const std::string& reason) const {
  throw InputError(fmt::format("{}:{}: {}", path_, at.line, reason));
}

void FileFields::require_kind(const LocatedJson& value, LocatedJson::Kind kind, std::string_view what) const {
  if (value.kind != kind) fail(value, fmt::format("{} must be {}, not {}", what, describe(kind), describe(value.kind)));
}

void FileFields::require_object(const LocatedJson& value, std::string_view what,
                                std::span<const std::string_view> fields) const {
  require_kind(value, LocatedJson::Kind::object, what);
  for (const LocatedJson& member : value.parts) {
    if (std::find(fields.begin(), fields.end(), member.key) == fields.end())
      fail(member, fmt::format("{}: {}", what, unknown_name_message("field", member.key, fields)));
  }
}

void FileFields::require_check(const LocatedJson& object) const {
  const LocatedJson* check = object.find("check");
  if (check == nullptr) return;
  const std::string checksum = checksum_of_content(object);
  if (text(*check, "'check'") == checksum) return;
  fail(*check, fmt::format("damaged, or changed since it was checked: 'check' is {}, and what the file says has {}",
                           check->text, checksum));
}

const LocatedJson& FileFields::required(const LocatedJson& object, std::string_view name, std::string_view what) const {
  const LocatedJson* value = object.find(name);
  if (value == nullptr) fail(object, fmt::format("{} has no '{}'", what, name));
  return *value;
}

bool FileFields::truth(const LocatedJson& value, std::string_view what) const {
  require_kind(value, LocatedJson::Kind::boolean, what);
  return value.truth;
}

double FileFields::number(const LocatedJson& value, std::string_view what) const {
  require_kind(value, LocatedJson::Kind::number, what);
  return value.number;
}

int FileFields::count(const LocatedJson& value, std::string_view what, int least) const {
  constexpr int kMost = 1 << 28;
  const double count = number(value, what);
  if (std::floor(count) != count || count < least || count > kMost)
    fail(value, fmt::format("{} must be a whole number from {} to {}, not {}", what, least, kMost, count));
  return static_cast<int>(count);
}

const std::string& FileFields::text(const LocatedJson& value, std::string_view what) const {
  require_kind(value, LocatedJson::Kind::string, what);
  return value.text;
}

LinkSpeed FileFields::speed(const LocatedJson& tier) const {
  LinkSpeed speed;
  if (const LocatedJson* bandwidth = tier.find("bandwidth"))
    speed.bandwidth = parsed(*bandwidth, "'bandwidth'", [](const std::string& value) { return parse_bandwidth(value); });
  if (const LocatedJson* latency = tier.find("latency"))
    speed.latency = parsed(*latency, "'latency'", [](const std::string& value) { return parse_time(value); });
  if (const LocatedJson* eta = tier.find("eta_alpha")) {
    speed.eta_alpha = number(*eta, "'eta_alpha'");
    if (!(speed.eta_alpha >= 1)) fail(*eta, "'eta_alpha' multiplies the latency and must be at least 1");
  }
  if (const LocatedJson* eta = tier.find("eta_beta")) {
    speed.eta_beta = number(*eta, "'eta_beta'");
    if (!(speed.eta_beta > 0 && speed.eta_beta <= 1))
      fail(*eta, "'eta_beta' multiplies the bandwidth and must be above 0 and at most 1");
  }
  return speed;
}

}  // namespace heddle
