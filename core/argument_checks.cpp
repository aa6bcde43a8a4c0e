// SPDX-License-Identifier: Apache-2.0
#include "core/argument_checks.hpp"

#include <fmt/format.h>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

std::string range_text(const char* what, std::size_t first, std::size_t count) {
  if (count == 1) return fmt::format("{} {}", what, first);
  return fmt::format("{}s {}-{}", what, first, first + count - 1);
}

std::string bytes_text(std::size_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

bool lies_in(ConstVectorView vector, const std::byte* begin, std::size_t bytes) {
  return !vector.empty() && begin >= vector.data() && begin + bytes <= vector.data() + vector.size_bytes();
}

std::string place_in(ConstVectorView vector, const char* name, const std::byte* begin, std::size_t bytes) {
  const auto offset = static_cast<std::size_t>(begin - vector.data());
  const std::size_t size = vector.type().size();
  const bool are_elements = offset % size == 0 && bytes % size == 0;
  return are_elements ? fmt::format("{} of the {}", range_text("element", offset / size, bytes / size), name)
                      : fmt::format("{} of the {}", range_text("byte", offset, bytes), name);
}

std::string in_parentheses(const std::string& text) { return text.empty() ? "" : fmt::format(" ({})", text); }

}  // namespace

std::string place_text(const std::byte* begin, std::size_t bytes, const MemoryNames* names) {
  if (names == nullptr) return "";
  const bool is_one = names->input.data() == names->output.data();
  if (lies_in(names->output, begin, bytes)) return place_in(names->output, is_one ? "vector" : "output", begin, bytes);
  if (lies_in(names->input, begin, bytes)) return place_in(names->input, is_one ? "vector" : "input", begin, bytes);
  return "";
}

std::string common_text(const CommonMemory& common, const MemoryNames* names) {
  return fmt::format("in {}: {} of the first {} {} of the second{}", bytes_text(common.bytes),
                     range_text("byte", common.in_first, common.bytes), common.bytes == 1 ? "is" : "are",
                     range_text("byte", common.in_second, common.bytes),
                     in_parentheses(place_text(common.begin, common.bytes, names)));
}

void refuse_slice(std::int64_t first, std::int64_t count, std::int64_t of) {
  if (count < 0) throw UsageError(fmt::format("a slice of {} elements; a count is 0 or more", count));
  throw UsageError(fmt::format("a slice of {} element{} from element {} on, of a vector of {}: it must lie within", count,
                               count == 1 ? "" : "s", first, of));
}

void refuse_elements(std::size_t size, Datatype type) {
  throw UsageError(
      fmt::format("elements of {} bytes are asked of a vector of {}, whose elements have {}; ask for those that its "
                  "type() names",
                  size, to_string(type), type.size()));
}

// ---- messages ----

void refuse_piece(ConstVectorView piece, Datatype first, const char* what) {
  if (piece.type() != first)
    throw UsageError(fmt::format("{}: pieces of one message have different types, {} and {}", what, to_string(first),
                                 to_string(piece.type())));
  if (piece.count() < 0)
    throw UsageError(fmt::format("{}: a buffer of {} elements; a count is 0 or more", what, piece.count()));
  throw UsageError(fmt::format("{}: a buffer of {} x {} at a null pointer; give memory, or no elements", what, piece.count(),
                               to_string(piece.type())));
}

void require_room_for_request(std::size_t open) {
  if (open < kMostOpenRequests) return;
  throw UsageError(fmt::format("a task has {} requests open, which is as many as it may: wait for some of them first", open));
}

void refuse_rank(Rank rank, int size, const char* what) {
  throw UsageError(fmt::format("{} {}: ranks of this communicator are 0 to {}", what, rank.value(), size - 1));
}

void refuse_places(std::size_t statuses, std::size_t requests) {
  throw UsageError(
      fmt::format("wait_all of {} requests with places for {} statuses; give as many, or none", requests, statuses));
}

void require_own_messages(bool shares_messages, const char* call) {
  if (!shares_messages) return;
  throw UsageError(
      fmt::format("{} within concurrently_shared(): its tasks share one communicator's messages; call it outside", call));
}

// ---- local work ----

std::size_t require_copyable(VectorView into, ConstVectorView from, const MemoryNames* names) {
  if (into.type() != from.type() || into.count() != from.count())
    throw UsageError(fmt::format("copy of {} x {} into {} x {}", from.count(), to_string(from.type()), into.count(),
                                 to_string(into.type())));
  if (into.count() < 0) throw UsageError(fmt::format("copy of {} elements; a count is 0 or more", into.count()));
  if (into.empty() || into.data() == from.data()) return 0;
  if (into.data() == nullptr || from.data() == nullptr)
    throw UsageError(fmt::format("copy of {} x {} {} a null pointer", from.count(), to_string(from.type()),
                                 into.data() == nullptr ? "to" : "from"));
  if (are_apart(into, from)) return into.size_bytes();
  const CommonMemory common = *common_memory(std::span<const ConstVectorView>(&from, 1), std::span<const VectorView>(&into, 1));
  throw UsageError(fmt::format(
      "copy of {} x {}: what is read and what is written overlap, {}; copy to a Buffer first and from there, or use "
      "std::memmove",
      from.count(), to_string(from.type()), common_text(common, names)));
}

// ---- what comes is combined ----

namespace {

template <class A, class B>
void require_apart(std::span<const A> first, const char* first_name, std::span<const B> second, const char* second_name,
                   const MemoryNames* names) {
  const std::optional<CommonMemory> common = common_memory(first, second);
  if (!common) return;
  throw UsageError(
      fmt::format("sendrecv_reduce, or a step of exchange: the {} and the {} overlap, {}; each needs memory of its own",
                  first_name, second_name, common_text(*common, names)));
}

}  // namespace

void require_reducible_closely(std::span<const ConstVectorView> data, std::span<const VectorView> sums, VectorView scratch,
                               const MemoryNames* names) {
  const std::int64_t count = elements_of(sums, "sendrecv_reduce");
  if (count == 0) return;
  if (count > scratch.count())
    throw UsageError(fmt::format(
        "sendrecv_reduce, or a step of exchange: a scratch of {} x {} for a message of {} x {}; it must be as long or longer",
        scratch.count(), to_string(scratch.type()), count, to_string(sums[0].type())));
  if (sums[0].type() != scratch.type())
    throw UsageError(
        fmt::format("sendrecv_reduce, or a step of exchange: a scratch of {} for a message of {}; both must have one type",
                    to_string(scratch.type()), to_string(sums[0].type())));
  const std::span<const VectorView> aside(&scratch, 1);
  require_apart(data, "data", aside, "scratch", names);
  require_apart(sums, "sums", aside, "scratch", names);
  require_apart(data, "data", sums, "sums", names);
}

void refuse_part(std::int64_t came, std::int64_t sums, Rank source) {
  throw UsageError(
      fmt::format("sendrecv_reduce, or a step of exchange: the message from rank {} has {} elements, and is to be combined "
                  "with {}; both must "
                  "be as long",
                  source.value(), came, sums));
}

}  // namespace heddle
