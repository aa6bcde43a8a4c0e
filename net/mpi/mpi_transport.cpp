// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "net/mpi/open_mpi.hpp"
#include "net/ranks/transport.hpp"

namespace heddle::net {

namespace {

/// Tags that a program may use are below 2 to this; the rest of MPI's tag is the context.
constexpr int kTagBits = 10;

/// MPI counts in int.
constexpr std::size_t kLongestBlock = std::size_t{1} << 30;

/// Up to so many bytes of several pieces are copied together; more go as a derived datatype (docs/real-networks.md has the
/// measurements).
constexpr std::size_t kMostPacked = std::size_t{64} << 10;

/// Where the pieces lie, as MPI addresses them from MPI_BOTTOM; freed with it.
class Layout {
 public:
  template <class Byte>
  explicit Layout(std::span<const std::span<Byte>> pieces) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    for (std::span<Byte> piece : pieces) {
      while (!piece.empty()) {
        const std::size_t block = std::min(piece.size(), kLongestBlock);
        lengths.push_back(static_cast<int>(block));
        MPI_Get_address(piece.data(), &places.emplace_back());
        piece = piece.subspan(block);
      }
    }
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  /// MPI keeps it as long as an operation uses it.
  ~Layout() { MPI_Type_free(&type_); }
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

std::string words_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

bool is_truncated(int code) {
  int kind = MPI_SUCCESS;
  MPI_Error_class(code, &kind);
  return kind == MPI_ERR_TRUNCATE;
}

/// By process: the lowest one on the same machine.
std::vector<int> find_machines(MPI_Comm world, int rank, int size) {
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
  int lowest = rank;
  MPI_Bcast(&lowest, 1, MPI_INT, 0, here);
  MPI_Comm_free(&here);
  std::vector<int> machines(static_cast<std::size_t>(size));
  MPI_Allgather(&lowest, 1, MPI_INT, machines.data(), 1, MPI_INT, world);
  return machines;
}

}  // namespace

/// Over MPI: each message is one of MPI's, with the stream in its tag.
class MpiTransport final : public Transport {
 public:
  /// Calls MPI_Init_thread unless somebody has.
  MpiTransport() {
    int is_initialized = 0;
    MPI_Initialized(&is_initialized);
    if (is_initialized == 0) {
      // Other threads of the process may compute.
      int provided = MPI_THREAD_SINGLE;
      if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        throw NetworkError("MPI_Init_thread failed");
      owns_mpi_ = true;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &world_);
    MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(world_, &rank_);
    MPI_Comm_size(world_, &size_);
    int* most_tag = nullptr;
    int is_set = 0;
    MPI_Comm_get_attr(world_, MPI_TAG_UB, static_cast<void*>(&most_tag), &is_set);
    most_tag_ = is_set != 0 ? *most_tag : 32767;
    machines_ = find_machines(world_, rank_, size_);
  }
  /// Calls MPI_Finalize if it has called MPI_Init_thread.
  ~MpiTransport() override {
    int is_finalized = 0;
    MPI_Finalized(&is_finalized);
    if (is_finalized != 0) return;
    MPI_Comm_free(&world_);
    if (owns_mpi_) MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::string name() const override {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    std::string version(text.data(), static_cast<std::size_t>(length));
    version.resize(std::min(version.find_first_of(",\n"), version.size()));  // "Open MPI v4.1.4", "MPICH Version:      4.0.2"
    std::string words;
    for (const char c : version) {
      if (c == ':') continue;
      if (c != '\t' && c != ' ')
        words += c;
      else if (!words.empty() && words.back() != ' ')
        words += ' ';
    }
    return words;
  }

  std::vector<int> machines() const override { return machines_; }

  std::string why_not(Stream stream) const override {
    if (stream.tag < 0 || stream.tag >= 1 << kTagBits)
      return "tag " + std::to_string(stream.tag) + ": over MPI tags are 0 to " + std::to_string((1 << kTagBits) - 1);
    const auto most = static_cast<std::uint64_t>(most_tag_);
    if (stream.context > most >> kTagBits || (stream.context << kTagBits | static_cast<std::uint64_t>(stream.tag)) > most)
      return "communicators are nested too deeply for this MPI, whose tags go up to " + std::to_string(most_tag_);
    return "";
  }

  OperationId send(int peer, Stream stream, SendPieces pieces) override {
    const int tag = tag_of(stream);
    const std::size_t bytes = bytes_in(pieces);
    Operation operation{.peer = peer, .stream = stream, .bytes = bytes};
    const std::byte* from = pieces.empty() ? nullptr : pieces.front().data();
    MPI_Request request = MPI_REQUEST_NULL;
    if (pieces.size() > 1 && bytes <= kMostPacked) {
      operation.packed = std::make_unique_for_overwrite<std::byte[]>(bytes);
      std::byte* to = operation.packed.get();
      for (const std::span<const std::byte> piece : pieces) to = std::copy(piece.begin(), piece.end(), to);
      from = operation.packed.get();
    } else if (pieces.size() > 1 || bytes > kLongestBlock) {
      const Layout layout(pieces);
      require(MPI_Isend(MPI_BOTTOM, 1, layout.type(), peer, tag, world_, &request), "MPI_Isend to", peer);
      return keep(std::move(operation), request);
    }
    require(MPI_Isend(from, static_cast<int>(bytes), MPI_BYTE, peer, tag, world_, &request), "MPI_Isend to", peer);
    return keep(std::move(operation), request);
  }

  OperationId receive(int peer, Stream stream, ReceivePieces pieces) override {
    const int tag = tag_of(stream);
    const int source = peer == kAnyPeer ? MPI_ANY_SOURCE : peer;
    const std::size_t bytes = bytes_in(pieces);
    Operation operation{.peer = peer, .stream = stream, .is_receive = true, .bytes = bytes};
    std::byte* into = pieces.empty() ? nullptr : pieces.front().data();
    MPI_Request request = MPI_REQUEST_NULL;
    if (pieces.size() > 1 && bytes <= kMostPacked) {
      operation.packed = std::make_unique_for_overwrite<std::byte[]>(bytes);
      operation.unpack_to.assign(pieces.begin(), pieces.end());
      into = operation.packed.get();
    } else if (pieces.size() > 1 || bytes > kLongestBlock) {
      const Layout layout(pieces);
      require(MPI_Irecv(MPI_BOTTOM, 1, layout.type(), source, tag, world_, &request), "MPI_Irecv from", peer);
      return keep(std::move(operation), request);
    }
    require(MPI_Irecv(into, static_cast<int>(bytes), MPI_BYTE, source, tag, world_, &request), "MPI_Irecv from", peer);
    return keep(std::move(operation), request);
  }

  void progress(Patience patience, std::vector<Completion>& ended) override {
    indices_.resize(requests_.size());
    statuses_.resize(requests_.size());
    int count = 0;
    const int code =
        MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, indices_.data(), statuses_.data());
    if (code != MPI_ERR_IN_STATUS) require(code, "MPI_Testsome", -1);
    if (count == MPI_UNDEFINED || count == 0) {
      // Other processes may share the core.
      if (patience == Patience::some) std::this_thread::yield();
      return;
    }
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (code == MPI_ERR_IN_STATUS)
        statuses_[at].MPI_ERROR = statuses_[at].MPI_ERROR == MPI_ERR_PENDING ? MPI_SUCCESS : statuses_[at].MPI_ERROR;
      else
        statuses_[at].MPI_ERROR = MPI_SUCCESS;  // which MPI sets only beside MPI_ERR_IN_STATUS
      ended.push_back(complete(operations_[static_cast<std::size_t>(indices_[at])], statuses_[at]));
    }
    std::sort(indices_.begin(), indices_.begin() + count, std::greater<>());
    for (int i = 0; i < count; ++i) {
      const auto gone = static_cast<std::size_t>(indices_[static_cast<std::size_t>(i)]);
      std::swap(requests_[gone], requests_.back());
      std::swap(operations_[gone], operations_.back());
      requests_.pop_back();
      operations_.pop_back();
    }
  }

  std::vector<std::vector<std::byte>> gather_all(std::span<const std::byte> mine) override {
    std::vector<std::byte> all(mine.size() * static_cast<std::size_t>(size_));
    const int bytes = static_cast<int>(mine.size());
    MPI_Request request = MPI_REQUEST_NULL;
    require(MPI_Iallgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, world_, &request), "MPI_Iallgather", -1);
    finish(request, "MPI_Iallgather");
    std::vector<std::vector<std::byte>> parts;
    for (auto from = all.begin(); std::ssize(parts) < size_; from += std::ssize(mine))
      parts.emplace_back(from, from + std::ssize(mine));
    return parts;
  }

  void barrier() override {
    MPI_Request request = MPI_REQUEST_NULL;
    require(MPI_Ibarrier(world_, &request), "MPI_Ibarrier", -1);
    finish(request, "MPI_Ibarrier");
  }

  [[noreturn]] void abort(const std::string& text) override {
    std::cerr << text << std::endl;
    MPI_Abort(world_, 1);
    std::_Exit(1);
  }

 private:
  /// What an operation keeps besides its request.
  struct Operation {
    OperationId id = 0;
    int peer = 0;
    Stream stream;
    bool is_receive = false;
    std::size_t bytes = 0;  ///< of a send
    /// If the pieces are packed: what is sent, or where what comes is received.
    std::unique_ptr<std::byte[]> packed = {};
    std::vector<std::span<std::byte>> unpack_to = {};
  };

  int tag_of(Stream stream) const {
    if (const std::string why = why_not(stream); !why.empty()) throw UsageError(why);
    return static_cast<int>(stream.context << kTagBits) | stream.tag;
  }

  void require(int code, const char* what, int peer) const {
    if (code == MPI_SUCCESS) return;
    throw NetworkError("rank " + std::to_string(rank_) + ": " + what + (peer < 0 ? "" : " rank " + std::to_string(peer)) +
                       ": " + words_of(code));
  }

  /// Waits for it, and lets others have the core meanwhile: MPICH's blocking calls do not.
  void finish(MPI_Request request, const char* what) const {
    for (int is_done = 0; is_done == 0;) {
      require(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), what, -1);
      if (is_done == 0) std::this_thread::yield();
    }
  }

  OperationId keep(Operation operation, MPI_Request request) {
    operation.id = next_++;
    requests_.push_back(request);
    operations_.push_back(std::move(operation));
    return operations_.back().id;
  }

  Completion complete(Operation& operation, const MPI_Status& status) const {
    if (is_truncated(status.MPI_ERROR))
      throw UsageError("rank " + std::to_string(rank_) + ": a message from rank " + std::to_string(status.MPI_SOURCE) +
                       " with tag " + std::to_string(operation.stream.tag) + " is longer than its receive of " +
                       std::to_string(operation.bytes) + " B");
    require(status.MPI_ERROR, operation.is_receive ? "receiving from" : "sending to", operation.peer);
    if (!operation.is_receive) return {operation.id, operation.peer, operation.bytes};
    MPI_Count count = 0;
    MPI_Get_elements_x(&status, MPI_BYTE, &count);
    auto left = static_cast<std::size_t>(count);
    const std::byte* from = operation.packed.get();
    for (const std::span<std::byte> piece : operation.unpack_to) {
      const std::size_t part = std::min(left, piece.size());
      if (part > 0) std::memcpy(piece.data(), from, part);
      from += part;
      left -= part;
    }
    return {operation.id, status.MPI_SOURCE, static_cast<std::size_t>(count)};
  }

  bool owns_mpi_ = false;
  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  int most_tag_ = 0;
  std::vector<int> machines_;
  OperationId next_ = 1;
  // Of what is under way, in one order.
  std::vector<MPI_Request> requests_;
  std::vector<Operation> operations_;
  // Room for MPI_Testsome.
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace heddle::net

extern "C" int heddle_mpi_interface() { return heddle::net::kMpiModuleInterface; }
extern "C" heddle::net::Transport* heddle_mpi_open() { return new heddle::net::MpiTransport; }
