// SPDX-License-Identifier: Apache-2.0
#include "topo/files/file_fields.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/checksum.hpp"
#include "core/counting_iterator.hpp"
#include "core/nearest_name.hpp"
#include "core/printable.hpp"
#include "core/read_file.hpp"

namespace heddle {

namespace {

/// Builds the tree. Arrays and objects that are not closed yet are on a stack.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(const ReadProgress& progress, const std::string& file) : progress_(progress), file_(file) {}

  LocatedJson take() { return std::move(root_); }

  bool null() override { return add(value(LocatedJson::Kind::null)); }
  bool boolean(bool truth) override {
    LocatedJson node = value(LocatedJson::Kind::boolean);
    node.truth = truth;
    return add(std::move(node));
  }
  bool number_integer(number_integer_t number) override { return add_number(static_cast<double>(number)); }
  bool number_unsigned(number_unsigned_t number) override { return add_number(static_cast<double>(number)); }
  bool number_float(number_float_t number, const string_t&) override { return add_number(number); }
  bool string(string_t& text) override {
    LocatedJson node = value(LocatedJson::Kind::string);
    node.text = printable(text);
    return add(std::move(node));
  }
  bool binary(binary_t&) override { return false; }  // not in text

  bool start_object(std::size_t) override { return open(LocatedJson::Kind::object); }
  bool key(string_t& name) override {
    if (open_.back().find(name) != nullptr) fail(fmt::format("'{}' is given twice", printable(name)));
    key_ = printable(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(LocatedJson::Kind::array); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while …"
    const std::string_view what = error.what();
    const std::size_t colon = what.find(": ");
    fail(std::string(colon == std::string_view::npos ? what : what.substr(colon + 2)));
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(fmt::format("{}:{}: {}", file_, progress_.line, reason));
  }

  LocatedJson value(LocatedJson::Kind kind) {
    LocatedJson node;
    node.kind = kind;
    node.line = progress_.line;
    node.key = std::exchange(key_, {});
    return node;
  }
  bool add_number(double number) {
    LocatedJson node = value(LocatedJson::Kind::number);
    node.number = number;
    return add(std::move(node));
  }
  bool add(LocatedJson node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else {
      open_.back().parts.push_back(std::move(node));
    }
    return true;
  }
  bool open(LocatedJson::Kind kind) {
    // Whoever goes through the tree goes down it, its destructor for one.
    constexpr std::size_t kDeepest = 64;
    if (open_.size() == kDeepest) fail(fmt::format("lists and objects more than {} deep in each other", kDeepest));
    open_.push_back(value(kind));
    return true;
  }
  bool close() {
    LocatedJson node = std::move(open_.back());
    open_.pop_back();
    return add(std::move(node));
  }

  const ReadProgress& progress_;
  const std::string& file_;
  LocatedJson root_;
  std::vector<LocatedJson> open_;
  std::string key_;
};

}  // namespace

const LocatedJson* LocatedJson::find(std::string_view name) const {
  const auto part = std::find_if(parts.begin(), parts.end(), [name](const LocatedJson& p) { return p.key == name; });
  return kind == Kind::object && part != parts.end() ? &*part : nullptr;
}

std::string_view describe(LocatedJson::Kind kind) {
  switch (kind) {
    case LocatedJson::Kind::null:
      return "null";
    case LocatedJson::Kind::boolean:
      return "true or false";
    case LocatedJson::Kind::number:
      return "a number";
    case LocatedJson::Kind::string:
      return "a text";
    case LocatedJson::Kind::array:
      return "a list";
    case LocatedJson::Kind::object:
      return "an object";
  }
  return {};
}

LocatedJson read_located_json(std::string_view text, const std::string& file) {
  ReadProgress progress;
  TreeBuilder builder(progress, file);
  nlohmann::json::sax_parse(CountingIterator(text.data(), &progress), CountingIterator(text.data() + text.size(), &progress),
                            &builder);
  return builder.take();
}

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

std::string FileFields::read_text() const {
  try {
    return read_file(path_);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path_, error.what()));
  }
}

LocatedJson FileFields::read_root() const { return read_located_json(read_text(), path_); }

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
