// SPDX-License-Identifier: Apache-2.0
// Elements that know what they are made of. A run repeated with them shows where a wrong result comes from: instead of
// numbers its vectors hold the names of sums, and the operation writes the name of a ∘ b, order kept.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heddle/datatype.hpp"
#include "heddle/reduce_op.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

/// The name of a value: a contribution, or a ∘ b of two others. Equal values that were made alike have equal names.
using ValueId = std::uint32_t;

/// What values are made of.
struct Term {
  enum class Kind : std::uint8_t {
    contribution,  ///< an element of a rank's input
    others,        ///< contributions of any ranks to an element that is not traced
    mixture,       ///< contributions to several elements that are not traced
    open_receive,  ///< what a receive's buffer shows until its message is there; `element` is its number
    unknown,       ///< bytes that no rank contributed and no operation made
  };
  Kind kind = Kind::unknown;
  int call = 0;
  int rank = 0;
  std::int64_t element = 0;

  friend constexpr auto operator<=>(const Term&, const Term&) = default;
};

/// What names look like in memory. A program that moves elements and leaves arithmetic to the operation goes one way with all of
/// them; one that adds, compares or converts them by itself does not.
enum class Encoding : std::uint8_t {
  usual,
  other_order,  ///< what was less is greater, as integers,
  other_sign,   ///< and as floating-point numbers
};

/// A receive whose buffer has a name until its message is there.
struct OpenReceive {
  int rank = 0;    ///< of the run
  int source = 0;  ///< in the communicator; below 0: any
  int tag = 0;
};

/// A sum as the operation wrote it.
struct MadeSum {
  ValueId sum;
  const std::byte* at;
  int rank;             ///< whose task did it; below 0: not known
  std::uint64_t event;  ///< it came after all events before this one
};

/// The contributions of a run and all sums that its operation has made of them. Elements of which each sum is kept are
/// *traced*; of the others only the element is known, so that memory grows with what is traced.
///
/// fill, read and the operation are safe from any thread; the rest is for when the run has ended (or from its engine's thread).
class Contributions {
 public:
  struct Extent {
    int calls = 1;
    int ranks = 1;
    std::int64_t elements = 0;  ///< that are there: elements of an input are numbered 0 … elements-1
  };
  struct Traced {
    std::vector<std::int64_t> elements = {};
    bool all = false;      ///< every element
    bool unknown = false;  ///< sums with bytes that nobody contributed, too
  };

  /// Whether so many have names.
  static bool fits(const Extent& extent);

  struct Form {
    Encoding encoding = Encoding::usual;
    bool keeps_type = false;  ///< where names fit into its elements
    /// One of so many elements of the vectors is there, the one `offset` behind each multiple. Terms and what is traced count all.
    std::int64_t stride = 1;
    std::int64_t offset = 0;
  };

  /// `type` and `op` are those that the run had; throws UsageError unless the extent fits.
  Contributions(const Extent& extent, Traced traced, Datatype type, const ReduceOp& op, Form form);
  Contributions(const Extent& extent, Traced traced, Datatype type, const ReduceOp& op)
      : Contributions(extent, std::move(traced), type, op, Form{}) {}
  Contributions(const Contributions&) = delete;
  Contributions& operator=(const Contributions&) = delete;

  /// A user's type, as large as the run's but no smaller than a name; or the run's own.
  Datatype type() const { return type_; }
  /// Says of itself what the run's operation says.
  const ReduceOp& op() const { return op_; }

  /// The contribution of a rank: its elements first … first + into.count() - 1. `into` is of type().
  void fill(VectorView into, int call, Rank rank, std::int64_t first = 0) const;

  /// The name in an element; kUnknown if there is none, or pieces of different ones.
  ValueId read(const std::byte* element) const;
  /// How many elements from here on have names that follow each other and are not traced.
  std::size_t count_untraced(const std::byte* elements, std::size_t count) const;
  /// What an element that holds it holds.
  std::vector<std::byte> bytes_of(ValueId value) const;
  /// Bytes that were no name when a sum was first made of them; empty if all that it was made of had one.
  std::span<const std::byte> unknown_bytes_in(ValueId sum) const;
  /// Those of the first sum, from the left, that is a part of the value or the value itself and has some.
  std::span<const std::byte> unknown_bytes_within(ValueId value) const;
  /// Of a contribution.
  ValueId name_of(const Term& contribution) const;

  static constexpr ValueId kUnknown = 0;

  /// Fills the first bytes of a receive's buffer with a name, as far as whole elements of type() go.
  void poison(std::span<std::byte> first_bytes, const OpenReceive& receive);
  /// Of a term of that kind.
  OpenReceive open_receive(const Term& term) const { return open_receives_[static_cast<std::size_t>(term.element)]; }

  /// The sums that were made of what is traced, each as often as it was, in about the order of the run. Where all elements are
  /// traced, none: they are too many.
  const std::vector<MadeSum>& made() const { return made_; }
  /// Its number in the order of all events. From the engine's thread.
  std::uint64_t next_event() const { return events_.fetch_add(1, std::memory_order_relaxed); }

  /// Whether everything that the value was made of is kept, at least one part of it being traced.
  bool is_traced(ValueId value) const;
  bool traces_all() const { return traced_.all; }
  bool is_sum(ValueId value) const { return value >= first_sum_; }
  struct Parts {
    ValueId left;
    ValueId right;
  };
  /// Of a sum.
  Parts parts(ValueId sum) const { return sums_[value_index(sum)]; }
  /// What a value that is no sum is.
  Term term(ValueId value) const;

  /// What the value is made of and how often (no more than 2^32).
  std::map<Term, std::uint64_t> count_terms(ValueId value) const;
  /// In the order of combination, left to right; at most `most` terms.
  std::vector<Term> sequence(ValueId value, std::size_t most) const;
  class Containing;

 private:
  /// With the element as it is numbered among those that are there.
  Term own_term(ValueId value) const;
  std::uint32_t code_of(ValueId value) const;
  ValueId value_of(std::uint32_t code) const;
  std::size_t value_index(ValueId sum) const { return sum - first_sum_; }
  bool is_traced_element(std::int64_t element) const;
  ValueId combine(ValueId left, ValueId right);
  /// How many elements behind that of a name have the next names and are not traced.
  std::int64_t untraced_behind(ValueId value) const;
  void combine_elements(const std::byte* a, const std::byte* b, std::byte* result, std::size_t count);
  ValueId combine_element(ValueId left, ValueId right, const std::byte* a, const std::byte* b, std::byte* result);
  ValueId others_of(ValueId left, ValueId right) const;
  void write(std::byte* element, ValueId value) const;

  Extent extent_;
  Form form_;
  Traced traced_;
  Datatype type_;
  ReduceOp op_;
  ValueId first_others_;
  ValueId mixture_;
  ValueId first_open_receive_;
  ValueId first_sum_;
  std::uint32_t mask_;  ///< of the encoding
  std::mutex mutex_;
  std::vector<Parts> sums_;
  std::atomic<std::size_t> sums_made_ = 0;            ///< their number, to be read while others are made
  std::unordered_map<std::uint64_t, ValueId> known_;  ///< by both parts
  std::unordered_map<ValueId, std::vector<std::byte>> unknown_;
  std::vector<OpenReceive> open_receives_;
  std::atomic<std::size_t> open_receives_made_ = 0;
  std::vector<MadeSum> made_;
  mutable std::atomic<std::uint64_t> events_ = 0;
};

/// Which values have a given one in them (itself included).
class Contributions::Containing {
 public:
  Containing(const Contributions& contributions, ValueId part);
  bool operator()(ValueId value) const;

 private:
  const Contributions& contributions_;
  ValueId part_;
  std::vector<bool> sums_;
};

}  // namespace heddle::emu
