# SPDX-License-Identifier: Apache-2.0
"""What the scripts that time an allreduce of 64 MiB share: the vector, the calls, and heddle's times."""
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEDDLE = str(ROOT / "build/release/cli/heddle")
BYTES = 64 * 1024 * 1024
CALLS, WARMUP = 5, 1


def text_of(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def in_memory(ranks):
    """The flags of a run of so many ranks that share their memory."""
    return ["--topo", f"star:{ranks}", "--bw", "inf", "--latency", "0", "--clock", "wall"]


def heddle_times(heddle, rows, network, launcher=()):
    """By row, seconds of each call."""
    command = [heddle, "run", "allreduce", "--algo", ",".join(rows), "--size", str(BYTES), "--datatype", "i32", "--op", "sum", "--in-place",
               "-n", str(CALLS), "-w", str(WARMUP), "--json", "-", *network]
    return {run["algorithm"]: run["wall_clock"]["times_s"] for run in json.loads(text_of([*launcher, *command]))["runs"]}


def fastest(times):
    """The row with the least median."""
    return min(times, key=lambda row: statistics.median(times[row]))


def is_built(heddle):
    """If not, it says so."""
    if os.access(heddle, os.X_OK):
        return True
    print(f"error: {heddle} is not there; build it (cmake --preset release && cmake --build --preset release) or name another", file=sys.stderr)
    return False
