#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_spread.py <heddle> <plugin of planted bugs> tcp|mpi|array [<launcher> <its words> ...]
A sweep that is spread over the processes of a launcher has the bytes of one process: its table, JSON, CSV and plots, right and
wrong results alike. Where a process is killed or the launcher is ended, all end, the journal has what is finished, and the sweep
goes on from it. `array`: the same of a sweep whose parts are tasks of a job array."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

SMALL = "sweep allreduce --algo ring,bucket,rabenseifner --topo torus:2x3,star:6 --size 1KiB:64KiB:x4".split()
LONG = "sweep allreduce --algo ring,swing_bandwidth --topo torus:16x16 --size 1KiB:64MiB:x4".split()
RANK = re.compile(rb"(?:^|\0)(?:HEDDLE_RANK|OMPI_COMM_WORLD_RANK|PMI_RANK)=1(?:\0|$)")
LIMIT = 60

heddle, plugin, network, *launcher = sys.argv[1:]
SPREAD = ["--distribute", network]


def run(words, folder, status=0, **environment):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=4 * LIMIT, env=os.environ | environment)
    require(done.returncode == status, f"{' '.join(words)}: status {done.returncode}, not {status}:\n{done.stderr}")
    return done


def require(is_so, what):
    if not is_so:
        sys.exit(f"check_spread.py: {what}")


def require_same(folder, *pairs):
    for ours, theirs in pairs:
        require((folder / ours).read_bytes() == (folder / theirs).read_bytes(), f"{ours} and {theirs} differ")


def outputs(name):
    return ["--json", f"{name}.json", "--csv", f"{name}.csv"]


def same_bytes(folder):
    alone = run([heddle, *SMALL, *outputs("alone"), "--plot", "alone.svg"], folder)
    spread = run([*launcher, heddle, *SMALL, *SPREAD, *outputs("spread"), "--plot", "spread.svg"], folder)
    require(spread.stdout.replace("spread.", "alone.") == alone.stdout, f"the table is another:\n{spread.stdout}")
    require_same(folder, *((path.name, path.name.replace("spread", "alone", 1)) for path in folder.glob("spread*")))
    require(not list(folder.glob("*.partial")), "a journal is left")


def wrong_results(folder):
    words = ["sweep", "allreduce", "--plugin", plugin, "--algo", "ring,folds_from_itself", "--datatype", "f32", "--topo", "star:5", "--size", "80,800"]
    alone = subprocess.run([heddle, *words, "--json", "wrong.alone.json"], cwd=folder, capture_output=True, text=True)
    require("FAILED" in alone.stdout and alone.returncode == 1, f"nothing is wrong:\n{alone.stdout}{alone.stderr}")
    spread = run([*launcher, heddle, *words, *SPREAD, "--json", "wrong.spread.json"], folder, status=1)
    require(spread.stdout == alone.stdout, f"the table is another:\n{spread.stdout}")
    require(alone.stderr in spread.stderr, f"explained otherwise:\n{spread.stderr}")
    require_same(folder, ("wrong.spread.json", "wrong.alone.json"))


def refusals(folder):
    done = subprocess.run([*launcher, heddle, "sweep", "allreduce", "--topo", "ring:4", *SPREAD], cwd=folder, capture_output=True, text=True)
    require(done.returncode == 2 and done.stderr.count("heddle: --size is missing") == 1, f"{done.returncode}: {done.stderr}")


def descendants(process):
    children = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            children += [int(entry.parent.name), *descendants(int(entry.parent.name))]
    return children


def rank_1_of(process):
    for child in descendants(process):
        try:
            place = pathlib.Path(f"/proc/{child}")
            if RANK.search((place / "environ").read_bytes()) and (place / "comm").read_text() == "heddle\n":
                return child
        except OSError:
            continue
    return sys.exit("check_spread.py: there is no rank 1")


def finished(journal):
    return journal.read_bytes().count(b"\n") - 1 if journal.exists() else 0


def begun(words, journal):
    """The process, when three runs are in the journal."""
    process = subprocess.Popen(words, cwd=journal.parent, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + LIMIT
    while finished(journal) < 3:
        require(process.poll() is None and time.monotonic() < end, "it has ended, or writes no journal")
        time.sleep(0.002)
    return process


def ended(process):
    try:
        _, err = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit("check_spread.py: it does not end")
    return err


def killed(folder):
    journal = folder / "killed.json.partial"
    process = begun([*launcher, heddle, *LONG, *SPREAD, "--json", "killed.json"], journal)
    os.kill(rank_1_of(process.pid), signal.SIGKILL)
    err = ended(process)
    require(process.returncode != 0, "a killed process is nothing")
    require("mpich" in launcher[0] or "rank 1" in err, f"nobody is named:\n{err}")  # whose launcher names ranks otherwise
    require(finished(journal) >= 3, "what was finished is lost")
    run([*launcher, heddle, "sweep", "--resume", journal.name, *SPREAD], folder)
    require_same(folder, ("killed.json", "long.json"))


def interrupted(folder):
    journal = folder / "interrupted.json.partial"
    process = begun([*launcher, heddle, *LONG, *SPREAD, "--json", "interrupted.json"], journal)
    process.send_signal(signal.SIGTERM)
    err = ended(process)
    # MPI's launchers have statuses of their own.
    require(network != "tcp" or process.returncode == 128 + signal.SIGTERM, f"status {process.returncode}")
    require(network != "tcp" or "go on with: heddle sweep --resume interrupted.json.partial" in err, f"it does not say how to go on:\n{err}")
    if network == "tcp" or journal.exists():  # those may take a second to pass a signal on
        require(finished(journal) >= 3, "what was finished is lost")
        run([heddle, "sweep", "--resume", journal.name], folder)
    require_same(folder, ("interrupted.json", "long.json"))


def task(number):
    return {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "4", "SLURM_ARRAY_TASK_STEP": "2",
            "SLURM_ARRAY_TASK_COUNT": "3"}


def array(folder):
    run([heddle, *SMALL, *outputs("alone")], folder)
    for number in (0, 2, 4):
        run([heddle, *SMALL, "--shard", "array", *outputs("part")], folder, **task(number))
    parts = sorted(path.name for path in folder.glob("part*"))
    require(parts == [f"part.{i}.{kind}" for i in (1, 2, 3) for kind in ("csv", "json")], f"{parts}")
    run([heddle, "merge", "part.1.json", "part.2.json", "part.3.json", *outputs("merged")], folder)
    require_same(folder, ("merged.json", "alone.json"), ("merged.csv", "alone.csv"))


def resumed_task(folder):
    """With the journal's flags, outside of the array; and with the line that serves all tasks."""
    whole = [heddle, *LONG, "--shard", "array", "--json", "long.json"]
    for name, words, environment in (("journal", [heddle, "sweep", "--resume", "long.2.json.partial"], {}),
                                     ("line", [*whole, "--resume", "long.json"], task(2))):
        os.environ.update(task(2))
        process = begun(whole, folder / "long.2.json.partial")
        process.send_signal(signal.SIGTERM)
        ended(process)
        for variable in task(2):
            del os.environ[variable]
        require(process.returncode == 128 + signal.SIGTERM, f"status {process.returncode}")
        run(words, folder, **environment)
        (folder / "long.2.json").rename(folder / f"{name}.json")
    run([heddle, *LONG, "--shard", "2/3", "--json", "given.json"], folder)
    require_same(folder, ("journal.json", "given.json"), ("line.json", "given.json"))


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        checks = [array, resumed_task]
        if network != "array":
            run([heddle, *LONG, "--json", "long.json"], folder)
            checks = [same_bytes, wrong_results, refusals, killed, interrupted]
        for check in checks:
            check(folder)
            print(f"{check.__name__}: right", flush=True)


if __name__ == "__main__":
    main()
