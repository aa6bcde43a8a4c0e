#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: mpi_programs.py HEDDLE FOLDER [--sanitized]
Compiles the programs of programs/ and wrong/ as `heddle mpicc` does in FOLDER, and runs them with `heddle mpirun`. Those that check
themselves print "ok" on any number of ranks. Of a wrong one the error says what its comment "expects:" has; "expects CASE:" is that of the program with this word.
A rank of thousands takes little memory, unless --sanitized says that a sanitizer needs its own, and has signals' handlers of its own."""
import os
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RANKS = (1, 2, 5, 16)
MANY_RANKS = 2048
KIB_A_RANK = 64


def run(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def memory(words, folder):
    """KiB at its peak."""
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss if process.returncode == 0 else sys.maxsize


def main():
    heddle, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    complaints = []

    # Asked once: a sanitizer's heddle takes as long to start as the compiler takes.
    command = shlex.split(run([heddle, "mpicc", "-show", "-w", "-g", "-o", "PROGRAM", "SOURCE"], folder)[1])

    def compiled(source):
        status, out, err = run([{"PROGRAM": source.stem, "SOURCE": str(source)}.get(word, word) for word in command], folder)
        if status != 0:
            complaints.append(f"{source.name}: not compiled: {out}{err}")
        return status == 0

    def start(name, ranks, *flags, words=()):
        return run([heddle, "mpirun", "-n", str(ranks), *flags, "./" + name, *words], folder)

    for source in sorted((HERE / "programs").glob("*.c")):
        text = source.read_text()
        if "check.h" not in text or not compiled(source):
            continue
        for ranks, *flags in [(ranks,) for ranks in RANKS] + [(3, "--guard-heap")]:
            status, out, err = start(source.stem, ranks, *flags)
            if (status, out, err) != (0, "ok\n", ""):
                complaints.append(f"{source.name} on {ranks} ranks {' '.join(flags)}: status {status}\n{out}{err}")
    is_sanitized = "--sanitized" in sys.argv[3:]
    for source in sorted((HERE / "wrong").glob("*.c")):
        cases = [case for case in re.findall(r"/\* expects(?: (\w+))?: (.*) \*/", source.read_text())
                 if not (is_sanitized and "SIG" in case[1])]
        if not cases or not compiled(source):
            continue
        for case, expected in cases:
            status, out, err = start(source.stem, 3, "--guard-heap", words=[case] if case else [])
            if status != 1 or not re.search(expected, err):
                complaints.append(f"{source.name} {case}: status {status}, not 1 with '{expected}':\n{out}{err}")
    if not is_sanitized:
        few, many = (memory([heddle, "mpirun", "-n", str(ranks), "./many", "communicators"], folder) for ranks in (1, MANY_RANKS))
        if many - few > KIB_A_RANK * MANY_RANKS:
            complaints.append(f"many.c on {MANY_RANKS} ranks: {(many - few) // MANY_RANKS} KiB a rank, more than {KIB_A_RANK}")
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
