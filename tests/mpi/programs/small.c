/* The least that a program has. */
#include <mpi.h>
int counter = 3;
int main(int argc, char** argv) {
  (void)argv;
  return ++counter + argc;
}
