/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a shared object a program that the system can start: the linker puts the name of the loader, which executables alone have,
   where the system looks for it. `heddle mpicc` asks for this part by its symbol when it links a program. */
#if defined(__x86_64__)
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#elif defined(__aarch64__)
#define LOADER "/lib/ld-linux-aarch64.so.1"
#else
#error "heddle runs MPI programs on x86-64 and AArch64"
#endif

__attribute__((section(".interp"), used)) const char heddle_mpi_interpreter[] = LOADER;
