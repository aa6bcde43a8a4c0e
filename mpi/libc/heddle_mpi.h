/* SPDX-License-Identifier: Apache-2.0 */
/* What a program or a library that `heddle mpicc` compiles may say to heddle beside MPI. For C and C++. */
#ifndef HEDDLE_MPI_H
#define HEDDLE_MPI_H

#ifdef __cplusplus
extern "C" {
#endif

/* Takes `seconds` of the calling rank's virtual time, as a computation would. Negative times and NaN count as 0. Started without
   heddle, it returns at once. */
void heddle_compute(double seconds);

/* A collective of the library's own: what HEDDLE_MPI_ALGORITHM leaves for heddle to find. */
struct heddle_mpi_algorithm {
  const char *collective; /* "allreduce" */
  const char *name;       /* of the function */
  void (*function)(void); /* to be called as MPI's function for the collective is */
  const char *options;    /* "ranks=power_of_two,op=commutative"; empty: none */
};

#ifdef __cplusplus
#define HEDDLE_MPI_FUNCTION(function) reinterpret_cast<void (*)(void)>(function)
#else
#define HEDDLE_MPI_FUNCTION(function) (void (*)(void))(function)
#endif

/* HEDDLE_MPI_ALGORITHM(allreduce, my_allreduce, "ranks=power_of_two") outside of functions: `heddle run allreduce --plugin FILE` then
   knows my_allreduce, which has MPI_Allreduce's parameters. */
#define HEDDLE_MPI_ALGORITHM(collective, function, options)                                                                     \
  static struct heddle_mpi_algorithm heddle_mpi_algorithm_of_##function __attribute__((used, section("heddle_mpi_algorithms"))) = \
      {#collective, #function, HEDDLE_MPI_FUNCTION(function), options}

#ifdef __cplusplus
}
#endif

#endif
