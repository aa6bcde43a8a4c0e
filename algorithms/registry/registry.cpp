// SPDX-License-Identifier: Apache-2.0
#include "heddle/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <mutex>

#include "algorithms/registry/entry.hpp"
#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"

namespace heddle {

/// A function that gives the registry some of its entries. In a family's file, behind the algorithm, stands
///
///   std::vector<Algorithm> ring_entries() { return {…}; }
///
/// in namespace heddle::allreduce. CMake writes the table of all of them from its lists (heddle_add_entries).
using EntriesFunction = std::vector<Algorithm> (*)();

/// In the order of the list. Safe from any thread.
std::span<const EntriesFunction> entry_functions();

namespace {

/// "oneshot" of "One-Shot": letters and digits alone.
std::string bare_letters(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

/// "bruck_latency:ports=p-1 is what others call one-shot; …" for each entry of that other name; empty: there is none.
std::string entries_called(std::span<const Algorithm> entries, Collective collective, std::string_view name) {
  std::string text;
  for (const Algorithm& entry : entries) {
    if (entry.collective != collective) continue;
    const std::optional<OtherName> other = other_name_of(entry, name);
    if (!other) continue;
    text += text.empty() ? "" : " or ";
    text += entry.name;
    if (!other->options.empty()) text += fmt::format(":{}", other->options);
  }
  return text;
}

}  // namespace

std::span<const Algorithm> registry() {
  static const std::vector<Algorithm> entries = [] {
    std::vector<Algorithm> all;
    for (const EntriesFunction entries_of : entry_functions()) {
      std::vector<Algorithm> more = entries_of();
      for (Algorithm& entry : more) {
        if (!entry.tasks_share_credits) entry.credits = 1;
        entry.independent_of_size = true;  // tests hold each to it
        all.push_back(std::move(entry));
      }
    }
    return all;
  }();
  return entries;
}

namespace {

struct AddedEntries {
  std::mutex mutex;
  std::shared_ptr<const std::vector<Algorithm>> entries = std::make_shared<const std::vector<Algorithm>>();
};

AddedEntries& all_added() {
  static AddedEntries added;
  return added;
}

}  // namespace

std::shared_ptr<const std::vector<Algorithm>> added_entries() {
  const std::lock_guard lock(all_added().mutex);
  return all_added().entries;
}

void add_entry(Algorithm entry) {
  if (entry.name.empty() || entry.run == nullptr) throw InputError("an entry needs a name and a function");
  const std::lock_guard lock(all_added().mutex);
  std::vector<Algorithm> entries = *all_added().entries;
  for (const Algorithm& other : entries) {
    if (other.collective == entry.collective && other.name == entry.name)
      throw InputError(fmt::format("{} '{}' was added before; give it another name", to_string(entry.collective), entry.name));
  }
  entries.push_back(std::move(entry));
  all_added().entries = std::make_shared<const std::vector<Algorithm>>(std::move(entries));
}

std::vector<const Algorithm*> algorithms_of(Collective collective) {
  std::vector<const Algorithm*> entries;
  for (const Algorithm& entry : registry()) {
    if (entry.collective == collective) entries.push_back(&entry);
  }
  return entries;
}

void refuse_python(std::string_view name) {
  if (name.starts_with(kPythonPrefix))
    throw InputError(fmt::format("'{}' is an algorithm in Python, which only the program in Python that has it can run", name));
}

std::string_view bare_name(std::string_view name) {
  // Names that begin with a file's kind are whole: msccl:ring.xml, mpi:libmine.so:my_allreduce, openmpi:rules.conf.
  for (const std::string_view kind : {std::string_view("msccl:"), std::string_view("mpi:"), std::string_view("openmpi:"),
                                      std::string_view("mpich:"), std::string_view("nccl:"), kPythonPrefix})
    if (name.starts_with(kind)) return name;
  return name.substr(0, name.find_first_of(":,"));
}

Algorithm with_options(const Algorithm& entry, const Options& options) {
  Algorithm other = entry.configured(options);
  other.name = std::string(bare_name(entry.name)) + options.suffix();
  if (!other.credits && !other.tasks_share_credits) other.credits = entry.credits;
  other.independent_of_size = entry.independent_of_size;
  if (!other.owner) other.owner = entry.owner;
  if (other.configured == nullptr) {
    other.parameters = entry.parameters;
    other.configured = entry.configured;
  }
  return other;
}

const Algorithm* entry_of(std::span<const Algorithm> entries, Collective collective, std::string_view name) {
  const std::string_view bare = bare_name(name);
  const Algorithm* found = nullptr;
  for (const Algorithm& entry : entries) {
    if (entry.collective != collective) continue;
    if (entry.name == bare) return &entry;
    // Names that are whole may have options behind them all the same.
    const bool is_before = entry.configured && name.starts_with(entry.name) && name.substr(entry.name.size()).starts_with(':');
    if (is_before && (found == nullptr || found->name.size() < entry.name.size())) found = &entry;
  }
  return found;
}

Algorithm find_entry(std::span<const Algorithm> entries, Collective collective, std::string_view name) {
  const Algorithm* const found = entry_of(entries, collective, name);
  const std::string_view bare = found == nullptr ? bare_name(name) : std::string_view(found->name);
  if (found == nullptr) {
    refuse_python(name);
    if (const std::string called = entries_called(entries, collective, bare); !called.empty())
      throw InputError(fmt::format("{} algorithm '{}': here its name is {}{}", to_string(collective), bare, called,
                                   called.find("=p") == called.npos ? "" : ", p the number of ranks"));
    std::vector<std::string_view> names;
    for (const Algorithm& entry : entries) {
      if (entry.collective == collective) names.push_back(entry.name);
    }
    throw InputError(unknown_name_message(to_string(collective) + " algorithm", bare, names));
  }
  if (bare == name) return *found;
  if (found->parameters.empty() || found->configured == nullptr)
    throw InputError(fmt::format("{} algorithm '{}' has no options", to_string(collective), bare));
  return with_options(*found, Options(found->parameters, name.substr(bare.size() + 1)));
}

std::vector<std::string> tags_of(const Algorithm& algorithm) {
  const Needs& needs = algorithm.needs;
  std::vector<std::string> tags = {to_string(algorithm.collective)};
  const auto add_if = [&tags](bool has, std::string_view tag) {
    if (has) tags.emplace_back(tag);
  };
  add_if(needs.grid, "grid");
  add_if(needs.in_network, "in_network");
  add_if(needs.equal_blocks, "equal_blocks");
  add_if(needs.commutative, "commutative");
  add_if(std::ranges::find(algorithm.parameters, "tiers", &Parameter::name) != algorithm.parameters.end(), "hierarchical");
  add_if(!algorithm.parameters.empty(), "options");
  add_if(algorithm.rounds || algorithm.bytes, "formulas");
  add_if(algorithm.credits.has_value(), "credits");
  tags.insert(tags.end(), algorithm.tags.begin(), algorithm.tags.end());
  return tags;
}

std::optional<OtherName> other_name_of(const Algorithm& algorithm, std::string_view name) {
  for (const OtherName& other : algorithm.other_names)
    if (bare_letters(other.name) == bare_letters(name)) return other;
  return std::nullopt;
}

std::optional<bool> promises_same_bits(const Algorithm& algorithm) {
  switch (algorithm.collective) {
    case Collective::allreduce:
      return algorithm.same_bits;
    case Collective::broadcast:
    case Collective::allgather:
      return true;
    default:
      return std::nullopt;
  }
}

Algorithm find_algorithm(Collective collective, std::string_view name) { return find_entry(registry(), collective, name); }

namespace {

std::string only(const std::vector<Datatype>& types) {
  std::vector<std::string> names;
  for (const Datatype type : types) names.push_back(to_string(type));
  return fmt::format("it serves elements of {} alone", fmt::join(names, ", "));
}

std::string only(const std::vector<const ReduceOp*>& ops) {
  std::vector<std::string_view> names;
  for (const ReduceOp* op : ops) names.push_back(op->name());
  return fmt::format("it serves {} alone", fmt::join(names, ", "));
}

}  // namespace

std::string why_not(const Algorithm& algorithm, const Shape& shape, const ReduceOp& op) {
  const Needs& needs = algorithm.needs;
  if (needs.ranks && shape.ranks != *needs.ranks) return fmt::format("it is made for {} ranks", *needs.ranks);
  if (!needs.types.empty() && std::ranges::count(needs.types, shape.type) == 0) return only(needs.types);
  if (reduces(algorithm.collective) && !needs.ops.empty() && std::ranges::count(needs.ops, &op) == 0) return only(needs.ops);
  if (needs.grid && shape.dims.empty()) return needs_grid();
  if (needs.has_more != nullptr && !needs.has_more(shape)) return fmt::format("it needs {}", needs.more);
  if (needs.in_network && shape.ranks > 1 && !shape.in_network) return needs_in_network();
  if (needs.in_network && shape.ranks > 1) {
    if (std::string reason = shape.in_network(algorithm.collective, shape.count, op, {}); !reason.empty()) return reason;
  }
  if (needs.equal_blocks && !shape.equal_blocks) return needs_equal_blocks();
  if (reduces(algorithm.collective) && needs.commutative && !op.commutative()) return needs_commutative(op);
  if (needs.refusal != nullptr) return needs.refusal(shape, op);
  return {};
}

}  // namespace heddle
