// SPDX-License-Identifier: Apache-2.0
// One entry per algorithm. The command, the tests and the benches iterate these entries: to register is to be tested.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"
#include "heddle/datatype.hpp"
#include "heddle/grid.hpp"
#include "heddle/reduce_op.hpp"

namespace heddle {

// What a user may set of an algorithm: "chain:segments=8", "circulant:skips=sqrt".

struct Shape;

/// Values of a parameter that are worth trying on a shape, the most promising first. The default may be among them.
using Candidates = std::function<std::vector<std::string>(const Shape&)>;

/// The same ones on every shape.
Candidates candidates_anywhere(std::vector<std::string> values);

struct Parameter {
  std::string_view name;           ///< "segments"
  std::string_view default_value;  ///< "optimal"
  std::string_view meaning;        ///< what it sets and what it may be
  /// Other values that the tests run, beside the default.
  std::vector<std::string_view> examples = {};
  /// What tuning tries (lab/describe/variants.hpp). nullptr: it leaves the parameter as it is.
  Candidates candidates = nullptr;
};

/// The values of an algorithm's parameters. A value.
class Options {
 public:
  /// All defaults.
  explicit Options(std::span<const Parameter> parameters);
  /// `text` is "name=value[:name=value…]" or empty; a comma does for a colon. Throws InputError with the nearest name.
  Options(std::span<const Parameter> parameters, std::string_view text);

  const std::string& text(std::string_view name) const;
  bool is_default(std::string_view name) const { return find(name).is_default; }
  /// Throws InputError unless the value is a whole number in least … most.
  std::int64_t number(std::string_view name, std::int64_t least, std::int64_t most) const;
  /// "segments=8", with a colon in front of each: what differs from the defaults, as it stands in an algorithm's name.
  std::string suffix() const;

 private:
  struct Value {
    std::string name;
    std::string text;
    bool is_default;
  };
  const Value& find(std::string_view name) const;

  std::vector<Value> values_;
};

/// What an algorithm is asked to serve; the variables of its formulas. Plugins read it: new members stand at its end.
struct Shape {
  int ranks = 1;               ///< p
  std::vector<int> dims = {};  ///< the grid's, or empty where the fabric has none
  std::int64_t count = 0;      ///< elements of the whole vector
  std::int64_t bytes = 0;      ///< M, of the whole vector
  Datatype type = Datatype::i32();
  int root = 0;
  bool wraps = true;         ///< of the grid: a torus, not a mesh
  bool equal_blocks = true;  ///< the blocks of the call are cut as evenly as it goes, not given one by one
  MessageCost cost = {};     ///< what Communicator::message_cost() says there
  Tiers tiers = {};          ///< what Communicator::tiers() says there; none at all is a flat fabric
  /// Why the switches do not serve these ranks (of 0 … ranks-1; empty: all) a call of `count` elements of the whole vector;
  /// empty: they do. As InNetwork::why_not() says. nullptr: there are no switches that could.
  std::function<std::string(Collective, std::int64_t count, const ReduceOp&, std::span<const int> ranks)> in_network = nullptr;
};

struct Needs {
  bool commutative = false;   ///< reorders contributions
  bool grid = false;          ///< meaningless without dimensions
  bool equal_blocks = false;  ///< cannot serve blocks of given sizes
  bool in_network = false;    ///< the switches do it for all ranks together
  /// Messages that must be able to be under way on each of its channels, as in a schedule that sends before it receives. 0:
  /// synchronous sends do. Drawn cases keep to it.
  int buffered = 0;
  std::optional<int> ranks = {};          ///< it serves this many and no others: a schedule that was made for them
  std::vector<Datatype> types = {};       ///< it serves elements of these and no others; empty: all
  std::vector<const ReduceOp*> ops = {};  ///< it serves these operations and no others; empty: all
  /// What else it needs, as in "it needs …", and whether a shape has it. Both or neither.
  std::string_view more = {};
  std::function<bool(const Shape&)> has_more = nullptr;
  /// For reasons that depend on the shape: why it cannot serve it, in half a sentence, or empty.
  std::function<std::string(const Shape&, const ReduceOp&)> refusal = nullptr;
};

/// A number that follows from a shape, as text for people and as a function for tests: "p-1" and shape.ranks - 1.
template <class Number>
struct Formula {
  std::string_view text = {};
  std::function<Number(const Shape&)> of = nullptr;

  explicit operator bool() const { return of != nullptr; }
  Number operator()(const Shape& shape) const { return of(shape); }
};

/// A name that others have for an entry, with these options of it: "one-shot", "ports=p-1" (p the number of ranks).
struct OtherName {
  std::string_view name = {};
  std::string_view options = {};  ///< empty: as it is
};

/// The registry's entries say all of it. One of a user's own needs no more than collective, name and run: what is null is not
/// promised.
struct Algorithm {
  Collective collective = Collective::allreduce;
  std::string name = {};          ///< with the options that differ from their defaults: "chain:segments=8"
  std::string_view summary = {};  ///< one sentence
  std::string_view source = {};   ///< keys of docs/sources.md and sections: "[swing] §3.1.1, App. A; [explainer-01] §6"
  Needs needs = {};

  /// The longest chain of messages, each posted after the one before it was waited for. Exact for count ≥ block_count(shape).
  Formula<int> rounds = {};

  /// The most bytes that one rank sends. Exact where count is a multiple of block_count(shape).
  Formula<std::int64_t> bytes = {};

  /// About how many messages a rank sends in a round, for estimates before a run. Null: one.
  std::function<double(const Shape&)> messages_a_round = nullptr;

  /// The least count at which every block has an element: p for an algorithm on p blocks, 1 on the whole vector.
  std::function<std::int64_t(const Shape&)> block_count = nullptr;

  CollectiveFunction run = nullptr;

  /// Several tasks of one rank send to the same other rank, and so share the credits of that pair. With few credits one task's message
  /// holds up another's, and nothing is promised of credits.
  bool tasks_share_credits = false;

  /// Every rank sends the same bytes in the same number of rounds where blocks are equal.
  bool uniform = false;
  /// Of an algorithm composed of others: whether its formulas are as exact as theirs. If not, they add up the most of each part, which
  /// no single rank needs to reach, or the parts have unequal blocks. Null: they always are.
  std::function<bool(const Shape&)> is_exact = nullptr;

  /// What may be set by name; empty for most. `configured` makes the entry with other options and throws InputError for values
  /// that there are not.
  std::vector<Parameter> parameters = {};
  std::function<Algorithm(const Options&)> configured = nullptr;

  /// With so many messages of each pair of ranks under way, or more, or with synchronous sends, it never locks up. No two calls
  /// may share a pair at once (docs/credits.md). No value: nothing is promised.
  std::optional<int> credits = {};
  /// Promised of sums and products of floats, which round: all ranks of an allreduce end with the same bits. A call of an entry that
  /// promises it and does not keep it fails (different_bits).
  bool same_bits = true;
  /// The same: the bits do not depend on the order of events (run_to_run). They would if a rank reduced messages as they come.
  bool same_bits_in_any_order = true;
  /// Lines that go below the explanation when a call of it has failed. They say what is known with so many credits (no value:
  /// eager), in place or not. Null: nothing.
  std::function<std::string(std::optional<int> credits, bool in_place)> explain = nullptr;
  /// What is to be said of a call of this shape beside its result, in half a sentence without its size, or empty. A call with
  /// another size that gets the same words is of the same kind. Null: nothing.
  std::function<std::string(const Shape&)> remark = nullptr;

  /// Its messages for k·n elements are those for n ≥ block_count(shape), each k times as long, from and to the same ranks in the same
  /// order. A run may then hold a part of the vector and charge each byte several times. An algorithm that chooses by size, or
  /// cuts segments of so many bytes, has it only if it reckons with Communicator::byte_scale(). Those that do not say so are run
  /// whole. The registry's entries have it.
  bool independent_of_size = false;

  /// One's own words to select it by, besides those of tags_of().
  std::vector<std::string_view> tags = {};
  /// Names that people look for who know it from elsewhere.
  std::vector<OtherName> other_names = {};

  /// The memory of its texts and operations, of an entry that was made while the program ran. It lives as long as any copy. nullptr:
  /// they live as long as the program.
  std::shared_ptr<const void> owner = {};
};

/// Calls visit("name", entry.name) and so forth, for each member but `configured`, which makes entries itself. A plugin hands its
/// entries over by these names, so a new member has its line here, anywhere, and plugins that lack it still load.
template <class Entry, class Visit>
void for_each_member(Entry& entry, const Visit& visit) {
  visit("collective", entry.collective);
  visit("name", entry.name);
  visit("summary", entry.summary);
  visit("source", entry.source);
  visit("needs.commutative", entry.needs.commutative);
  visit("needs.grid", entry.needs.grid);
  visit("needs.equal_blocks", entry.needs.equal_blocks);
  visit("needs.in_network", entry.needs.in_network);
  visit("needs.buffered", entry.needs.buffered);
  visit("needs.ranks", entry.needs.ranks);
  visit("needs.types", entry.needs.types);
  visit("needs.ops", entry.needs.ops);
  visit("needs.more", entry.needs.more);
  visit("needs.has_more", entry.needs.has_more);
  visit("needs.refusal", entry.needs.refusal);
  visit("rounds.text", entry.rounds.text);
  visit("rounds.of", entry.rounds.of);
  visit("bytes.text", entry.bytes.text);
  visit("bytes.of", entry.bytes.of);
  visit("messages_a_round", entry.messages_a_round);
  visit("block_count", entry.block_count);
  visit("run", entry.run);
  visit("tasks_share_credits", entry.tasks_share_credits);
  visit("uniform", entry.uniform);
  visit("is_exact", entry.is_exact);
  visit("parameters", entry.parameters);
  visit("credits", entry.credits);
  visit("same_bits", entry.same_bits);
  visit("same_bits_in_any_order", entry.same_bits_in_any_order);
  visit("explain", entry.explain);
  visit("remark", entry.remark);
  visit("independent_of_size", entry.independent_of_size);
  visit("tags", entry.tags);
  visit("other_names", entry.other_names);
  visit("owner", entry.owner);
}

/// Words to select algorithms by. They are the collective's name, and what it needs ("grid", "in_network", "equal_blocks",
/// "commutative"). "hierarchical": it is made of phases by tiers. "options", "formulas", "credits": it has some. Its own tags.
std::vector<std::string> tags_of(const Algorithm& algorithm);

/// The entry's other name that a user means: dashes, underscores and upper case do not matter. No value: none.
std::optional<OtherName> other_name_of(const Algorithm& algorithm, std::string_view name);

/// Whether it promises that all ranks that share its result hold the same bits. What is only copied, as by an allgather, is the
/// same everywhere. No value: no two ranks share a result.
std::optional<bool> promises_same_bits(const Algorithm& algorithm);

/// Every algorithm with its default options, ordered by collective, then as documented.
std::span<const Algorithm> registry();

/// Adds an entry of one's own for the rest of the process. run(), check() and sweep() find it by its name, before heddle's of that
/// name. Safe from any thread. Throws InputError for one without a name or a function, and for a name added twice.
void add_entry(Algorithm entry);
/// Those that were added, in their order; never null.
std::shared_ptr<const std::vector<Algorithm>> added_entries();

/// The entries of a collective.
std::vector<const Algorithm*> algorithms_of(Collective collective);

/// In front of the names of entries that are functions in Python: "python:mine:my_ring".
inline constexpr std::string_view kPythonPrefix = "python:";
/// Throws InputError for such a name, where nobody has the entry.
void refuse_python(std::string_view name);

/// "chain" of "chain:segments=8": an entry's name without options.
std::string_view bare_name(std::string_view name);

/// The entry that a name with or without options means; nullptr: there is none.
const Algorithm* entry_of(std::span<const Algorithm> entries, Collective collective, std::string_view name);
/// `entry` with these options in place of its own, named accordingly. It must have `configured`. Throws InputError for values that
/// there are not.
Algorithm with_options(const Algorithm& entry, const Options& options);

/// The entry of that name with its options. Throws InputError with the nearest name, with what heddle calls it, or that says which
/// option is wrong.
Algorithm find_entry(std::span<const Algorithm> entries, Collective collective, std::string_view name);

/// "ring", "chain:segments=8", "hierarchical:inner=ring,outer=bucket". Throws InputError with the nearest name and the list.
Algorithm find_algorithm(Collective collective, std::string_view name);

/// Whether rounds and bytes are exact (for count ≥ block_count, or a multiple of it).
inline bool formulas_are_exact(const Algorithm& algorithm, const Shape& shape) {
  return algorithm.is_exact == nullptr || algorithm.is_exact(shape);
}

/// Empty if the algorithm can serve; else why not, in half a sentence ("it needs a grid", without the fabric's name).
std::string why_not(const Algorithm& algorithm, const Shape& shape, const ReduceOp& op);

}  // namespace heddle
