// SPDX-License-Identifier: Apache-2.0
#include "topo/files/located_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/counting_iterator.hpp"
#include "core/printable.hpp"
#include "heddle/errors.hpp"

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

}  // namespace heddle
