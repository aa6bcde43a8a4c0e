#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: mpi_functions.py HEDDLE FOLDER
examples/mpi/my_allreduce.c in FOLDER: its right function is run, timed and fuzzed, and is never accused. Its wrong one is found where an
operation does not commute, and nowhere else. What cannot be is refused in one line. examples/mpi/stencil.c runs as a program.
Of the functions of functions/wrong.c it is said, in MPI's words, what is wrong and where."""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "mpi"


def main():
    heddle, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    complaints = []

    def expect(status, pattern, *words):
        done = subprocess.run([heddle, *words], cwd=folder, capture_output=True, text=True, errors="replace", timeout=300, check=False)
        if done.returncode != status or not re.search(pattern, done.stdout + done.stderr):
            complaints.append(f"{' '.join(words)}: status {done.returncode}, not {status} with '{pattern}':\n{done.stdout}{done.stderr}")

    expect(0, "", "mpicc", "-O2", "-g", "-shared", "-o", "libmine.so", str(EXAMPLES / "my_allreduce.c"))
    right, hasty = (f"mpi:libmine.so:{name}_allreduce:ranks=power_of_two" for name in ("my", "hasty"))
    expect(0, "# 2 results right", "run", "allreduce", "--algo", right + ",recursive_doubling", "--topo", "torus:4x4", "--size", "64KiB")
    expect(0, "2000 cases right", "fuzz", "allreduce", "--algo", right, "--cases", "2000")
    expect(1, "out of order: combined as 1 0", "fuzz", "allreduce", "--algo", hasty, "--cases", "2000")
    expect(2, "it serves numbers of ranks that are powers of two", "run", "allreduce", "--algo", right, "--topo", "star:3", "--size", "1KiB")
    expect(2, "exports no function my_alreduce", "run", "allreduce", "--algo", "mpi:libmine.so:my_alreduce", "--topo", "star:4", "--size", "1KiB")
    expect(0, r"my_allreduce\S* +(\d+\.\d+)\s+recursive_doubling +\1 ", "traffic", "allreduce", "--algo", right + ",recursive_doubling", "--topo",
           "fattree:k=4", "--ranks", "16")
    expect(2, "own copies and sums are not recorded", "export", "goal", "allreduce", "--algo", right, "--topo", "star:4", "--size", "64")
    expect(2, "did you mean", "run", "allreduce", "--algo", "mpi:libmine.so:my_allreduce:rank=8", "--topo", "star:8", "--size", "1KiB")

    expect(0, "", "mpicc", "-O1", "-g", "-w", "-shared", "-o", "libwrong.so", str(HERE / "functions" / "wrong.c"))
    sendrecv = r"MPI_Sendrecv\({} x MPI_INT, {}, tag 0\) at wrong.c:\d+"
    wrong = {
        "copies": r"rank \d failed at 0ps: segmentation fault \(SIGSEGV\) at wrong.c:\d+: it reads from (address 0x\w+, a null pointer or )?MPI_IN_PLACE",
        "divides": r"rank \d failed at 0ps: division by zero at wrong.c:\d+\n",
        "asserts": r"rank 3 failed at 0ps: the assertion rank != 3 failed at \S*wrong.c:\d+ in asserts\n",
        "overlaps": "a receive and a send that are open at once overlap: " + sendrecv.format(2, r"source \d") + " and " + sendrecv.format(1, r"destination \d"),
        "leaves_message": r"from rank 0 to rank 1 \(tag 7\), sent by MPI_Send\(3 x MPI_INT, destination 1, tag 7\) at wrong.c:\d+",
        "leaves_request": r"without waiting for 2 of its requests, one of them MPI_Irecv\(1 x MPI_INT, source 0, tag 5\) at wrong.c:\d+",
        "changes": r"rank 0 changed a send buffer .* sent by MPI_Isend\(3 x MPI_INT, destination 1, tag 0\) at wrong.c:\d+, byte 0 of it",
    }
    for name, pattern in wrong.items():
        expect(1, pattern, "run", "allreduce", "--algo", "mpi:libwrong.so:" + name, "--topo", "star:4", "--size", "12")
    for option, status, pattern in ("", 1, "ranks hold different bits .*\n.*\n.*bits=may_differ"), (":bits=may_differ", 0, "1 result right"):
        rotates = "mpi:libwrong.so:rotates" + option
        expect(status, pattern, "run", "allreduce", "--algo", rotates, "--topo", "star:8", "--size", "1KiB", "--datatype", "f32")
    expect(0, "1 result right", "run", "allreduce", "--algo", "mpi:libwrong.so:copies", "--topo", "star:4", "--size", "12", "--out-of-place")
    expect(0, "", "mpicc", "-O2", "-g", "-o", "stencil", str(EXAMPLES / "stencil.c"))
    expect(0, "heat after 100 steps: 1.000000\n(.*\n)*# time ", "mpirun", "-n", "16", "--topo", "torus:4x4", "--report", "./stencil", "100")
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
