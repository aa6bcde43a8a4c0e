/* Imports that ranks share. Never run. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void* nothing(void* argument) { return argument; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  if (fork() == 0) execlp("true", "true", (char*)0);
  setenv("A", "B", 1);
  return dlopen("x", RTLD_NOW) != NULL;
}
