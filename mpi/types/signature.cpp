// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/signature.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::mpi {

namespace {

// Of one basic type: its number above the count. Of several: a place in the list, with the highest bit.
constexpr int kCountBits = 48;
constexpr std::uint64_t kMixed = std::uint64_t{1} << 63;

bool is_any_bytes(BasicId basic) { return basic == 0x247 || basic == 0x207; }  // MPI_BYTE, MPI_PACKED

std::int64_t bytes_in(const Signature& signature) {
  std::int64_t bytes = 0;
  for (const BasicRun& run : signature.runs) bytes += run.count * find_basic(run.basic)->size;
  return bytes * signature.times;
}

/// Walks along a signature in runs.
class Cursor {
 public:
  explicit Cursor(const Signature& of) : of_(of), left_(of.runs.empty() ? 0 : of.runs[0].count) {}
  bool is_at_end() const { return of_.runs.empty() || time_ == of_.times; }
  BasicId basic() const { return of_.runs[run_].basic; }
  std::int64_t left() const { return left_; }
  void go_on(std::int64_t count) {
    left_ -= count;
    if (left_ > 0) return;
    if (++run_ == of_.runs.size()) {
      run_ = 0;
      ++time_;
    }
    left_ = of_.runs[run_].count;
  }

 private:
  const Signature& of_;
  std::size_t run_ = 0;
  std::int64_t time_ = 0;
  std::int64_t left_;
};

/// Two basic types that messages may mix up: those of one kind and size have several names (MPI_INT, MPI_INT32_T, MPI_INTEGER).
/// MPI tells them apart, but no transport on one machine can, and programs that mix them are right everywhere.
bool are_alike(BasicId a, BasicId b) {
  if (a == b) return true;
  const BasicFacts& first = *find_basic(a);
  const BasicFacts& second = *find_basic(b);
  return first.kind == second.kind && first.size == second.size;
}

}  // namespace

std::uint64_t SignatureLabels::label(const Type& type, std::int64_t count) {
  const Signature& of = type.signature();
  if (count == 0 || of.runs.empty()) return 0;
  const std::int64_t times = of.times * count;
  if (of.runs.size() == 1)
    return std::uint64_t{of.runs[0].basic} << kCountBits | static_cast<std::uint64_t>(of.runs[0].count * times);
  std::pair<std::vector<std::pair<BasicId, std::int64_t>>, std::int64_t> key{{}, times};
  for (const BasicRun& run : of.runs) key.first.emplace_back(run.basic, run.count);
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = label_of_.try_emplace(std::move(key), kMixed | mixed_.size());
  if (is_new) mixed_.push_back({of.runs, times});
  return place->second;
}

Signature SignatureLabels::signature(std::uint64_t label) const {
  if (label == 0) return {};
  if ((label & kMixed) == 0) {
    const std::uint64_t count = label & ((std::uint64_t{1} << kCountBits) - 1);
    return {{{static_cast<BasicId>(label >> kCountBits), static_cast<std::int64_t>(count)}}, 1};
  }
  const std::lock_guard lock(mutex_);
  return mixed_[static_cast<std::size_t>(label & ~kMixed)];
}

bool SignatureLabels::may_receive(std::uint64_t sent, std::uint64_t received) const {
  if (sent == received || sent == 0) return true;
  const Signature from = signature(sent);
  const Signature into = signature(received);
  if (bytes_in(from) > bytes_in(into)) return false;
  const auto any_bytes = [](const Signature& of) { return of.runs.size() == 1 && is_any_bytes(of.runs[0].basic); };
  if (any_bytes(from) || any_bytes(into)) return true;
  Cursor a(from);
  Cursor b(into);
  while (!a.is_at_end() && !b.is_at_end()) {
    if (!are_alike(a.basic(), b.basic())) return false;
    const std::int64_t both = std::min(a.left(), b.left());
    a.go_on(both);
    b.go_on(both);
  }
  return a.is_at_end();
}

std::string SignatureLabels::text(std::uint64_t label) const {
  const Signature of = signature(label);
  if (of.runs.empty()) return "nothing";
  if (of.runs.size() == 1) return fmt::format("{} x {}", of.runs[0].count * of.times, find_basic(of.runs[0].basic)->name);
  constexpr std::size_t kShown = 4;
  std::string runs;
  for (std::size_t i = 0; i < std::min(kShown, of.runs.size()); ++i) {
    if (i > 0) runs += ", ";
    if (of.runs[i].count > 1) runs += fmt::format("{} x ", of.runs[i].count);
    runs += find_basic(of.runs[i].basic)->name;
  }
  if (of.runs.size() > kShown) runs += ", …";
  return of.times == 1 ? fmt::format("({})", runs) : fmt::format("{} x ({})", of.times, runs);
}

}  // namespace heddle::mpi
