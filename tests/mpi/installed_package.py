#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: installed_package.py PREFIX BIN FOLDER
MPI programs with a heddle that is installed under PREFIX, as those build them who know no heddle: CMake's FindMPI, checks as configure makes
them, make's steps, shared and static libraries, the shell. All of it from a copy of PREFIX at another place, whose path has a blank.
No other MPI is asked: PATH has the compiler's folders alone. FOLDER takes what is made."""
import os
import pathlib
import shutil
import subprocess
import sys

CMAKE = """cmake_minimum_required(VERSION 3.20)
project(uses_mpi C CXX)
find_package(MPI REQUIRED COMPONENTS C CXX)
add_executable(in_c main.c)
target_link_libraries(in_c PRIVATE MPI::MPI_C)
add_library(part SHARED part.c)
target_link_libraries(part PRIVATE MPI::MPI_C)
add_executable(in_cxx main.cpp)
target_link_libraries(in_cxx PRIVATE part MPI::MPI_CXX)
enable_testing()
add_test(NAME c COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 3 $<TARGET_FILE:in_c>)
add_test(NAME cxx COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 3 $<TARGET_FILE:in_cxx>)
"""
MAIN = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank, size, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, sum %d\\n", size, sum);
  MPI_Finalize();
  return sum != size * (size - 1) / 2;
}
"""
MAIN_CXX = """#include <mpi.h>
#include <iostream>
#include <stdexcept>
#include <vector>
int main(int argc, char **argv) {
  std::ios_base::sync_with_stdio(false);
  MPI_Init(&argc, &argv);
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<int>().at(1);
  } catch (const std::out_of_range &) {
    MPI_Barrier(MPI_COMM_WORLD);
    std::cout << "caught" << std::endl;
  }
  MPI_Finalize();
}
"""
PARTS = {
    "part.c": "#include <mpi.h>\nstatic int calls;\nint part(void) { MPI_Barrier(MPI_COMM_WORLD); return ++calls; }\n",
    "uses_part.c": '#include <mpi.h>\n#include <stdio.h>\nint part(void);\nint main(int c, char **v) {\n  MPI_Init(&c, &v);\n  part();\n'
                   '  printf("%d\\n", part());\n  MPI_Finalize();\n  return 0;\n}\n',
    # As autoconf has them.
    "has.c": "char MPI_Init(void);\nint main(void) { return MPI_Init(); }\n",
    "has_not.c": "char MPI_Initialise(void);\nint main(void) { return MPI_Initialise(); }\n",
    "runs.c": '#include <stdio.h>\nint main(void) { FILE *f = fopen("conftest.out", "w"); return !f || ferror(f) || fclose(f); }\n',
    "main.c": MAIN,
    "main.cpp": MAIN_CXX,
    "CMakeLists.txt": CMAKE,
}


def main():
    prefix, binaries, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    moved = folder / "moved heddle"
    shutil.copytree(prefix / binaries, moved / binaries, symlinks=True)
    for archive in prefix.glob("**/heddle/libheddle_mpi_entry.a"):
        shutil.copytree(archive.parent, moved / archive.parent.relative_to(prefix), symlinks=True)
    work = folder / "a folder"
    work.mkdir()
    for name, text in PARTS.items():
        (work / name).write_text(text)
    here = moved / binaries
    tools = {os.path.dirname(shutil.which(name)) for name in ("cc", "c++", "ld", "cmake", "ninja", "sh") if shutil.which(name)}
    environment = {"PATH": ":".join([str(here), *sorted(tools)]), "HOME": str(folder)}

    def run(*words, status=0, out=None, **variables):
        done = subprocess.run([str(word) for word in words], cwd=work, env={**environment, **variables}, capture_output=True, text=True,
                              errors="replace", timeout=300, check=False)
        if done.returncode != status or (out is not None and done.stdout != out):
            sys.exit(f"{words}: status {done.returncode}, not {status}, and {out!r}:\n{done.stdout}{done.stderr}")
        return done

    three, one, caught = "3 ranks, sum 3\n", "1 ranks, sum 0\n", 3 * "caught\n"
    # The compiler's steps and flags.
    run("heddle-mpicc", "main.c")
    run("heddle-mpirun", "-np", 3, "a.out", out=three)
    run("./a.out", out=one)
    run("./a.out", out=one, PATH=os.pathsep.join(sorted(tools)))  # it knows where heddle is
    run("heddle-mpicc", "-E", "main.c", "-o", "main.i")
    run("heddle-mpicc", "-MM", "main.c")
    run("heddle-mpicc", "part.c", "uses_part.c", "-o", "sources")
    run("heddle-mpirun", "-n", 2, "sources", out="2\n2\n")
    run("heddle-mpicc", "-O3", "-march=native", "-std=c99", "-Wl,--as-needed", "-o", "a program", "main.c", "-lm")
    run("heddle", "mpirun", "-n", "3", "--", "./a program", out=three)
    run("heddle-mpicc", "-c", "part.c", "-o", "part.o")
    run("heddle-mpicc", "-c", "uses_part.c")
    run("heddle-mpicc", "part.o", "uses_part.o", "-o", "objects")
    run("heddle-mpirun", "-n", 2, "objects", out="2\n2\n")
    run("ar", "rcs", "libpart.a", "part.o")
    run("heddle-mpicc", "uses_part.o", "-L.", "-lpart", "-o", "archive")
    run("heddle-mpirun", "-n", 2, "archive", out="2\n2\n")
    run("heddle-mpicc", "-shared", "part.o", "-o", "libshared.so")
    run("heddle-mpicxx", "main.cpp", "-o", "cxx")
    run("heddle-mpirun", "-n", 3, "cxx", out=caught)
    if shutil.which("clang"):
        clang = {"HEDDLE_CC": shutil.which("clang")}
        run("heddle-mpicc", "-O2", "main.c", "-o", "by_clang", **clang)
        run("heddle-mpirun", "-n", 3, "by_clang", out=three)
        run("./by_clang", out=one)
    # As configure asks.
    run("heddle-mpicc", "-o", "conftest", "has.c")
    run("heddle-mpicc", "-o", "conftest", "has_not.c", status=1)
    run("heddle-mpicc", "-o", "conftest", "runs.c")
    run("./conftest")
    # As CMake asks.
    if shutil.which("ninja"):
        run("cmake", "-G", "Ninja", "-S", ".", "-B", "by compiler", f"-DCMAKE_C_COMPILER={here}/heddle-mpicc",
            f"-DCMAKE_CXX_COMPILER={here}/heddle-mpicxx", f"-DMPIEXEC_EXECUTABLE={here}/heddle-mpirun")
        run("cmake", "--build", "by compiler")
        run("ctest", "--test-dir", "by compiler")
        run("by compiler/in_c", out=one)
        home = run("mpicc", "-showme:home", PATH=f"{next(moved.glob('**/heddle/mpi/bin'))}:{environment['PATH']}").stdout.strip().strip('"')
        wrappers = [f"-DMPI_C_COMPILER={here}/heddle-mpicc", f"-DMPI_CXX_COMPILER={here}/heddle-mpicxx",
                    f"-DMPIEXEC_EXECUTABLE={here}/heddle-mpirun"]
        for build, choice in {"by wrappers": wrappers, "by home": [f"-DMPI_HOME={home}"]}.items():
            run("cmake", "-G", "Ninja", "-S", ".", "-B", build, *choice)
            run("cmake", "--build", build)
            run("ctest", "--test-dir", build)
            run("heddle-mpirun", "-n", 3, f"{build}/in_cxx", out=caught)
            run(f"{build}/in_c", out=one)


if __name__ == "__main__":
    main()
