/* Calls whose places are known: by their lines. */
#include <mpi.h>
static int inner(int count) {
  return MPI_Send(0, count, MPI_INT, 0, 0, MPI_COMM_WORLD);  /* line 4 */
}
int outer(void) {
  int sum = inner(1);
  sum += MPI_Send(0, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);  /* line 8 */
  return sum;
}
