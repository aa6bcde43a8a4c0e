#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: mpi_functions.py HEDDLE FOLDER [--sanitized]
examples/mpi/my_allreduce.c in FOLDER: its right function is run, timed and fuzzed, and is never accused. Its wrong one is found where an
operation does not commute, and nowhere else. What cannot be is refused in one line. examples/mpi/stencil.c runs as a program.
Of functions/, those of right.c are never accused; of each of wrong.c is said what its comment "expects:" has. vectors.cpp has both. What is said of those of
faults.c on given ranks stands here. A sanitizer says itself what it thinks of signals."""
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# How a function of functions/ is handed over, what must be said of it, and its name.
FUNCTION = re.compile(r"/\* runs: (\w+) ?(\S*?)(?: expects: (.*?))? \*/\n(?:int|[A-Z]+\() ?(\w+)")
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
    is_sanitized = "--sanitized" in sys.argv[3:]
    many = "200" if is_sanitized else "2000"
    expect(0, f"{many} cases right", "fuzz", "allreduce", "--algo", right, "--cases", many)
    expect(1, "out of order: combined as 1 0", "fuzz", "allreduce", "--algo", hasty, "--cases", "2000")
    expect(2, "it serves numbers of ranks that are powers of two", "run", "allreduce", "--algo", right, "--topo", "star:3", "--size", "1KiB")
    expect(2, "exports no function my_alreduce", "run", "allreduce", "--algo", "mpi:libmine.so:my_alreduce", "--topo", "star:4", "--size", "1KiB")
    expect(0, r"my_allreduce\S* +(\d+\.\d+)\s+recursive_doubling +\1 ", "traffic", "allreduce", "--algo", right + ",recursive_doubling", "--topo",
           "fattree:k=4", "--ranks", "16")
    expect(2, "own copies and sums are not recorded", "export", "goal", "allreduce", "--algo", right, "--topo", "star:4", "--size", "64")
    for option, pattern in (":count=positive", "1 result right"), (":count=negative", "positive, at_least_ranks or multiple_of_ranks"):
        expect(0 if "right" in pattern else 2, pattern, "run", "allreduce", "--algo", right + option, "--topo", "star:4", "--size", "1KiB")
    expect(2, "it serves counts above 0", "run", "allreduce", "--algo", right + ":count=positive", "--topo", "star:4", "--size", "0")
    # A library that cannot be loaded is bad input.
    (folder / "lacks.c").write_text("#include <mpi.h>\n#include <heddle_mpi.h>\nint not_there(void *);\n"
                                    "int lacks(void *b, int n, MPI_Datatype t, int root, MPI_Comm c) { return not_there(b); }\n"
                                    'HEDDLE_MPI_ALGORITHM(broadcast, lacks, "");\n')
    expect(0, "", "mpicc", "-g", "-w", "-shared", "-o", "liblacks.so", "lacks.c")
    (folder / "text.so").write_text("no library\n")
    for file, pattern in ("liblacks.so", "undefined symbol: not_there"), ("text.so", "not machine code|file too short"), ("none.so", "cannot be (opened|read)|No such file"):
        for command in "run", "fuzz":
            flags = ("--topo", "star:4", "--size", "64") if command == "run" else ("--cases", "2")
            for name in ("--algo", f"mpi:{file}:lacks"), ("--plugin", file):
                expect(2, rf"^heddle: [^\n]*{file}[^\n]*({pattern})[^\n]*\n$", command, "broadcast", *name, *flags)
    expect(2, "did you mean", "run", "allreduce", "--algo", "mpi:libmine.so:my_allreduce:rank=8", "--topo", "star:8", "--size", "1KiB")

    expect(0, "", "mpicc", "-O1", "-g", "-w", "-shared", "-o", "libfaults.so", str(HERE / "functions" / "faults.c"))
    sendrecv = r"MPI_Sendrecv\({} x MPI_INT, {}, tag 0\) at faults.c:\d+"
    faults = {
        "copies": r"rank \d failed at 0ps: in (what )?copies (calls )?at faults.c:\d+: was ended by SIGSEGV .*: it reads from (address 0x\w+, a null pointer or )?MPI_IN_PLACE",
        "divides": r"rank \d failed at 0ps: in divides at faults.c:\d+: was ended by SIGFPE .*, a division by zero\n",
        "asserts": r"rank 3 failed at 0ps: the assertion rank != 3 failed at \S*faults.c:\d+ in asserts\n",
        "overlaps": "a receive and a send that are open at once overlap: " + sendrecv.format(2, r"source \d") + " and " + sendrecv.format(2, r"destination \d"),
        "leaves_message": r"from rank 0 to rank 1 \(tag 7\), sent by MPI_Send\(3 x MPI_INT, destination 1, tag 7\) at faults.c:\d+",
        "leaves_request": r"leaves_request returned on rank \d, and the request of MPI_Irecv at faults.c:\d+ was never completed",
        "changes": r"rank 0 changed a send buffer .* sent by MPI_Isend\(3 x MPI_INT, destination 1, tag 0\) at faults.c:\d+, byte 0 of it",
    }
    for name, pattern in faults.items():
        if is_sanitized and "SIG" in pattern:
            continue
        expect(1, pattern, "run", "allreduce", "--algo", "mpi:libfaults.so:" + name, "--topo", "star:4", "--size", "12")
    for option, status, pattern in ("", 1, "ranks hold different bits .*\n.*\n.*bits=may_differ"), (":bits=may_differ", 0, "1 result right"):
        rotates = "mpi:libfaults.so:rotates" + option
        expect(status, pattern, "run", "allreduce", "--algo", rotates, "--topo", "star:8", "--size", "1KiB", "--datatype", "f32")
    expect(0, "1 result right", "run", "allreduce", "--algo", "mpi:libfaults.so:copies", "--topo", "star:4", "--size", "12", "--out-of-place")
    leaves = (r"each call of leaves_types leaves more than there was before: after 2 calls there are 2 blocks allocated at faults\.c:\d+, 2 datatypes of MPI_Type_dup at "
              r"faults\.c:\d+")
    algorithm = ("broadcast", "--algo", "mpi:libfaults.so:leaves_types")
    expect(0, f"# note: {leaves}\n# 3 cases right", "fuzz", *algorithm, "--cases", "3", "--jobs", "1")
    expect(0, r"# note: each call of leaves_types leaves more than there was before: after 2 calls there are 2(.|\n#  )*\n# 1 result right", "run", *algorithm, "--topo", "star:4", "--size", "64")
    expect(0, f'"notes": \\[\\s*"{leaves}"', "run", *algorithm, "--topo", "star:4", "--size", "64", "--json", "-")
    if not is_sanitized:  # which has its own `new`
        expect(0, "", "mpicxx", "-O2", "-g", "-shared", "-o", "libvectors.so", str(HERE / "functions" / "vectors.cpp"))
        expect(0, r"# note: each call of leaves_vector leaves more than there was before: after 2 calls there are 2 blocks allocated at vectors\.cpp:\d+, 2 blocks allocated at",
               "fuzz", "broadcast", "--algo", "mpi:libvectors.so:leaves_vector", "--cases", "3", "--jobs", "1")
    expect(0, "", "mpicc", "-O2", "-g", "-o", "stencil", str(EXAMPLES / "stencil.c"))
    expect(0, "heat after 100 steps: 1.000000\n(.*\n)*# time ", "mpirun", "-n", "16", "--topo", "torus:4x4", "--report", "./stencil", "100")
    cases = os.environ.get("HEDDLE_FUNCTION_CASES", "15" if is_sanitized else "150")
    for name in ("right.cpp", "right.c", "distances.c", "wrong.c", "vectors.cpp"):
        source, library = HERE / "functions" / name, name.split(".")[0]
        expect(0, "", "mpicc" if name.endswith(".c") else "mpicxx", "-O2", "-g", "-w", "-shared", "-o", f"lib{library}.so", str(source))
        for collective, options, expected, function in FUNCTION.findall(source.read_text()):
            if is_sanitized and expected:  # that each is found is seen where it is cheap
                continue
            name = f"mpi:lib{library}.so:{function}" + (f":{options}" if options else "")
            right = f"{cases} cases right"
            expect(1 if expected else 0, expected or right, "fuzz", collective, "--algo", name, "--cases", cases, "--jobs", "1")
    # The variable FAULT gives one of distances.c a fault; of each, what must be said.
    missing, extra = r"(?s)wrong_result.*missing: .*contribution", r"(?s)wrong_result.*more than once: "
    planted = [(2, "reduce", "bine_reduce", ":op=commutative", missing), (3, "gather", "bine_gather", "", r"(?s)wrong_result.*not expected: .*cause: .*sent by MPI_Send\(\d+ x .*, destination \d+, tag \d+\) at distances\.c:\d+, received by MPI_Recv\(\d+ x .*, source \d+, tag \d+\) at distances\.c:\d+\)"),
               (6, "reduce_scatter", "bine_reduce_scatter", ":op=commutative", extra), (7, "allreduce", "swing_allreduce", ":op=commutative:bits=may_differ", extra),
               (8, "allreduce", "swing_blocks", ":op=commutative:count=positive", missing), (9, "alltoall", "bine_alltoall", "", r"(?s)deadlock.*tag 1\) at distances\.c:\d+")]
    for number, collective, function, options, expected in planted[-1:] if is_sanitized else planted:
        os.environ["FAULT"] = str(number)
        expect(1, expected, "fuzz", collective, "--algo", f"mpi:libdistances.so:{function}:ranks=power_of_two{options}", "--cases", cases, "--jobs", "1")
    os.environ.pop("FAULT")
    # A rank that ends while others wait in a collective that they have only begun.
    expect(1, "rank 6 failed", "run", "barrier", "--algo", "mpi:libright.so:polled_barrier", "--topo", "star:9", "--fault", "rank:6,throws,call=4")
    expect(0, r"# \d+ cases? refused by the function", "fuzz", "allreduce", "--algo", "mpi:libright.so:refuses_few", "--cases", cases)
    expect(1, "refused: .*refuses_few returned MPI_ERR_COUNT on all 3 ranks", "run", "allreduce", "--algo", "mpi:libright.so:refuses_few", "--topo", "star:3", "--size", "4")
    expect(1, "refuses_few returned MPI_ERR_COUNT on", "fuzz", "allreduce", "--algo", "mpi:libright.so:refuses_few", "--cases", cases, "--strict")
    expect(0, r"(?s)rabenseifner.*# \d+ results right", "run", "allreduce", "--plugin", "libright.so", "--algo", "all", "--topo", "star:6", "--size", "4KiB")
    expect(0, "(?s)neighbor_exchange", "list", "--plugin", "libright.so")
    expect(0, f"{cases} cases right", "fuzz", "--plugin", "libright.so", "--cases", cases)
    expect(2, "declares no algorithm by HEDDLE_MPI_ALGORITHM", "list", "--plugin", "libmine.so")
    served = "allreduce=mpi:libright.so:rabenseifner,reduce=mpi:libright.so:ordered_binomial"
    expect(0, "1.000000", "mpirun", "-n", "6", "--coll", served, "./stencil", "100")
    expect(1, r"(?s)deadlock.*MPI_Recv\(.* at wrong\.c:\d+", "mpirun", "-n", "6", "--coll", "reduce=mpi:libwrong.so:unmet_reduce", "./stencil", "100")
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
