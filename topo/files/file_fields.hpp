// SPDX-License-Identifier: Apache-2.0
// What readers of JSON files ask of each value, with complaints that name file and line.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/errors.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

/// JSON text as a tree whose values know their lines, so that what is wrong with them can be said where they stand.
struct LocatedJson {
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  int line = 1;      ///< where it begins; 1 is the first
  std::string key;   ///< of an object's member
  std::string text;  ///< of a string
  double number = 0;
  bool truth = false;
  std::vector<LocatedJson> parts;  ///< of an array or object, in the order of the text

  /// The member of an object; nullptr if there is none.
  const LocatedJson* find(std::string_view name) const;
};

/// "a number", "an object": for messages.
std::string_view describe(LocatedJson::Kind kind);

/// Throws InputError "FILE:LINE: REASON" for what is not JSON and for a key that an object has twice.
LocatedJson read_located_json(std::string_view text, const std::string& file);

/// All that the members of an object say but for 'check', unlike that of any other; how it is laid out has no say.
std::string checksum_of_content(LocatedJson root);

/// A file's fields. Its functions throw InputError "FILE:LINE: what is wrong". `what` is what a message calls a value: "a tier's
/// name".
class FileFields {
 public:
  explicit FileFields(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }

  /// Reads the file. Throws InputError "FILE: …" if it cannot be read.
  std::string read_text() const;
  LocatedJson read_root() const;

  [[noreturn]] void fail(const LocatedJson& at, const std::string& reason) const;

  void require_kind(const LocatedJson& value, LocatedJson::Kind kind, std::string_view what) const;
  /// With no other members than these.
  void require_object(const LocatedJson& value, std::string_view what, std::span<const std::string_view> fields) const;
  /// If the object has 'check', that it is the checksum of the rest.
  void require_check(const LocatedJson& object) const;

  const LocatedJson& required(const LocatedJson& object, std::string_view name, std::string_view what) const;
  bool truth(const LocatedJson& value, std::string_view what) const;
  double number(const LocatedJson& value, std::string_view what) const;
  /// A whole number.
  int count(const LocatedJson& value, std::string_view what, int least = 1) const;
  const std::string& text(const LocatedJson& value, std::string_view what) const;
  /// A text of heddle/units.hpp or the like; its own message says what is wrong with it.
  template <class Parse>
  auto parsed(const LocatedJson& value, std::string_view what, Parse parse) const {
    const std::string& given = text(value, what);
    try {
      return parse(given);
    } catch (const InputError& error) {
      fail(value, fmt::format("{}: {}", what, error.what()));
    }
  }
  /// A tier's bandwidth, latency, eta_alpha and eta_beta; what it leaves out is as LinkSpeed has it.
  LinkSpeed speed(const LocatedJson& tier) const;

 private:
  std::string path_;
};

}  // namespace heddle
