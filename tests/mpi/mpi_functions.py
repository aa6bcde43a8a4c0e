#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: mpi_functions.py HEDDLE FOLDER
examples/mpi/my_allreduce.c in FOLDER: its right function is run, timed and fuzzed, and is never accused. Its wrong one is found where an
operation does not commute, and nowhere else. What cannot be is refused in one line. examples/mpi/stencil.c runs as a program."""
import pathlib
import re
import subprocess
import sys

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
    expect(2, "did you mean", "run", "allreduce", "--algo", "mpi:libmine.so:my_allreduce:rank=8", "--topo", "star:8", "--size", "1KiB")
    expect(0, "", "mpicc", "-O2", "-g", "-o", "stencil", str(EXAMPLES / "stencil.c"))
    expect(0, "heat after 100 steps: 1.000000\n(.*\n)*# time ", "mpirun", "-n", "16", "--topo", "torus:4x4", "--report", "./stencil", "100")
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
