// SPDX-License-Identifier: Apache-2.0
// Standard input, read in as many ways as there are: rank 0 has it, others are at its end. argv[1]: how.
#include <mpi.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <iostream>
#include <string>

// A function of the program's own, which heddle's own reading must not take.
extern "C" ssize_t readv(int, const struct iovec*, int) { return 42; }

static char early[32];
static const int early_size = [] { return std::getenv("EARLY") != nullptr && std::scanf("%31s", early) == 1; }();

static std::string word(const std::string& how) {
  char text[32] = "";
  wchar_t wide[32] = L"";
  if (how == "early") return early;
  if (how == "fgets") return std::fgets(text, sizeof text, stdin) ? std::string(text, std::strcspn(text, "\n")) : "";
  if (how == "scanf") return std::scanf("%31s", text) == 1 ? text : "";
  if (how == "getchar") {
    std::string all;
    for (int c = getchar(); c != EOF && c != '\n'; c = getchar()) all += static_cast<char>(c);
    return all;
  }
  if (how == "read") {
    const ssize_t size = read(STDIN_FILENO, text, sizeof text);
    return size > 0 ? std::string(text, std::strcspn(text, "\n")) : "";
  }
  if (how == "wscanf") return wscanf(L"%31ls", wide) == 1 ? std::string(wide, wide + std::wcslen(wide)) : "";
  if (how == "wcin") {
    std::wstring read;
    std::wcin >> read;
    return std::string(read.begin(), read.end());
  }
  if (how == "popen") {
    FILE* const line = popen("head -n 1", "r");
    const bool is_read = std::fgets(text, sizeof text, line) != nullptr;
    return pclose(line) == 0 && is_read ? std::string(text, std::strcspn(text, "\n")) : "";
  }
  if (how == "system")  // the status is that of reading
    return system("read -r line && test \"$line\" = first") == 0 ? "first" : "";
  if (how == "child") {  // another program reads it
    int ends[2];
    if (pipe(ends) != 0) return "no pipe";
    if (fork() == 0) {
      dup2(ends[1], STDOUT_FILENO);
      if (fileno(stdin) == STDIN_FILENO) execlp("cat", "cat", nullptr);
      _exit(1);
    }
    close(ends[1]);
    const ssize_t size = read(ends[0], text, sizeof text);
    close(ends[0]);
    return size > 0 ? std::string(text, std::strcspn(text, "\n")) : "";
  }
  std::string read;
  std::cin >> read;
  return read;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // The others ask first.
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  const std::string first = word(argv[1]);
  if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);
  std::printf("%d: '%s'%s%s\n", rank, first.c_str(), feof(stdin) ? " end" : "", readv(0, nullptr, 0) == 42 ? "" : " not mine");
  MPI_Finalize();
  return early_size > 1;
}
