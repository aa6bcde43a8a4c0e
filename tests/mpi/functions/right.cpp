// SPDX-License-Identifier: Apache-2.0
// Collectives in C++, all right, handed over as those of right.c are. What std::vector takes is no block of malloc's that heddle knows.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

namespace {

struct Members {
  explicit Members(MPI_Comm comm) { MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &size); }
  int at(int other) const { return ((other % size) + size) % size; }

  int rank = 0;
  int size = 0;
};

MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(type, &lower, &extent);
  return extent;
}

}  // namespace

extern "C" {

// Bruck's with blocks of any length: their sizes go ahead of them in each round.
/* runs: alltoall as=alltoallv:in_place=no */
int two_phase_bruck(const void* send, const int* sent, const int* from, MPI_Datatype type, void* recv, const int* counts,
                    const int* displs, MPI_Datatype into, MPI_Comm comm) {
  const Members of(comm);
  const MPI_Aint extent = extent_of(into);
  std::vector<std::vector<std::byte>> blocks;
  for (int i = 0; i < of.size; ++i) {
    const auto* const block = static_cast<const std::byte*>(send) + from[of.at(of.rank + i)] * extent;
    blocks.emplace_back(block, block + sent[of.at(of.rank + i)] * extent);
  }
  for (int bit = 1; bit < of.size; bit *= 2) {
    std::vector<std::byte> out;
    std::vector<int> going, sizes;
    for (int i = bit; i < of.size; ++i) {
      if ((i & bit) == 0) continue;
      going.push_back(i);
      sizes.push_back(static_cast<int>(blocks[i].size() / extent));
      out.insert(out.end(), blocks[i].begin(), blocks[i].end());
    }
    std::vector<int> coming(going.size());
    const int to = of.at(of.rank + bit), source = of.at(of.rank - bit);
    MPI_Sendrecv(sizes.data(), static_cast<int>(sizes.size()), MPI_INT, to, 0, coming.data(), static_cast<int>(coming.size()),
                 MPI_INT, source, 0, comm, MPI_STATUS_IGNORE);
    const int all = std::accumulate(coming.begin(), coming.end(), 0);
    std::vector<std::byte> in(all * extent);
    MPI_Sendrecv(out.data(), static_cast<int>(out.size() / extent), type, to, 1, in.data(), all, into, source, 1, comm,
                 MPI_STATUS_IGNORE);
    auto next = in.begin();
    for (std::size_t k = 0; k < going.size(); ++k) {
      blocks[going[k]].assign(next, next + coming[k] * extent);
      next += coming[k] * extent;
    }
  }
  for (int i = 0; i < of.size; ++i) {
    const int source = of.at(of.rank - i);
    std::memcpy(static_cast<std::byte*>(recv) + displs[source] * extent, blocks[i].data(), counts[source] * extent);
  }
  return MPI_SUCCESS;
}

// A ring whose blocks go in chunks, which are added up as they come.
/* runs: reduce_scatter op=commutative */
int chunks_as_they_come(const void* send, void* recv, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  constexpr int kChunk = 3;
  const Members of(comm);
  const MPI_Aint extent = extent_of(type);
  std::vector<int> begins(of.size + 1);
  std::partial_sum(counts, counts + of.size, begins.begin() + 1);
  std::vector<std::byte> sums(begins[of.size] * extent), theirs(*std::max_element(counts, counts + of.size) * extent);
  std::memcpy(sums.data(), send == MPI_IN_PLACE ? recv : send, sums.size());
  for (int step = 1; step < of.size; ++step) {
    const int out = of.at(of.rank - step), in = of.at(out - 1);
    std::vector<MPI_Request> sends((counts[out] + kChunk - 1) / kChunk), receives((counts[in] + kChunk - 1) / kChunk);
    const auto length = [&](int block, std::size_t chunk) {
      return std::min(kChunk, counts[block] - static_cast<int>(chunk) * kChunk);
    };
    for (std::size_t c = 0; c < receives.size(); ++c)
      MPI_Irecv(theirs.data() + c * kChunk * extent, length(in, c), type, of.at(of.rank - 1), static_cast<int>(c), comm,
                &receives[c]);
    for (std::size_t c = 0; c < sends.size(); ++c)
      MPI_Isend(sums.data() + (begins[out] + c * kChunk) * extent, length(out, c), type, of.at(of.rank + 1),
                static_cast<int>(c), comm, &sends[c]);
    for (int chunk = 0;
         MPI_Waitany(static_cast<int>(receives.size()), receives.data(), &chunk, MPI_STATUS_IGNORE), chunk != MPI_UNDEFINED;)
      MPI_Reduce_local(theirs.data() + chunk * kChunk * extent, sums.data() + (begins[in] + chunk * kChunk) * extent,
                       length(in, chunk), type, op);
    MPI_Waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
  }
  std::memcpy(recv, sums.data() + begins[of.rank] * extent, counts[of.rank] * extent);
  return MPI_SUCCESS;
}
}
