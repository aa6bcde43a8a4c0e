// SPDX-License-Identifier: Apache-2.0
#include "fuzz/processes/case_message.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/errors.hpp"

namespace heddle {

namespace {

/// Far above any explanation; beyond it somebody else has written.
constexpr std::uint32_t kLongest = std::uint32_t{64} << 20;

class Packer {
 public:
  Packer& add(std::uint64_t number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
  }
  Packer& add(std::string_view text) {
    add(std::uint64_t{text.size()});
    bytes_ += text;
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t number = 0;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }
  std::string text() { return std::string(take(number())); }

 private:
  std::string_view take(std::uint64_t length) {
    if (length > rest_.size()) throw InputError("a message between processes is cut short");
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  std::string_view rest_;
};

bool write_all(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = send(file, data, size, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int file, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t got = read(file, data, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

void CaseReply::require_no_error(std::string_view before) const {
  if (error.empty()) return;
  const std::string words = std::string(before) + error;
  if (is_refusal) throw ResourceError(words);
  throw InputError(words);
}

std::string pack(const CaseRequest& request) {
  return Packer()
      .add(request.index ? 1U : 0U)
      .add(request.index.value_or(0))
      .add(request.text)
      .add(request.twice ? 1U : 0U)
      .add(std::uint64_t{request.layout})
      .take();
}

CaseRequest unpack_request(std::string_view bytes) {
  Unpacker from(bytes);
  CaseRequest request;
  const bool has_index = from.number() != 0;
  const std::uint64_t index = from.number();
  if (has_index) request.index = index;
  request.text = from.text();
  request.twice = from.number() != 0;
  request.layout = static_cast<std::uint32_t>(from.number());
  return request;
}

std::string pack(const CaseReply& reply) {
  const Failure failure = reply.end.failure.value_or(Failure());
  return Packer()
      .add(static_cast<std::uint64_t>(reply.row.first))
      .add(reply.row.second)
      .add(static_cast<std::uint64_t>(reply.end.ranks))
      .add(reply.end.fault_kind)
      .add(static_cast<std::uint64_t>(reply.end.fault_end))
      .add(reply.end.failure ? 1U : 0U)
      .add(static_cast<std::uint64_t>(failure.kind))
      .add(failure.explanation)
      .add(reply.text)
      .add(reply.error)
      .add(reply.is_refusal ? 1U : 0U)
      .take();
}

CaseReply unpack_reply(std::string_view bytes) {
  Unpacker from(bytes);
  CaseReply reply;
  reply.row.first = static_cast<Collective>(from.number());
  reply.row.second = from.text();
  reply.end.ranks = static_cast<int>(from.number());
  reply.end.fault_kind = from.text();
  reply.end.fault_end = static_cast<FaultEnd>(from.number());
  const bool has_failed = from.number() != 0;
  Failure failure;
  failure.kind = static_cast<CheckError::Kind>(from.number());
  failure.explanation = from.text();
  if (has_failed) reply.end.failure = std::move(failure);
  reply.text = from.text();
  reply.error = from.text();
  reply.is_refusal = from.number() != 0;
  return reply;
}

bool write_message(int file, std::string_view bytes) {
  const auto length = static_cast<std::uint32_t>(bytes.size());
  std::string framed(reinterpret_cast<const char*>(&length), sizeof length);
  framed += bytes;
  return write_all(file, framed.data(), framed.size());
}

std::optional<std::string> read_message(int file) {
  std::uint32_t length = 0;
  if (!read_all(file, reinterpret_cast<char*>(&length), sizeof length) || length > kLongest) return std::nullopt;
  std::string bytes(length, '\0');
  if (!read_all(file, bytes.data(), bytes.size())) return std::nullopt;
  return bytes;
}

}  // namespace heddle
