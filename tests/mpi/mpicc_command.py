#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: mpicc_command.py HEDDLE FOLDER
What a user sees of `heddle mpicc` and `heddle mpicxx`: programs that compile, link and start, in FOLDER."""
import os
import pathlib
import shutil
import subprocess
import sys

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"


def main():
    heddle, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)

    def run(*words, **variables):
        return subprocess.run([str(word) for word in words], cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True)

    def expect(wanted, got):
        if wanted != got:
            sys.exit(f"expected {wanted!r}, got {got!r}")

    expect((0, ""), ((made := run(heddle, "mpicc", "-O2", "-Wall", PROGRAMS / "small.c", "-o", "small")).returncode, made.stderr))
    expect(6, run("./small", "x").returncode)  # a program, started as any is
    # What a program may pass in place of lists is no list, and compilers know how long those are.
    (folder / "graph.c").write_text("""#include <mpi.h>
int graph(int *one, MPI_Comm *made);
int graph(int *one, MPI_Comm *made) {
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, one, one, one, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, made);
  MPI_Dist_graph_create(MPI_COMM_WORLD, 0, one, one, one, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, made);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, one, MPI_UNWEIGHTED, 0, one, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, made);
  return MPI_Dist_graph_neighbors(*made, 1, one, MPI_UNWEIGHTED, 1, one, MPI_UNWEIGHTED);
}
""")
    for compiler in (name for name in ("gcc", "clang") if shutil.which(name)):
        made = run(heddle, "mpicc", "-O2", "-Wall", "-Wextra", "-c", "graph.c", HEDDLE_CC=compiler)
        expect((0, ""), (made.returncode, made.stderr))
    expect(0, run(heddle, "mpicc", "-c", PROGRAMS / "endings.c", "-o", "endings.o").returncode)
    expect(0, run(heddle, "mpicc", "endings.o", "-o", "endings").returncode)
    expect(3, run("./endings", "exit").returncode)
    expect(f"mpirun -n 1 {folder.resolve()}/endings init\n", run("./endings", "init", HEDDLE="echo").stdout)
    expect(0, run("ar", "rc", "libprogram.a", "endings.o").returncode)  # main is found in an archive
    expect((0, ""), ((made := run(heddle, "mpicc", "libprogram.a", "-o", "archived")).returncode, made.stderr))
    expect(3, run("./archived", "exit").returncode)
    expect(0, run(heddle, "mpicxx", PROGRAMS / "objects.cpp", "-o", "objects").returncode)
    expect(42, run("./objects").returncode)
    expect("g++\n", run(heddle, "mpicxx", "-showme:command", HEDDLE_CXX="g++").stdout)
    expect((2, "heddle: no-such-compiler: the compiler cannot be started (No such file or directory); install one, or set HEDDLE_CC\n"),
           ((refused := run(heddle, "mpicc", "x.c", HEDDLE_CC="no-such-compiler")).returncode, refused.stderr))
    # As configure asks for a function: there is none of this name.
    (folder / "asks.c").write_text("char no_such_function(void); int main(void) { return no_such_function(); }\n")
    expect(True, run(heddle, "mpicc", "asks.c").returncode != 0)


if __name__ == "__main__":
    main()
