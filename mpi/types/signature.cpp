// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/signature.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::mpi {

namespace {

// Of one basic type: its number above the count. Of several, or of more than a count holds: a place in the list, with the highest bit.
constexpr int kCountBits = 48;
constexpr std::uint64_t kMixed = std::uint64_t{1} << 63;

bool is_any_bytes(BasicId basic) { return basic == 0x247 || basic == 0x207; }  // MPI_BYTE, MPI_PACKED

/// Walks along a signature in runs of basic types.
class Cursor {
 public:
  explicit Cursor(const Signature& of) {
    if (of.runs.empty()) return;
    levels_.push_back({&of, of.times});
    begin_run();
  }
  bool is_at_end() const { return levels_.empty(); }
  BasicId basic() const { return run().basic; }
  /// What the run is of, if it is a sequence. enter() goes into the first of its repetitions.
  const SignaturePtr& sequence() const { return run().of; }
  void enter() {
    const SignaturePtr& of = sequence();
    levels_.push_back({of.get(), of->times});
    begin_run();
  }
  /// Of the run.
  std::int64_t left() const { return levels_.back().left; }
  void go_on(std::int64_t count) {
    for (levels_.back().left -= count; levels_.back().left == 0; --levels_.back().left) {
      if (levels_.back().run + 1 < levels_.back().of->runs.size()) {
        ++levels_.back().run;
        return begin_run();
      }
      if (--levels_.back().times > 0) {
        levels_.back().run = 0;
        return begin_run();
      }
      levels_.pop_back();
      if (levels_.empty()) return;
    }
  }

 private:
  struct Level {
    const Signature* of;
    std::int64_t times;  ///< to come, this one included
    std::size_t run = 0;
    std::int64_t left = 0;
  };
  const BasicRun& run() const { return levels_.back().of->runs[levels_.back().run]; }
  void begin_run() { levels_.back().left = run().count; }

  std::vector<Level> levels_;
};

bool stands_for_any_bytes(const Signature& of) { return of.runs.size() == 1 && is_any_bytes(of.runs[0].basic); }

}  // namespace

bool are_alike(BasicId a, BasicId b) {
  if (a == b) return true;
  const BasicFacts& first = *find_basic(a);
  const BasicFacts& second = *find_basic(b);
  return first.kind == second.kind && first.size == second.size;
}

std::optional<BasicId> only_basic(const Type& type) {
  const Signature& of = type.signature();
  if (of.runs.size() != 1 || of.runs[0].of || is_any_bytes(of.runs[0].basic)) return std::nullopt;
  return of.runs[0].basic;
}

std::uint64_t SignatureLabels::label(const Type& type, std::int64_t count) {
  const Signature& of = type.signature();
  if (count == 0 || of.runs.empty()) return 0;
  const std::int64_t times = of.times * count;
  if (of.runs.size() == 1 && !of.runs[0].of && of.runs[0].count * times < std::int64_t{1} << kCountBits)
    return std::uint64_t{of.runs[0].basic} << kCountBits | static_cast<std::uint64_t>(of.runs[0].count * times);
  const std::pair key(of.digest.repeated(times).sum, of.once.basics * times);
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = label_of_.try_emplace(key, kMixed | mixed_.size());
  if (is_new) {
    mixed_.push_back(of);
    mixed_.back().times = times;
  }
  return place->second;
}

Signature SignatureLabels::signature(std::uint64_t label) const {
  if (label == 0) return {};
  if ((label & kMixed) == 0) {
    const std::uint64_t count = label & ((std::uint64_t{1} << kCountBits) - 1);
    Signature of;
    of.add({static_cast<BasicId>(label >> kCountBits), static_cast<std::int64_t>(count)});
    return of;
  }
  const std::lock_guard lock(mutex_);
  return mixed_[static_cast<std::size_t>(label & ~kMixed)];
}

bool SignatureLabels::may_receive(std::uint64_t sent, std::uint64_t received) const {
  if (sent == received || sent == 0) return true;
  const Signature from = signature(sent);
  const Signature into = signature(received);
  if (from.all().bytes > into.all().bytes) return false;
  if (stands_for_any_bytes(from) || stands_for_any_bytes(into)) return true;
  Cursor a(from);
  Cursor b(into);
  while (!a.is_at_end() && !b.is_at_end()) {
    const bool are_one = a.sequence() == b.sequence();  // or both are basic types
    if (!are_one && a.sequence()) {
      a.enter();
      continue;
    }
    if (!are_one && b.sequence()) {
      b.enter();
      continue;
    }
    if (!a.sequence() && !are_alike(a.basic(), b.basic())) return false;
    const std::int64_t both = std::min(a.left(), b.left());
    a.go_on(both);
    b.go_on(both);
  }
  return a.is_at_end();
}

bool SignatureLabels::may_reduce(std::uint64_t one, std::uint64_t other) const {
  return may_receive(one, other) && may_receive(other, one) &&
         stands_for_any_bytes(signature(one)) == stands_for_any_bytes(signature(other));
}

std::string SignatureLabels::text(std::uint64_t label) const {
  const Signature of = signature(label);
  if (of.runs.empty()) return "nothing";
  if (of.runs.size() == 1 && !of.runs[0].of)
    return fmt::format("{} x {}", of.runs[0].count * of.times, find_basic(of.runs[0].basic)->name);
  constexpr std::size_t kShown = 4;
  std::size_t shown = 0;
  std::string runs;
  Signature once = of;
  once.times = 1;
  const bool is_all = for_each_run(once, [&](BasicId basic, std::int64_t count) {
    if (shown == kShown) return false;
    if (shown++ > 0) runs += ", ";
    if (count > 1) runs += fmt::format("{} x ", count);
    runs += find_basic(basic)->name;
    return true;
  });
  if (!is_all) runs += ", …";
  return of.times == 1 ? fmt::format("({})", runs) : fmt::format("{} x ({})", of.times, runs);
}

}  // namespace heddle::mpi
