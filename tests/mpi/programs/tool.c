/* A program with an MPI_Send of its own, as PMPI tools have. */
#include <mpi.h>
int sent;
int MPI_Send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  ++sent;
  return PMPI_Send(buf, count * 2, datatype, dest, tag, comm);
}
int main(void) { return MPI_Send(0, 5, MPI_INT, 6, 7, MPI_COMM_WORLD); }
