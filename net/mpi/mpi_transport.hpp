// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "net/transport/transport.hpp"

namespace heddle::net {

/// Over MPI: each message is one of MPI's, with the stream in its tag.
class MpiTransport final : public Transport {
 public:
  /// Calls MPI_Init_thread unless somebody has.
  MpiTransport();
  /// Calls MPI_Finalize if it has called MPI_Init_thread.
  ~MpiTransport() override;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string name() const override;
  std::vector<int> machines() const override { return machines_; }

  OperationId send(int peer, Stream stream, SendPieces pieces) override;
  OperationId receive(int peer, Stream stream, ReceivePieces pieces) override;
  void progress(Patience patience, std::vector<Completion>& ended) override;
  std::vector<std::vector<std::byte>> gather_all(std::span<const std::byte> mine) override;
  void meet() override;
  [[noreturn]] void abort(const std::string& text) override;

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

  int tag_of(Stream stream) const;
  void require(int code, const char* what, int peer) const;
  /// Waits for it, and lets others have the core meanwhile: MPICH's blocking calls do not.
  void finish(MPI_Request request, const char* what) const;
  OperationId keep(Operation operation, MPI_Request request);
  Completion complete(Operation& operation, const MPI_Status& status) const;

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
