// SPDX-License-Identifier: Apache-2.0
#include "emu/explain/contributions.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <utility>

#include "core/pair_key.hpp"
#include "emu/engine/task_identity.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kNameBytes = sizeof(ValueId);

// In memory the bits of a name are mixed, one to one, so that poison, zeros, and names that were added up or otherwise reckoned with as
// numbers are no names (the constants are those of C. Wellons' lowbias32 and of its inverse).
constexpr std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352d;
  x = (x ^ x >> 15) * 0x846ca68b;
  return x ^ x >> 16;
}
constexpr std::uint32_t unmixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x43021123;
  x = (x ^ x >> 15 ^ x >> 30) * 0x1d69e2a5;
  return x ^ x >> 16;
}
static_assert(unmixed(mixed(1)) == 1 && unmixed(mixed(0x87654321)) == 0x87654321);

constexpr std::uint32_t mask_of(Encoding encoding) {
  switch (encoding) {
    case Encoding::usual:
      return 0;
    case Encoding::other_order:
      return 0xffffffff;
    case Encoding::other_sign:
      return 0x80000000;
  }
  return 0;
}

constexpr std::uint64_t kMostOccurrences = std::uint64_t{1} << 32;

/// Names left for sums.
constexpr std::uint64_t kMostBasicNames = std::uint64_t{1} << 31;

/// Receives that have names; later ones have none.
constexpr std::uint32_t kMostOpenReceives = 1 << 20;

/// None of these is a name, whatever the encoding, however many names there are.
constexpr bool is_no_name(std::uint32_t code) {
  for (const Encoding encoding : {Encoding::usual, Encoding::other_order, Encoding::other_sign})
    if (unmixed(code ^ mask_of(encoding)) - 1 < kMostBasicNames / 8) return false;
  return true;
}
static_assert(is_no_name(0xA5A5A5A5) && is_no_name(0xDBDBDBDB));

int calling_rank() { return calling_task == nullptr || calling_task == &maker_of_plans ? -1 : calling_task->rank; }

}  // namespace

std::uint32_t Contributions::code_of(ValueId value) const { return mixed(value + 1) ^ mask_; }
ValueId Contributions::value_of(std::uint32_t code) const { return unmixed(code ^ mask_) - 1; }

bool Contributions::fits(const Extent& extent) {
  const auto per_rank = static_cast<double>(extent.calls) * static_cast<double>(extent.elements);
  return per_rank * (extent.ranks + 1.0) + 2 < static_cast<double>(kMostBasicNames);
}

Contributions::Contributions(const Extent& extent, Traced traced, Datatype type, const ReduceOp& op, Form form)
    : extent_(extent),
      form_(form),
      traced_(std::move(traced)),
      type_(form.keeps_type && type.size() >= kNameBytes
                ? type
                : Datatype::user(static_cast<std::uint32_t>(std::max(type.size(), kNameBytes)))),
      op_(op.name(),
          [this](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype) {
            const std::size_t size = type_.size();
            Alike alike;
            for (std::size_t i = 0; i < count * size; i += size) combine_elements(a + i, b + i, result + i, alike);
          },
          {.commutative = op.commutative(), .idempotent = op.idempotent(), .offered_by_switches = op.offered_by_switches()}),
      mask_(mask_of(form.encoding)) {
  if (!fits(extent)) throw UsageError("too many elements to give each contribution a name");
  const auto per_rank = static_cast<std::uint64_t>(extent.calls) * static_cast<std::uint64_t>(extent.elements);
  first_others_ = static_cast<ValueId>(1 + per_rank * static_cast<std::uint64_t>(extent.ranks));
  mixture_ = static_cast<ValueId>(first_others_ + per_rank);
  first_open_receive_ = mixture_ + 1;
  first_sum_ = first_open_receive_ + kMostOpenReceives;
  for (std::int64_t& element : traced_.elements) element /= form_.stride;
  std::sort(traced_.elements.begin(), traced_.elements.end());
}

// ---- names in memory ----

void Contributions::write(std::byte* element, ValueId value) const {
  const std::uint32_t code = code_of(value);
  for (std::size_t at = 0; at < type_.size(); at += kNameBytes)
    std::memcpy(element + at, &code, std::min(kNameBytes, type_.size() - at));
}

std::vector<std::byte> Contributions::bytes_of(ValueId value) const {
  std::vector<std::byte> bytes(type_.size());
  write(bytes.data(), value);
  return bytes;
}

ValueId Contributions::read(const std::byte* element) const {
  std::uint32_t code = 0;
  std::memcpy(&code, element, kNameBytes);
  for (std::size_t at = kNameBytes; at < type_.size(); at += kNameBytes)
    if (std::memcmp(element + at, &code, std::min(kNameBytes, type_.size() - at)) != 0) return kUnknown;
  const ValueId value = value_of(code);
  if (value < first_open_receive_) return value;
  // Sums may be made meanwhile by others, but this one cannot have been read before it was written.
  const bool is_one = value < first_sum_ ? value - first_open_receive_ < open_receives_made_.load(std::memory_order_acquire)
                                         : value - first_sum_ < sums_made_.load(std::memory_order_acquire);
  return is_one ? value : kUnknown;
}

void Contributions::poison(std::span<std::byte> first_bytes, const OpenReceive& receive) {
  ValueId value = kUnknown;
  {
    const std::lock_guard lock(mutex_);
    if (open_receives_.size() == kMostOpenReceives) return;
    value = first_open_receive_ + static_cast<ValueId>(open_receives_.size());
    open_receives_.push_back(receive);
    open_receives_made_.store(open_receives_.size(), std::memory_order_release);
  }
  for (std::size_t at = 0; at + type_.size() <= first_bytes.size(); at += type_.size()) write(first_bytes.data() + at, value);
}

void Contributions::fill(VectorView into, int call, Rank rank, std::int64_t first) const {
  ValueId value = name_of({Term::Kind::contribution, call, rank.value(), first * form_.stride});
  for (std::int64_t i = 0; i < into.count(); ++i) write(into.data() + static_cast<std::size_t>(i) * type_.size(), value++);
}

ValueId Contributions::name_of(const Term& contribution) const {
  if (contribution.kind == Term::Kind::open_receive) return first_open_receive_ + static_cast<ValueId>(contribution.element);
  return static_cast<ValueId>(1 + (std::int64_t{contribution.call} * extent_.ranks + contribution.rank) * extent_.elements +
                              contribution.element / form_.stride);
}

// ---- sums ----

bool Contributions::is_traced_element(std::int64_t element) const {
  return traced_.all || std::binary_search(traced_.elements.begin(), traced_.elements.end(), element);
}

bool Contributions::is_traced(ValueId value) const {
  if (is_sum(value)) return true;
  if (value == kUnknown) return traced_.unknown;
  if (value >= first_open_receive_) return true;
  return value < first_others_ && is_traced_element((value - 1) % extent_.elements);
}

Term Contributions::term(ValueId value) const {
  Term term = own_term(value);
  if (term.kind == Term::Kind::contribution || term.kind == Term::Kind::others)
    term.element = term.element * form_.stride + form_.offset;
  return term;
}

Term Contributions::own_term(ValueId value) const {
  if (value == kUnknown) return {};
  if (value == mixture_) return {Term::Kind::mixture};
  if (value >= first_open_receive_) {
    const auto number = static_cast<std::size_t>(value - first_open_receive_);
    return {Term::Kind::open_receive, 0, open_receives_[number].rank, static_cast<std::int64_t>(number)};
  }
  if (value >= first_others_) {
    const std::int64_t number = value - first_others_;
    return {Term::Kind::others, static_cast<int>(number / extent_.elements), 0, number % extent_.elements};
  }
  const std::int64_t number = value - 1;
  const std::int64_t rank = number / extent_.elements;
  return {Term::Kind::contribution, static_cast<int>(rank / extent_.ranks), static_cast<int>(rank % extent_.ranks),
          number % extent_.elements};
}

ValueId Contributions::others_of(ValueId left, ValueId right) const {
  if (left == kUnknown || right == kUnknown) return kUnknown;
  const Term a = own_term(left);
  const Term b = own_term(right);
  const auto is_of_one_element = [](const Term& t) {
    return t.kind == Term::Kind::contribution || t.kind == Term::Kind::others;
  };
  if (!is_of_one_element(a) || !is_of_one_element(b) || a.call != b.call || a.element != b.element) return mixture_;
  return static_cast<ValueId>(first_others_ + a.call * extent_.elements + a.element);
}

ValueId Contributions::combine(ValueId left, ValueId right) {
  if (!is_traced(left) && !is_traced(right)) return others_of(left, right);
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = known_.try_emplace(pair_key(left, right), 0);
  if (is_new) {
    if (sums_.size() >= std::numeric_limits<ValueId>::max() - first_sum_ - 1)
      throw UsageError("too many different sums to give each a name");
    place->second = first_sum_ + static_cast<ValueId>(sums_.size());
    sums_.push_back({left, right});
    sums_made_.store(sums_.size(), std::memory_order_release);
  }
  return place->second;
}

// Names of one rank's contributions follow each other, and so do those of others' contributions.
std::int64_t Contributions::untraced_behind(ValueId value) const {
  if (traced_.all || value == kUnknown || value >= mixture_) return 0;
  const std::int64_t element = (value - 1) % extent_.elements;
  const auto next = std::ranges::upper_bound(traced_.elements, element);
  return (next == traced_.elements.end() ? extent_.elements : *next) - element - 1;
}

void Contributions::combine_elements(const std::byte* a, const std::byte* b, std::byte* result, Alike& alike) {
  const ValueId left = read(a);
  const ValueId right = read(b);
  if (alike.more > 0 && left == alike.left + 1 && right == alike.right + 1) {
    alike = {left, right, alike.sum == mixture_ ? mixture_ : alike.sum + 1, alike.more - 1};
    write(result, alike.sum);
    return;
  }
  const ValueId sum = combine(left, right);
  alike = {left, right, sum, is_sum(sum) ? 0 : std::min(untraced_behind(left), untraced_behind(right))};
  if (is_sum(sum) && (left == kUnknown || right == kUnknown)) {
    const std::byte* const unknown = left == kUnknown ? a : b;
    const std::lock_guard lock(mutex_);
    unknown_.try_emplace(sum, unknown, unknown + type_.size());
  }
  if (is_sum(sum) && !traced_.all) {
    const std::lock_guard lock(mutex_);
    made_.push_back({sum, result, calling_rank(), events_.load(std::memory_order_relaxed)});
  }
  write(result, sum);
}

std::span<const std::byte> Contributions::unknown_bytes_within(ValueId value) const {
  std::set<ValueId> seen;
  std::vector<ValueId> left{value};
  while (!left.empty()) {
    const ValueId next = left.back();
    left.pop_back();
    if (!is_sum(next) || !seen.insert(next).second) continue;
    if (const std::span<const std::byte> bytes = unknown_bytes_in(next); !bytes.empty()) return bytes;
    left.push_back(parts(next).right);
    left.push_back(parts(next).left);
  }
  return {};
}

std::span<const std::byte> Contributions::unknown_bytes_in(ValueId sum) const {
  const auto place = unknown_.find(sum);
  return place == unknown_.end() ? std::span<const std::byte>() : place->second;
}

// ---- what values are made of ----

std::map<Term, std::uint64_t> Contributions::count_terms(ValueId value) const {
  // Parts have smaller names than their sum: from the largest name down, each is met when all that it is part of have been.
  std::map<Term, std::uint64_t> terms;
  std::map<ValueId, std::uint64_t, std::greater<>> left{{value, 1}};
  while (!left.empty()) {
    const auto [largest, times] = *left.begin();
    left.erase(left.begin());
    const auto add = [times = times](std::uint64_t& count) { count = std::min(count + times, kMostOccurrences); };
    if (!is_sum(largest)) {
      add(terms[term(largest)]);
      continue;
    }
    add(left[parts(largest).left]);
    add(left[parts(largest).right]);
  }
  return terms;
}

std::vector<Term> Contributions::sequence(ValueId value, std::size_t most) const {
  std::vector<Term> terms;
  std::vector<ValueId> left{value};
  while (!left.empty() && terms.size() < most) {
    const ValueId next = left.back();
    left.pop_back();
    if (is_sum(next)) {
      left.push_back(parts(next).right);
      left.push_back(parts(next).left);
    } else {
      terms.push_back(term(next));
    }
  }
  return terms;
}

Contributions::Containing::Containing(const Contributions& contributions, ValueId part)
    : contributions_(contributions), part_(part), sums_(contributions.sums_.size()) {
  for (std::size_t i = 0; i < sums_.size(); ++i)
    sums_[i] = (*this)(contributions.sums_[i].left) || (*this)(contributions.sums_[i].right);
}

bool Contributions::Containing::operator()(ValueId value) const {
  return value == part_ || (contributions_.is_sum(value) && sums_[contributions_.value_index(value)]);
}

}  // namespace heddle::emu
