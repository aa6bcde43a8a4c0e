// SPDX-License-Identifier: Apache-2.0
#include "emu/explain/contributions.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <set>

#include "core/pair_key.hpp"
#include "emu/engine/task_identity.hpp"
#include "emu/explain/name_words.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kNameBytes = sizeof(ValueId);

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
            combine_elements(a, b, result, count);
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
  write_names(element, 1, type_.size(), {.first = value, .mask = mask_});
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
  write_names(first_bytes.data(), first_bytes.size() / type_.size(), type_.size(),
              {.first = value, .follow = false, .mask = mask_});
}

void Contributions::fill(VectorView into, int call, Rank rank, std::int64_t first) const {
  const ValueId value = name_of({Term::Kind::contribution, call, rank.value(), first * form_.stride});
  write_names(into.data(), static_cast<std::size_t>(into.count()), type_.size(), {.first = value, .mask = mask_});
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

std::size_t Contributions::count_untraced(const std::byte* elements, std::size_t count) const {
  if (count == 0) return 0;
  const ValueId value = read(elements);
  if (value == kUnknown || is_traced(value)) return 0;
  const std::size_t behind = std::min(static_cast<std::size_t>(untraced_behind(value)), count - 1);
  return 1 + count_names(elements + type_.size(), behind, type_.size(), {.first = value + 1, .mask = mask_});
}

void Contributions::combine_elements(const std::byte* a, const std::byte* b, std::byte* result, std::size_t count) {
  constexpr std::size_t kTogether = 1024;  // what is compared is still in the cache when it is written
  const std::size_t size = type_.size();
  for (std::size_t i = 0; i < count;) {
    const ValueId left = read(a + i * size);
    const ValueId right = read(b + i * size);
    const ValueId sum = combine_element(left, right, a + i * size, b + i * size, result + i * size);
    ++i;
    if (is_sum(sum)) continue;
    // As many of those behind them as have the next names, and are not traced, become the next sum, or a mixture, too.
    const std::int64_t behind = std::min(untraced_behind(left), untraced_behind(right));
    const std::size_t end = i + std::min(static_cast<std::size_t>(behind), count - i);
    for (std::uint32_t next = 1; i < end;) {
      const std::size_t most = std::min(kTogether, end - i);
      std::size_t more = count_names(a + i * size, most, size, {.first = left + next, .mask = mask_});
      more = count_names(b + i * size, more, size, {.first = right + next, .mask = mask_});
      const bool follow = sum != mixture_;
      write_names(result + i * size, more, size, {.first = sum + (follow ? next : 0), .follow = follow, .mask = mask_});
      i += more;
      next += static_cast<std::uint32_t>(more);
      if (more < most) break;
    }
  }
}

ValueId Contributions::combine_element(ValueId left, ValueId right, const std::byte* a, const std::byte* b, std::byte* result) {
  const ValueId sum = combine(left, right);
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
  return sum;
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
