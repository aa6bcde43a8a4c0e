#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: mpirun_command.py HEDDLE FOLDER [--sanitized]
What a user sees of `heddle mpirun`: every end of a program is said, with its rank and place, and what it had printed is there; the report, the
JSON, the trace and the page; the same bytes on either kind of threads and in other environments. FOLDER takes what is made."""
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
STARTED = "rank 0\nrank 1\nrank 2\n"
# What is asked for, the exit status, what standard output and standard error are.
ENDS = [
    ("", 0, STARTED, ""),
    ("no MPI", 0, "", ""),
    ("status", 5, STARTED, ""),
    ("nested", 7, STARTED, ""),
    ("at exit", 0, STARTED + 3 * "at exit: 1\n", ""),
    ("null", 1, STARTED, r"rank 1 failed at 0ps: in writes at ends.c:\d+: was ended by SIGSEGV \(Segmentation fault\): it writes to address 0x8, a null pointer or MPI_IN_PLACE \(0x1\) and an offset\n"),
    ("call", 1, STARTED, r"rank 1 failed .* in what main calls at ends.c:\d+: was ended by SIGSEGV .*: it reads from a null pointer\n"),
    ("string", 1, STARTED, r"rank 1 failed .* in what main calls at ends.c:\d+: was ended by SIGSEGV .*\n"),
    ("divide", 1, STARTED, r"rank 1 failed .* in main at ends.c:\d+: was ended by SIGFPE .*, a division by zero\n"),
    ("trap", 1, STARTED, r"rank 1 failed .* in main at ends.c:\d+: was ended by SIGILL .*\n"),
    ("deep", 1, STARTED, r"rank 1 failed .* in deep at ends.c:\d+: ran over the end of its stack of 8MiB; give it a larger one \(--stack\)\n"),
    ("raise", 1, STARTED, r"rank 1 failed .* in what main calls at ends.c:\d+: was ended by SIGABRT .*\n"),
    ("twice", 1, STARTED, r"rank 1 failed .* in what main calls at ends.c:\d+: was ended by SIGABRT .*\n"),
    ("thread", 1, STARTED, r"MPI_Comm_rank: called by a thread that is no rank.*\n.*usage: MPI was called once by threads that are no ranks.*\n  MPI_Comm_rank at ends.c:\d+\n"),
    ("thread exits", 1, "rank 0\nrank 1\n", r"heddle: ended: the program has ended the process of all ranks.*\n"),
    ("exec", 1, STARTED, r"execlp at ends.c:\d+: execlp is not served by heddle.*\n"),
    ("abort", 42, STARTED, r"rank 1 called MPI_Abort at ends.c:\d+ with code 42\n"),
    ("waits", 1, STARTED, r"rank 1 waits in MPI_Recv\(1 x MPI_INT, source 0, tag 3\) at ends.c:\d+\n"),
    ("alone", 1, STARTED, r"rank 0 waits in MPI_Barrier at ends.c:\d+\n"),
    ("late", 1, STARTED, r"MPI_Barrier at ends.c:\d+: called after MPI_Finalize\n"),
    ("vfork", 0, STARTED, ""),
    ("shell", 0, STARTED, ""),
    ("term", 143, "rank 0\nrank 1\n(rank 2\n)?", r"heddle: .* was interrupted.*\n"),
]

EXPLORED = r"# no check failed under \d+ orders: \d+ with delays \(all with at most 1 delay; \d+ points\) and 100 seeds\n"
REPEAT = r"repeat: (heddle mpirun --order \S+ -n 3 ./orders '?[a-z ]+'?)\n"
# Of a program under many orders: the exit status, what standard output and standard error are.
ORDERS = [
    ("sum", 0, "first 1\nsecond 2\n", EXPLORED + r"# in \d+ of 1\d\d runs it prints the same words in another order\n"),
    ("difference", 0, "difference -1\n", EXPLORED + r"# what it prints depends on the order: other words in \d+ of 1\d\d runs, first '1' where the usual order has '-1'; " + REPEAT),
    ("any tag", 0, "difference -1\n", EXPLORED + r"# what it prints depends on the order: .*; " + REPEAT),
    ("status", 1, "", r"run_to_run: order \d+ of those explored is wrong: .* ends with status 3; in the usual order it ends with 0\n(.*\n)*  " + REPEAT),
    ("locks", 1, "", r"deadlock: order \d+ of those explored is wrong: (.*\n)*  rank 0 waits in MPI_Recv.* at orders.c:\d+\n(.*\n)*  " + REPEAT),
    ("file", 2, "", "the program does not repeat itself"),
]


def main():
    heddle, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    complaints = []

    def run(*words, cwd=folder, stdin=subprocess.DEVNULL, text=None, **variables):
        given = {"stdin": stdin} if text is None else {"input": text}
        done = subprocess.run([heddle, *words], cwd=cwd, env={**os.environ, **variables}, capture_output=True, text=True, errors="replace",
                              timeout=120, check=False, **given)
        return done.returncode, done.stdout, done.stderr

    def expect(what, status, out, err, *words, stdin=subprocess.DEVNULL):
        got = run(*words, stdin=stdin)
        if got[0] != status or not re.fullmatch(out, got[1]) or not (re.search(err, got[2]) if err else got[2] == ""):
            complaints.append(f"{what}: expected {status}, {out!r}, {err!r}; got {got}")

    def compiled(name):
        status, _, err = run("mpicc", "-g", "-w", "-o", name, str(HERE / "programs" / (name + ".c")))
        if status != 0:
            sys.exit(f"{name}.c: {err}")

    compiled("ends")
    is_sanitized = "--sanitized" in sys.argv[3:]  # by something that has signals' handlers of its own
    for how, status, out, err in ENDS:
        if is_sanitized and ("SIG" in err or "its stack" in err):
            continue
        expect(how, status, out, err, "mpirun", "-n", "3", "./ends", how)
        if how == "deep":
            expect(how, status, out, err, "mpirun", "-n", "3", "--threads", "kernel", "./ends", how)
    expect("ahead", 0, STARTED, "", "mpirun", "-n", "3", "./ends", "ahead")
    expect("ahead", 1, STARTED, r"rank 0 waits in MPI_Bcast at ends.c:\d+\n(.*\n)*  rank 2 waits in MPI_Recv\(1 x MPI_INT, source 0, tag 4\)",
           "mpirun", "-n", "3", "--sync-collectives", "./ends", "ahead")
    # Ranks' vectors are in large pages, where the system has them: 64 of 1 MiB are 16,384 small ones.
    pages = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
    if not is_sanitized and pages.exists() and "[never]" not in pages.read_text():
        (folder / "vector.c").write_text("#include <mpi.h>\n#include <stdlib.h>\n#include <string.h>\n"
                                         "int main(void) { MPI_Init(0, 0); memset(malloc(1 << 20), 1, 1 << 20); MPI_Finalize(); }\n")
        run("mpicc", "-w", "-o", "vector", "vector.c")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
        got = run("mpirun", "-n", "64", "./vector")
        faults = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before
        if got[0] != 0 or faults > 12_000:
            complaints.append(f"vectors: {faults} page faults; {got}")
    # What a process that the program makes has not written yet, it writes, too, as everywhere.
    status, out, err = run("mpirun", "-n", "3", "./ends", "fork")
    if (status, err) != (0, "") or set(out.splitlines()) != set(STARTED.splitlines()):
        complaints.append(f"fork: {(status, out, err)}")

    # Under many orders.
    compiled("orders")
    for how, status, out, err in ORDERS:
        expect(how, status, out, err, "mpirun", "-n", "3", "--explore", "1", "./orders", how)
    failed = run("mpirun", "-n", "3", "--explore=1", "./orders", "locks")[2]
    repeat = shlex.split(re.search(REPEAT, failed).group(1))
    expect(repeat, 1, "", r"heddle: deadlock: 1 of 3 ranks", *repeat[1:])
    expect("explored, reported", 0, "first 1\nsecond 2\n", r"# no check failed under 1\d\d orders", "mpirun", "-n", "3", "--explore", "1", "--report", "./orders", "sum")
    expect("explored, measured", 2, "", "--explore: a run with --compute measured", "mpirun", "--explore", "1", "--compute", "measured", "./orders", "sum")
    # Each run has the input from where it stood, as a shell leaves it that has read a line. A program that reads none leaves it there.
    (folder / "number.txt").write_text("41\n42")
    with open(folder / "number.txt", encoding="utf-8") as number:
        os.lseek(number.fileno(), 3, os.SEEK_SET)
        expect("no input", 0, "1\n", EXPLORED + "$", "mpirun", "-n", "3", "--explore", "1", "./orders", "keeps", stdin=number)
        expect("input", 0, "number 42\n", EXPLORED + "$", "mpirun", "-n", "3", "--explore", "1", "./orders", "input", stdin=number)
    expect("input from a pipe", 2, "", "--explore: the program reads standard input.*: give it a file", "mpirun", "-n", "3", "--explore", "1", "./orders", "input", stdin=subprocess.PIPE)

    # How it is called.
    for words in (["-np", "2", "ends"], ["--np", "2", "./ends"], ["-n", "2", "--", "./ends"], ["--threads", "kernel", "-np", "2", "./ends", "-np", "9"]):
        expect(words, 0, "rank 0\nrank 1\n", "", "mpirun", *words)
    expect("no program", 2, "", "the program is missing; try: ", "mpirun", "-n", "2")
    expect("no flag", 2, "", "heddle: --topoo is no flag of 'heddle mpirun'; did you mean --topo?", "mpirun", "-n", "2", "--topoo", "star:2", "./ends")
    expect("a program's name like a flag", 2, "", "--weird: cannot be read", "mpirun", "-n", "2", "--", "--weird")
    expect("a shell's script", 2, "", "not linked by heddle mpicc|not an ELF file|no program", "mpirun", "/bin/true")
    expect("no compute", 2, "", "--compute 'some': none, measured, or measured:FACTOR", "mpirun", "--compute", "some", "./ends")

    # Standard input is rank 0's, however it is read.
    status, _, err = run("mpicxx", "-g", "-w", "-o", "input", str(HERE / "programs" / "input.cpp"))
    if status != 0:
        sys.exit(f"input.cpp: {err}")
    for how in ("fgets", "scanf", "getchar", "read", "wscanf", "cin", "wcin", "child", "popen", "system", "early"):
        # Which rank a constructor is of, nobody knows yet.
        for ranks, threads in ((1, "user"),) if how == "early" else ((1, "user"), (3, "user"), (3, "kernel")):
            got = run("mpirun", "-n", str(ranks), "--threads", threads, "--report", "./input", how, text="first\nsecond\n",
                      **({"EARLY": "1"} if how == "early" else {}))
            heard = "".join(f"{rank}: '{'' if rank else 'first'}'(?: end)?\n" for rank in range(ranks))
            if got[0] != 0 or not re.fullmatch(heard, got[1]) or "input" in got[2].split("# passed")[1]:
                complaints.append(f"{how} on {ranks} ranks, {threads} threads: {got}")

    (folder / "starts.c").write_text("#include <mpi.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
                                     "int main(void) { int rank; MPI_Init(0, 0); MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                                     "if (rank == 1 && fork() == 0) { execlp(\"cat\", \"cat\", (char *)0); _exit(1); }\n"
                                     "if (rank == 1) wait(0); MPI_Finalize(); }\n")
    run("mpicc", "-w", "-o", "starts", "starts.c")
    got = run("mpirun", "-n", "2", "./starts", text="first\n")
    if got != (0, "", ""):
        complaints.append(f"a process of rank 1's, of a program that reads nothing itself: {got}")

    # What C++ allocates, and what the C++ library frees of it, however the compiler has put them together. A sanitizer has `new` and `delete`
    # of its own, and tells what they are used for apart.
    for flags in () if is_sanitized else (("-O0",), ("-O2", "-std=c++20")):
        status, _, err = run("mpicxx", "-g", "-w", *flags, "-o", "allocated", str(HERE / "programs" / "allocated.cpp"))
        if status != 0:
            sys.exit(f"allocated.cpp: {err}")
        for words in ((), ("--guard-heap",), ("--guard-heap", "--threads", "kernel")):
            expect(f"allocated {flags} {words}", 0, r"ok\n(thread-local of rank (\d)\nstatic of rank \2\n){3}", "",
                   "mpirun", "-n", "3", *words, "./allocated")
        for how, pattern in (
                ("vector", r"it wrote behind the end of a block of 80 bytes allocated at allocated\.cpp:\d+, at byte 80 \(found at allocated\.cpp:\d+\)"),
                ("grown", r"it wrote behind the end of a block of 16 bytes allocated at allocated\.cpp:\d+, at byte 16"),
                ("array", r"it wrote before the beginning of a block of 20 bytes allocated at allocated\.cpp:\d+, at byte -1"),
                ("receive", r"MPI_Recv at allocated\.cpp:\d+: the buffer of 64 bytes begins at byte 0 of a block that was allocated at allocated\.cpp:\d+, of 32 bytes")):
            expect(f"allocated {flags} {how}", 1, "", pattern, "mpirun", "-n", "2", "--guard-heap", "./allocated", how)

    # The report and the files.
    status, out, err = run("mpirun", "-n", "4", "--report", "--json", "r.json", "--trace", "t.json", "--html", "p.html", "./ends")
    for line in (r"# passed: deadlock, .*messages nobody received", r"# time 400ns, 8 messages, 0 bytes",
                 r"#   MPI_COMM_WORLD +4 +MPI_Barrier +dissemination +4 +0.400"):
        if not re.search(line, err):
            complaints.append(f"--report: no {line!r} in {err}")
    expect("left", 0, STARTED, r"\n# rank 1: 2 persistent requests of MPI_Recv_init at ends\.c:\d+ were never freed\n# rank 1: 2 groups of MPI_Comm_group at ends\.c:\d+ were never freed\n# rank 1: 1 info of MPI_Info_create at ends\.c:\d+ was never freed\n# rank 1: 1 error handler of MPI_Comm_create_errhandler at ends\.c:\d+ was never freed\n",
           "mpirun", "-n", "3", "--report", "./ends", "left")
    document = json.loads((folder / "r.json").read_text())
    made = document["runs"][0]
    barrier = [calls for calls in made["calls"] if calls["function"] == "MPI_Barrier"]
    if (document["complete"], made["time_s"], made["messages"], made["exit_status"]) != (True, 4e-07, 8, 0) or barrier != [
            {"communicator": "MPI_COMM_WORLD", "ranks": 4, "function": "MPI_Barrier", "algorithm": "dissemination", "calls": 4, "longest_s": 4e-07}]:
        complaints.append(f"--json: {document}")
    if "traceEvents" not in json.loads((folder / "t.json").read_text()) or "</html>" not in (folder / "p.html").read_text():
        complaints.append("--trace or --html is not whole")
    status, out, err = run("mpirun", "-n", "3", "--json", "-", "./ends", "late")
    failed = json.loads(out[len(STARTED):])["runs"][0]
    if status != 1 or "time_s" in failed or failed["error"]["kind"] != "usage" or not out.startswith(STARTED):
        complaints.append(f"--json - of a failure: {out}")

    # Where computing takes time other ranks run between calls, and in those of functions that MPI calls.
    compiled("callbacks")
    expect("measured", 0, "ok\n", "", "mpirun", "-n", "5", "--compute", "measured", "./callbacks")

    # Whichever call meets it: a nonblocking collective is none of those that its rank makes meanwhile.
    compiled("chosen")
    expect("chosen", 1, "", r"MPI_Ialltoallv at chosen\.c:\d+: .*it needs blocks of equal size", "mpirun", "-n", "2", "--coll", "alltoall=bruck", "./chosen")

    # What MPI forbids and every bandwidth benchmark does. Of another source or tag it is refused (wrong/overlapping.c). Exchanged blocks
    # that overlap are said as well, and operations that write to what they read.
    compiled("window")
    expect("window", 0, "7 7\n17 17\n27 27\n37 37\n1 2222\n1 2222\n5 of 6\n",
           r"# rank 0: MPI_Alltoallw at window\.c:\d+: blocks 0 and 1 of the receive buffer overlap.*\n# rank 0: MPI_Neighbor_alltoallw at window\.c:\d+: blocks 0 and 1 of the receive buffer overlap.*\n(.*\n)*# rank 1: MPI_Irecv at window\.c:\d+: receives of one source and tag",
           "mpirun", "-n", "2", "./window")
    expect("writes input", 0, "(?s).*", r"# rank \d: MPI_Allreduce at window\.c:\d+: its operation has written to its first vector", "mpirun", "-n", "2", "./window")

    # Less room than MPI_BSEND_OVERHEAD does where other implementations have less overhead.
    compiled("room")
    expect("room", 0, "", "", "mpirun", "-n", "1", "./room", "512")
    expect("room of others", 0, "", r"^# rank 0: MPI_Bsend at room\.c:\d+: no room for 4 bytes and MPI_BSEND_OVERHEAD \(512\): .*; "
           "implementations with less overhead have room", "mpirun", "-n", "1", "./room", "96")
    expect("no room", 1, "", r"MPI_Bsend at room\.c:\d+: no room for 4 bytes", "mpirun", "-n", "1", "./room", "95")

    # The same bytes.
    other = folder / "other"
    (other / "home").mkdir(parents=True, exist_ok=True)
    for name in ("messages", "collectives", "communicators"):
        compiled(name)
        seen = []
        for threads in ("user", "kernel"):
            for cwd, variables in ((folder, {}), (other, {"HOME": str(other / "home"), "LANG": "de_DE.UTF-8", "FILL": 50000 * "x"})):
                path = str((folder / name).resolve())
                status, out, err = run("mpirun", "-n", "5", "--threads", threads, "--report", "--json", "-", path, cwd=cwd, **variables)
                text, _, tail = out.partition("{\n")
                whole = json.loads("{" + tail) if tail else {"runs": [{"host": out}]}
                del whole["runs"][0]["host"]
                seen.append((status, text, whole, err))
        if seen.count(seen[0]) != len(seen):
            complaints.append(f"{name}: not the same everywhere: {seen}")
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
