#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_signals.py <heddle> <endless plugin> [--moments N] [--seed N] [--jobs N] [--only TEXT]
Sends SIGINT, SIGTERM and SIGHUP to heddle's commands at random moments: each must end within two seconds, with the status that is
documented (docs/sweep.md, docs/fuzzing.md, the man page), and without a word that blames somebody. What it has written is whole, and
a sweep goes on from its journal to the same bytes. Commands in which a rank never comes back are interrupted too."""
import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

POINTS = "allreduce --algo ring,bucket --topo ring:4,torus:2x3 --size 64:64KiB:x4"
MANY = "sweep allreduce --algo ring,swing_bandwidth,recursive_doubling --topo torus:8x8 --size 1KiB:1MiB:x2 --jobs 2"
ENDLESS = "barrier --plugin {plugin} --algo endless --topo star:3"
# Name, the command, the files that it writes.
COMMANDS = [
    ("run", "run allreduce --algo ring,swing_bandwidth --topo torus:16x16 --size 4MiB --json out.json", ["out.json"]),
    ("run, its trace", "run allreduce --algo ring --topo ring:32 --size 1MiB --trace out.json", ["out.json"]),
    ("run on kernel threads", "run allreduce --algo ring,recursive_doubling --topo ring:32 --size 64KiB --threads kernel", []),
    ("run under the wall clock", "run allreduce --algo ring,recursive_doubling --topo ring:5 --size 1KiB --clock wall --json out.json", ["out.json"]),
    ("run in memory", "run allreduce --algo ring --topo star:3 --size 1MiB --bw inf --latency 0 --alpha 0 --clock wall --iters 300", []),
    ("sweep", MANY + " --json out.json --csv out.csv", ["out.json", "out.csv"]),
    ("merge", "merge begun.1.json begun.2.json --json out.json", ["out.json"]),
    ("export", "export openmpi begun.json --out out.txt", ["out.txt"]),
    ("fuzz", "fuzz --seconds 1 --jobs 2 --json out.json", ["out.json"]),
    ("fuzz that explores", "fuzz --explore 1 --cases 60", []),
    ("credits", "credits allreduce --topo ring:16 --size 4KiB", []),
    ("traffic", "traffic allreduce --algo ring,bine_small --topo fattree:k=8 --ranks 64 --placements 40", []),
    ("topo", "topo torus:32x32", []),
    ("list", "list", []),
    ("claims", "claims traeff", []),
    ("run of a rank without end", "run " + ENDLESS, []),
    ("run of a rank without end, kernel threads", "run " + ENDLESS + " --threads kernel", []),
    ("run of a rank without end, wall clock", "run " + ENDLESS + " --clock wall --json out.json", ["out.json"]),
    ("run of a rank without end, in memory", "run " + ENDLESS + " --bw inf --latency 0 --alpha 0 --clock wall", []),
    ("sweep of a rank without end", "sweep " + ENDLESS + " --topo star:2 --json out.json", ["out.json"]),
    ("fuzz of a rank without end", "fuzz --plugin {plugin} --algo endless --cases 100", []),
    ("one case without end", "fuzz --plugin {plugin} --case 'barrier --algo endless --topo star:3'", []),
    ("credits of a rank without end", "credits barrier --plugin {plugin} --algo endless --ranks 3", []),
]
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
BLAME = re.compile(r"this should not happen|terminate called|Assertion|FAILED|findings?\b(?! right)|Sanitizer")
LIMIT = 2.0


def take_signals():
    """Who starts this in the background may have it ignore some, and heddle leaves what is ignored so."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def documented(name, number):
    """By a handler or without one: to a shell it is the same."""
    return {-number, 3 if name.startswith(("fuzz", "one case")) else 128 + number}


class Checker:
    def __init__(self, heddle, plugin, seed):
        self.heddle, self.plugin, self.seed = heddle, plugin, seed

    def words(self, line):
        return [self.heddle, *shlex.split(line.format(plugin=self.plugin))]

    @functools.cached_property
    def shards(self):
        """What merge finds there."""
        with tempfile.TemporaryDirectory() as folder:
            for shard in (1, 2):
                subprocess.run(self.words(f"sweep {POINTS} --shard {shard}/2 --json begun.{shard}.json"), cwd=folder, check=True,
                               capture_output=True)
            return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}

    @functools.cached_property
    def sweep(self):
        """What export finds there."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(self.words("sweep allreduce --algo ring --topo ring:4 --size 64:64KiB:x4 --json begun.json"), cwd=folder, check=True,
                           capture_output=True)
            return {"begun.json": (pathlib.Path(folder) / "begun.json").read_bytes()}

    def prepare(self, folder, name):
        prepared = self.shards if name == "merge" else self.sweep if name == "export" else {}
        for file, content in prepared.items():
            (folder / file).write_bytes(content)

    def whole(self, command):
        """What it writes, and how long it takes, if nobody interrupts it."""
        name, line, files = command
        if "without end" in name:
            return {"seconds": 0.6}
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            self.prepare(folder, name)
            begin = time.monotonic()
            done = subprocess.run(self.words(line), cwd=folder, capture_output=True)
            seconds = time.monotonic() - begin
            if done.returncode != 0:
                raise SystemExit(f"{name}: status {done.returncode} though nothing interrupted it: {done.stderr.decode()}")
            return {"seconds": seconds} | {file: (folder / file).read_bytes() for file in files}

    def check(self, command, base, number, attempt):
        name, line, files = command
        moment = random.Random(f"{self.seed} {name} {number} {attempt}").uniform(0, 1.05 * base["seconds"])
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            self.prepare(folder, name)
            process = subprocess.Popen(self.words(line), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       preexec_fn=take_signals)
            time.sleep(moment)
            process.send_signal(number)
            sent = time.monotonic()
            try:
                out, err = process.communicate(timeout=20)
                took = time.monotonic() - sent
                said = f"\n{out.decode(errors='replace')[-400:]}\n{err.decode(errors='replace')[-400:]}"
                complaints = list(self.complaints(folder, command, base, process.returncode, number, out + err))
                if took > LIMIT:
                    complaints.append(f"ended {took:.1f} s after the signal")
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                return [f"{name}, {number.name} after {moment:.3f} s: has not ended 20 s after the signal"]
            return [f"{name}, {number.name} after {moment:.3f} s: {what}{said}" for what in complaints]

    def complaints(self, folder, command, base, status, number, text):
        name, line, files = command
        if status != 0 and status not in documented(name, number):
            yield f"status {status}"
        if not name.startswith("claims") and BLAME.search(text.decode(errors="replace")):  # which speak of failures
            yield "blames somebody"
        for file in files:
            path = folder / file
            if status == 0 and name in ("sweep", "merge") and path.read_bytes() != base[file]:
                yield f"status 0, but {file} is another one"
            if path.exists() and file.endswith(".json"):
                try:
                    json.loads(path.read_text())
                except ValueError:
                    yield f"{file} is not whole"
        if name == "sweep" and status != 0:
            yield from self.resumed(folder, line, files, base)

    def resumed(self, folder, line, files, base):
        journal = folder / (files[0] + ".partial")
        words = ["sweep", "--resume", journal.name] if journal.exists() else line.split()
        done = subprocess.run([self.heddle, *words], cwd=folder, capture_output=True)
        if done.returncode != 0:
            yield f"cannot be resumed: {done.stderr.decode()[-300:]}"
            return
        for file in files:
            if (folder / file).read_bytes() != base[file]:
                yield f"resumed, {file} has other bytes"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("plugin")
    parser.add_argument("--moments", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2 * os.cpu_count())
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    checker = Checker(os.path.abspath(arguments.heddle), os.path.abspath(arguments.plugin), arguments.seed)
    help_text = subprocess.run([checker.heddle, "--help"], capture_output=True, text=True).stdout
    commands = [one for one in COMMANDS if arguments.only in one[0] and (one[0] != "claims" or " claims" in help_text)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bases = list(pool.map(checker.whole, commands))
    failures, sent = [], 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = [[pool.submit(checker.check, command, base, SIGNALS[(i + index) % len(SIGNALS)], i) for i in range(arguments.moments)]
                for index, (command, base) in enumerate(zip(commands, bases))]
        for command, base, of_command in zip(commands, bases, jobs):
            found = [failure for job in of_command for failure in job.result()]
            sent += len(of_command)
            print(f"{command[0]} ({base['seconds']:.2f} s): {len(of_command)} signals, {len(found)} complaints", flush=True)
            failures += found
    for failure in failures[:20]:
        print(failure, file=sys.stderr)
    print(f"seed {arguments.seed}: {sent} signals, {len(failures)} complaints")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
