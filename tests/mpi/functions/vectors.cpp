// SPDX-License-Identifier: Apache-2.0
// Functions in C++ that keep their data in vectors: a right one, and wrong ones.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

extern "C" {

/* runs: allreduce */
int vector_allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int size = 0, rank = 0, bytes = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  MPI_Type_size(type, &bytes);
  const char* const input = static_cast<const char*>(in == MPI_IN_PLACE ? out : in);
  std::vector<std::vector<char>> all(size, std::vector<char>(static_cast<std::size_t>(count) * bytes));
  std::copy_n(input, all[rank].size(), all[rank].begin());
  for (int root = 0; root < size; ++root) MPI_Bcast(all[root].data(), count, type, root, comm);
  std::vector<char> sum = all.back();
  for (int root = size - 2; root >= 0; --root) MPI_Reduce_local(all[root].data(), sum.data(), count, type, op);
  std::copy(sum.begin(), sum.end(), static_cast<char*>(out));
  return MPI_SUCCESS;
}

/* runs: broadcast expects: it wrote behind the end of a block of 7 bytes allocated at vectors\.cpp:\d+, at byte 7 \(found at vectors\.cpp:\d+\) */
int behind_vector(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  std::vector<char> seven(7);
  char* volatile bytes = seven.data();
  if (count == 5) bytes[7] = 1;
  return MPI_Bcast(buffer, count, type, root, comm);
}

/* runs: broadcast expects: of a block that was allocated at vectors\.cpp:\d+ */
int short_vector(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  int size = 0, rank = 0, bytes = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  MPI_Type_size(type, &bytes);
  if (rank == root) {
    for (int to = 0; to < size; ++to)
      if (to != root) MPI_Send(buffer, count, type, to, 0, comm);
    return MPI_SUCCESS;
  }
  std::vector<char> copy(static_cast<std::size_t>(count) * bytes / 2);
  MPI_Recv(copy.data(), count, type, root, 0, comm, MPI_STATUS_IGNORE);
  std::copy(copy.begin(), copy.end(), static_cast<char*>(buffer));
  return MPI_SUCCESS;
}

int leaves_vector(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  static std::vector<int>* volatile last;
  last = new std::vector<int>(10);
  return MPI_Bcast(buffer, count, type, root, comm);
}

}  // extern "C"
