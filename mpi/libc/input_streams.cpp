// SPDX-License-Identifier: Apache-2.0
// std::cin and std::wcin of a copy: they read its own stdin (input.c), where the C++ library's read that of the process. Only for
// programs that name them, which have the C++ library.
#include <ext/stdio_sync_filebuf.h>

#include <cstdio>
#include <istream>
#include <new>
#include <ostream>

namespace std {
extern ostream cout;    // <iostream> would declare these two
extern wostream wcout;  // and cin
}  // namespace std

#pragma GCC visibility push(hidden)
alignas(std::istream) char heddle_mpi_cin[sizeof(std::istream)] __asm__("_ZSt3cin");
alignas(std::wistream) char heddle_mpi_wcin[sizeof(std::wistream)] __asm__("_ZSt4wcin");
#pragma GCC visibility pop

namespace {

template <class Char>
using Buffer = __gnu_cxx::stdio_sync_filebuf<Char>;

alignas(Buffer<char>) char buffer[sizeof(Buffer<char>)];
alignas(Buffer<wchar_t>) char wide_buffer[sizeof(Buffer<wchar_t>)];

template <class Char>
std::basic_istream<Char>& stream_in(char* place) {
  return *reinterpret_cast<std::basic_istream<Char>*>(place);
}

// After the copy's stdin is there, and before the program's objects are. They are never destroyed, as those of the library.
__attribute__((constructor(102))) void open_streams() {
  new (heddle_mpi_cin) std::istream(new (buffer) Buffer<char>(stdin));
  new (heddle_mpi_wcin) std::wistream(new (wide_buffer) Buffer<wchar_t>(stdin));
  stream_in<char>(heddle_mpi_cin).tie(&std::cout);
  stream_in<wchar_t>(heddle_mpi_wcin).tie(&std::wcout);
}

}  // namespace

extern "C" __attribute__((visibility("hidden"))) void heddle_mpi_close_streams(FILE* input) {
  stream_in<char>(heddle_mpi_cin).rdbuf(new (buffer) Buffer<char>(input));
  stream_in<wchar_t>(heddle_mpi_wcin).rdbuf(new (wide_buffer) Buffer<wchar_t>(input));
}
