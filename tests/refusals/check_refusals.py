#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_refusals.py <heddle> <refusing_calls.so> [--every N] [--others N] [--jobs N] [--only TEXT]
Runs heddle's commands again and again, each time with another of its calls refused by the system: an allocation, a mapping, a thread, a
process, a write, a rename, an fsync, a file (refusing_calls.cpp). Each time it must end as if nothing had been, or with one line of
heddle's own and status 2 (1 where something could not be written); never with a blame, a crash or a hang, and what a sweep has
finished is kept: resumed, it gives the same bytes. One in N allocations is refused (--every), and one in N of all else (--others);
which, differs from command to command. All commands allocate the same for their flags, before they look at their words: of that the
first command alone is refused something, four times as often. And there is no memory left from just after each start of a thread on: others wait then."""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SMALL = "allreduce --algo ring,recursive_doubling --topo ring:5 --size 1KiB"
POINTS = "allreduce --algo ring,bucket --topo ring:4,torus:2x3 --size 64,1KiB"
# Name, the command, the files that it writes, whether a failure may be resumed.
COMMANDS = [
    ("run", f"run {SMALL} --json out.json", ["out.json"], False),
    ("run, its trace and heat map", f"run {SMALL.replace(',recursive_doubling', '')} --trace out.trace --heatmap out.svg", ["out.trace", "out.svg"], False),
    ("run on kernel threads", f"run {SMALL} --threads kernel", [], False),
    ("run in memory", "run allreduce --algo ring --topo star:3 --size 1KiB --bw inf --latency 0 --alpha 0 --clock wall --iters 1", [], False),
    ("run under the wall clock", "run allreduce --algo ring --topo ring:3 --size 1KiB --clock wall", [], False),
    ("run that is explored", "run allreduce --algo ring --topo ring:2 --size 8 --explore 1", [], False),
    ("run that is explained", "run allreduce --algo hierarchical --topo clos:hosts=2,leaves=3,spines=2 --size 64 --explain", [], False),
    ("sweep", f"sweep {POINTS} --json out.json", ["out.json"], True),
    ("sweep that is resumed", f"sweep {POINTS} --json out.json --resume begun.partial", ["out.json"], True),
    ("merge", "merge begun.1.json begun.2.json --json out.json", ["out.json"], False),
    ("export", "export openmpi begun.json --out out.txt", ["out.txt"], False),
    ("fuzz", "fuzz --cases 24 --jobs 2 --max-ranks 8 --twice 8 --json out.json", ["out.json"], False),
    ("credits", "credits allreduce --algo ring --topo ring:4 --size 1KiB", [], False),
    ("traffic", "traffic allreduce --algo ring,bine_small --topo fattree:k=4 --ranks 4 --placements 3", [], False),
    ("topo", "topo torus:3x3", [], False),
    ("list", "list", [], False),
]
BLAME = re.compile(r"rank_failed|wrong_result|deadlock|\bfinding\b|findings in|FAILED|this should not happen|terminate called|Assertion|not_repeatable|exception:")
# Kinds whose refusal heddle can do nothing about but say so with the status of outputs.
OUTPUT_KINDS = {"write", "rename", "fsync", "open"}
TIMEOUT = 60


def steady(text):
    """Without what differs from run to run: times of the host, the measured wall clock."""
    text = re.sub(r"^.* of wall time, dilated .*$|^.*the virtual clock says.*$|^ +[0-9].* -$", "", text, flags=re.MULTILINE)
    text = re.sub(r'"(seconds|wall_s|messages_per_s|peak_rss_bytes)": *[-0-9.e+]*', r'"\1": 0', text)
    text = re.sub(r"[0-9][0-9.]* ?(s|us|ms)\b[^\n]*|^ +[0-9].*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\n+", "\n", text)


class Checker:
    def __init__(self, heddle, shim, every, others):
        self.heddle, self.shim, self.every, self.others = heddle, shim, every, others
        self.failures = []
        self.runs = 0

    def run(self, folder, command, refuse="", counts=""):
        environment = dict(os.environ, LD_PRELOAD=self.shim, HEDDLE_REFUSE=refuse, HEDDLE_REFUSE_COUNTS=counts)
        environment.pop("COLUMNS", None)
        if refuse is None:
            for name in ("LD_PRELOAD", "HEDDLE_REFUSE", "HEDDLE_REFUSE_COUNTS"):
                environment.pop(name)
        try:
            return subprocess.run([self.heddle, *command.split()], cwd=folder, env=environment, capture_output=True, timeout=TIMEOUT,
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return None

    def prepare(self, folder, name):
        """What a command finds there."""
        if name == "sweep that is resumed":
            (folder / "begun.partial").write_text(self.journal)
        if name == "export":
            self.run(folder, f"sweep {SMALL} --json begun.json", None)
        if name == "merge":
            for shard in (1, 2):
                self.run(folder, f"sweep {POINTS} --shard {shard}/2 --json begun.{shard}.json", None)

    def make_journal(self):
        """Of a sweep that stopped after a part of its runs: the disk was full."""
        with tempfile.TemporaryDirectory() as folder:
            self.run(folder, f"sweep {POINTS} --json out.json --jobs 1", "write:6")
            journals = list(pathlib.Path(folder).glob("*.partial"))
            assert journals, "no journal is left of a sweep whose disk was full"
            self.journal = journals[0].read_text()

    def check(self, command, base, kind, number, all_later):
        name, line, files, is_resumable = command
        refuse = f"{kind}:{number}{'+' if all_later else ''}"
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            self.copy_prepared(folder, name)
            done = self.run(folder, line, refuse)
            return [f"{name}, {refuse}: {what}" for what in self.complaints(folder, command, base, kind, done)]

    def complaints(self, folder, command, base, kind, done):
        name, line, files, is_resumable = command
        if done is None:
            yield f"has not ended after {TIMEOUT} s"
            return
        out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        said = f"\n{out[-500:]}\n{err[-500:]}"
        usual = set(base["out"].splitlines())
        if "Fatal glibc error" in err:  # the C library ends the process itself where a thread's first allocation is refused
            return
        if BLAME.search("\n".join(line for line in (out + err).splitlines() if line not in usual)):
            yield "somebody is blamed" + said
        if done.returncode == 0:
            if steady(out) != steady(base["out"]):
                yield "status 0, but the output is another one" + said
            for file in files:
                if not (folder / file).exists() or steady((folder / file).read_text()) != steady(base[file]):
                    yield f"status 0, but {file} is another one" + said
            return
        lines = [one for one in err.splitlines() if one.startswith("heddle: ")]
        is_about_output = kind in OUTPUT_KINDS or re.search(r"cannot be written: the system has no memory left(\n|; go on with: )", err)
        if done.returncode not in ((1, 2) if is_about_output else (2,)):
            yield f"status {done.returncode}" + said
        elif not lines:
            yield "no line of heddle's own says why" + said
        if is_resumable:
            yield from self.resumed(folder, line, base)

    def resumed(self, folder, line, base):
        """Whatever became of a sweep, it goes on from what is there."""
        journals = [path for path in folder.glob("*.partial") if path.name != "begun.partial"]
        words = line.split(" --resume ")[0]
        if journals:
            done = self.run(folder, f"{words} --resume {journals[0].name}", None)
            if done is None or done.returncode != 0:
                yield f"its journal cannot be resumed: {done and done.stderr.decode()[-300:]}\n{journals[0].read_text()[:300]}"
                return
        else:
            self.run(folder, words, None)
        if steady((folder / "out.json").read_text()) != steady(base["out.json"]):
            yield "resumed, it gives other bytes"

    def copy_prepared(self, folder, name):
        if name in self.prepared:
            shutil.copytree(self.prepared[name], folder, dirs_exist_ok=True)

    def count_common(self):
        """How many allocations a command makes that only says its version: the flags of all commands."""
        with tempfile.TemporaryDirectory() as folder:
            counts = pathlib.Path(folder) / "counts"
            self.run(folder, "--version", "malloc:0", str(counts))
            return next(int(count) for kind, count in map(str.split, counts.read_text().splitlines()) if kind == "malloc")

    def numbers(self, kind, count, index):
        """The calls that are refused in the command of that index."""
        step = self.every if kind == "malloc" else self.others
        if kind != "malloc":
            return range(1 + index * 7 % step, count + 1, step)
        own = range(self.common + 1 + index * 7 % step, count + 1, step)
        return [*range(1, self.common + 1, max(1, step // 4)), *own] if index == 0 else own

    def check_command(self, command, index, pool):
        name, line, files, _ = command
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            self.copy_prepared(folder, name)
            done = self.run(folder, line, "malloc:0", str(folder / "counts"))
            base = {"out": done.stdout.decode()} | {file: (folder / file).read_text() for file in files}
            counted = [(kind, int(count)) for kind, count in (one.split() for one in (folder / "counts").read_text().splitlines())]
            starts = [count for kind, count in counted if kind == "start"]
            counts = {kind: count for kind, count in counted if kind != "start"}
            if done.returncode != 0:
                self.failures.append(f"{name}: status {done.returncode} though nothing was refused: {done.stderr.decode()}")
                return
        counts.pop("refused")
        jobs = []
        for kind, count in counts.items():
            for i, number in enumerate(self.numbers(kind, count, index)):
                jobs.append(pool.submit(self.check, command, base, kind, number, i % 2 == 1 and kind in ("malloc", "mmap", "thread")))
        for number in sorted({start + after for start in starts for after in (1, 3)}):
            jobs.append(pool.submit(self.check, command, base, "malloc", number, True))
        found = [failure for job in jobs for failure in job.result()]
        self.runs += len(jobs)
        print(f"{name}: {len(jobs)} calls refused of {sum(counts.values())}, {len(found)} complaints", flush=True)
        self.failures += found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("shim")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--others", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    checker = Checker(os.path.abspath(arguments.heddle), os.path.abspath(arguments.shim), arguments.every, arguments.others)
    checker.make_journal()
    checker.common = checker.count_common()
    checker.prepared = {}
    with tempfile.TemporaryDirectory() as store, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for index, command in enumerate(COMMANDS):
            if arguments.only and arguments.only != command[0]:
                continue
            folder = pathlib.Path(store) / str(index)
            folder.mkdir()
            checker.prepare(folder, command[0])
            if any(folder.iterdir()):
                checker.prepared[command[0]] = folder
            checker.check_command(command, index, pool)
    kinds = collections.Counter(re.sub(r"\d+", "N", failure.splitlines()[0]) for failure in checker.failures)
    for failure in checker.failures[:20]:
        print(failure, file=sys.stderr)
    for kind, count in kinds.most_common(40):
        print(f"{count:5d} {kind}", file=sys.stderr)
    print(f"{checker.runs} calls refused, {len(checker.failures)} complaints")
    return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
