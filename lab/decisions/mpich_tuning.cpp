// SPDX-License-Identifier: Apache-2.0
// MPICH's tree of conditions (src/mpi/coll/src/csel.c): of each object the first member counts whose key is true, down to an
// algorithm. MPICH does not come back from a member that was true.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <string>

#include "core/printable.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "lab/decisions/decision_file.hpp"
#include "lab/decisions/mpich_tree.hpp"

namespace heddle::decisions {

namespace {

using Json = nlohmann::ordered_json;

/// What a choice begins with. A composition is of several algorithms, for devices (ch4).
constexpr std::array<std::string_view, 2> kEndsAt = {"algorithm=", "composition="};

bool is_choice(std::string_view key) {
  return std::ranges::any_of(kEndsAt, [&](std::string_view begin) { return key.starts_with(begin); });
}

/// What a key compares, how, and with what: "avg_msg_size<=8".
struct Condition {
  std::string_view what;
  std::string_view sign;
  std::string_view value;
};

std::optional<Condition> condition_of(std::string_view key) {
  const std::size_t at = key.find_first_of("<=");
  if (at == key.npos) return std::nullopt;
  const std::size_t length = key.substr(at).starts_with("<=") ? 2 : 1;
  return Condition{key.substr(0, at), key.substr(at, length), key.substr(at + length)};
}

/// No value: heddle's calls have no such number.
std::optional<std::int64_t> number_of(std::string_view what, const Call& call) {
  const bool is_whole = !has_blocks(call.collective);
  // Of an alltoall, a block; of all that MPICH looks up by it the whole vector.
  if (what == "avg_msg_size") return call.collective == Collective::alltoall ? call.bytes() / call.ranks : call.bytes();
  if (what == "total_msg_size" && !is_whole) return call.bytes();
  if (what == "comm_size") return call.ranks;
  if (what == "count" && is_whole) return call.count;
  return std::nullopt;
}

/// No value: not a condition that is known.
std::optional<bool> is_true(const Condition& condition, const Call& call) {
  const auto is = [&](std::string_view name, bool value) -> std::optional<bool> {
    if (condition.what != name || condition.sign != "=") return std::nullopt;
    if (condition.value == "yes") return value;
    if (condition.value == "no") return !value;
    return condition.value == "any" ? std::optional(true) : std::nullopt;
  };
  if (condition.what == "comm_type") return condition.value == "intra" || condition.value == "any";
  if (condition.what == "comm_hierarchy" && condition.sign == "=") {
    if (condition.value == "any") return true;
    if (condition.value == "parent") return call.has_nodes;
    if (condition.value == "flat") return !call.has_nodes;
    if (condition.value == "node" || condition.value == "node_roots") return false;  // inside of MPICH's own algorithms
    return std::nullopt;
  }
  // Where ranks are not parted into nodes no bound holds.
  if (condition.what == "comm_avg_ppn") {
    if (condition.sign == "=") return condition.value == "any" ? std::optional(true) : std::nullopt;
    const auto bound = read_number<std::int32_t>(condition.value);
    if (!bound) return std::nullopt;
    const std::int64_t most = std::int64_t{*bound} * call.nodes;
    return call.has_nodes && (condition.sign == "<=" ? call.ranks <= most : call.ranks < most);
  }
  for (const auto& [name, value] : std::array<std::pair<std::string_view, bool>, 6>{{{"is_commutative", true},
                                                                                     {"is_multi_threaded", false},
                                                                                     {"is_op_built_in", true},
                                                                                     {"is_sendbuf_inplace", false},
                                                                                     {"is_block_regular", true},
                                                                                     {"is_node_consecutive", true}}})
    if (const auto answer = is(name, value)) return answer;
  const std::optional<std::int64_t> number = number_of(condition.what, call);
  if (!number) return std::nullopt;
  if (condition.sign == "=" && condition.value == "any") return true;
  const bool is_power = std::has_single_bit(static_cast<unsigned>(call.ranks));
  if (condition.what == "comm_size" && condition.sign == "=" && condition.value == "pow2") return is_power;
  if (condition.what == "count" && condition.sign == "<" && condition.value == "pow2")
    return call.count < static_cast<std::int64_t>(std::bit_floor(static_cast<unsigned>(call.ranks)));
  const auto bound = read_number<std::int64_t>(condition.value);
  if (!bound) return std::nullopt;
  if (condition.sign == "<=") return *number <= *bound;
  if (condition.sign == "<") return *number < *bound;
  return *number == *bound;
}

class MpichTree : public DecisionFile {
 public:
  MpichTree(std::string path, Json tree, bool is_builtin)
      : path_(std::move(path)), tree_(std::move(tree)), is_builtin_(is_builtin) {}

  const Target& target() const override { return mpich_target(); }

  std::optional<LibraryChoice> choose(const TargetCollective& collective, const Call& call) const override {
    const std::string key = fmt::format("collective={}", collective.name);
    const auto root = tree_.find(key);
    if (root == tree_.end())
      throw InputError(fmt::format("{}: has no \"{}\": MPICH ends the program at its first call", path_, key));
    const Json* node = &*root;
    std::string way = key;
    while (node->is_object()) {
      const Json* next = nullptr;
      for (const auto& [name, member] : node->items()) {
        if (is_choice(name)) return choice_of(name, member);
        const std::optional<Condition> condition = condition_of(name);
        const std::optional<bool> answer = condition ? is_true(*condition, call) : std::nullopt;
        if (!answer)
          throw InputError(fmt::format("{}: below {}: \"{}\" is no condition that heddle knows", path_, way, printable(name)));
        if (!*answer) continue;
        next = &member;
        way += ", " + printable(name);
        break;
      }
      if (next == nullptr)
        throw InputError(fmt::format("{}: below {}: no condition is true, and MPICH ends the program there", path_, way));
      node = next;
    }
    throw InputError(fmt::format("{}: below {}: there must be an object of conditions, or an algorithm", path_, way));
  }

 private:
  /// An algorithm may have parameters: {"algorithm=…": {"k=2": {}}}.
  LibraryChoice choice_of(std::string_view name, const Json& parameters) const {
    LibraryChoice choice{.algorithm = printable(name.substr(name.find('=') + 1)), .is_builtin = is_builtin_};
    for (const Json* at = &parameters; at->is_object() && !at->empty(); at = &at->front())
      choice.algorithm += ":" + printable(at->items().begin().key());
    return choice;
  }

  std::string path_;
  Json tree_;
  bool is_builtin_;
};

}  // namespace

std::shared_ptr<const DecisionFile> mpich_tree(std::string path, nlohmann::ordered_json tree, bool is_builtin) {
  return std::make_shared<MpichTree>(std::move(path), std::move(tree), is_builtin);
}

std::shared_ptr<const DecisionFile> read_mpich_tuning(const std::string& path) {
  return mpich_tree(path, read_mpich_base(path), false);
}

}  // namespace heddle::decisions
