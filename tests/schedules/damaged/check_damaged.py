#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damages schedules, runs them, and holds what `heddle run` says against an interpreter of the tests' own.

usage: check_damaged.py HEDDLE FOLDER… [--cases N] [--seed S]

Each case is a schedule of the folders with one to three changes, in a call that is in place or not, with one to three slots or without
bound. No run may crash or hang, and none may be called anything but what it is. What is drawn depends on the seed alone.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from reference import least_slots, verdict_of

SECONDS = 60  # for one run, which takes hundredths


def steps_of(algo):
    return [step for tb in tbs_of(algo) for step in tb]


def tbs_of(algo):
    return algo.findall("gpu/tb")


def renumber(algo):
    for tb in tbs_of(algo):
        for number, step in enumerate(tb):
            step.set("s", str(number))


def change_dependency(algo, dice):
    gpu = dice.choice([gpu for gpu in algo if gpu.find("tb") is not None])
    step = dice.choice(gpu.findall("tb/step") or [None])
    if step is None:
        return
    other = dice.choice(gpu.findall("tb"))
    if dice.random() < 0.4 or len(other) == 0:
        step.set("depid", "-1")
        step.set("deps", "-1")
        return
    number = dice.randrange(len(other))
    step.set("depid", other.get("id"))
    step.set("deps", str(number))
    if dice.random() < 0.8:
        other[number].set("hasdep", "1")


def change_flag(algo, dice):
    step = dice.choice(steps_of(algo))
    step.set("hasdep", "0" if step.get("hasdep") == "1" else "1")


def change_place(algo, dice):
    step = dice.choice(steps_of(algo))
    end = dice.choice(["src", "dst"])
    if dice.random() < 0.5:
        step.set(end + "buf", dice.choice("ios"))
    else:
        step.set(end + "off", str(max(0, int(step.get(end + "off")) + dice.choice([-2, -1, 1, 2]))))


def change_count(algo, dice):
    step = dice.choice(steps_of(algo))
    step.set("cnt", str(int(step.get("cnt")) + dice.choice([-1, 1])))


def change_type(algo, dice):
    alike = [["s"], ["r", "rrc"], ["rcs", "rrs", "rrcs"], ["cpy", "re", "nop"]]
    step = dice.choice(steps_of(algo))
    step.set("type", dice.choice(next(types for types in alike if step.get("type") in types)))


def change_peer(algo, dice):
    tb = dice.choice(tbs_of(algo))
    tb.set(dice.choice(["send", "recv"]), str(dice.randrange(-1, len(algo))))


def change_channel(algo, dice):
    dice.choice(tbs_of(algo)).set("chan", str(dice.randrange(-1, 3)))


def change_copy(algo, dice):
    """Another place, one copy less, or one more."""
    gpu = dice.choice(list(algo))
    copies = gpu.findall("copy")
    what = dice.randrange(4)
    if copies and what == 0:
        gpu.remove(dice.choice(copies))
    elif copies and what < 3:
        dice.choice(copies).set(dice.choice(["i_off", "o_off"]), str(dice.randrange(-1, 4)))
    else:
        more = {"i_off": str(dice.randrange(3)), "o_off": str(dice.randrange(3))}
        gpu.insert(dice.randrange(len(gpu) + 1), ElementTree.Element("copy", more))


def exchange_steps(algo, dice):
    tb = dice.choice([tb for tb in tbs_of(algo) if len(tb) > 1] or [None])
    if tb is None:
        return
    i = dice.randrange(len(tb) - 1)
    j = dice.choice([i + 1, dice.randrange(len(tb))])
    steps = list(tb)
    steps[i], steps[j] = steps[j], steps[i]
    tb[:] = steps
    renumber(algo)


def exchange_places(algo, dice):
    one, other = dice.choice(steps_of(algo)), dice.choice(steps_of(algo))
    end = dice.choice(["src", "dst"])
    for key in (end + "buf", end + "off"):
        value = one.get(key)
        one.set(key, other.get(key))
        other.set(key, value)


def drop_step(algo, dice):
    tb = dice.choice([tb for tb in tbs_of(algo) if len(tb) > 0])
    tb.remove(dice.choice(list(tb)))
    renumber(algo)


def double_step(algo, dice):
    tb = dice.choice([tb for tb in tbs_of(algo) if len(tb) > 0])
    i = dice.randrange(len(tb))
    tb.insert(dice.randrange(len(tb) + 1), ElementTree.fromstring(ElementTree.tostring(tb[i])))
    renumber(algo)


def fuse_steps(algo, dice):
    """A receive and the send after it, of one place, as one step."""
    fused = {"r": "rcs", "rrc": "rrcs"}
    pairs = [(tb, i) for tb in tbs_of(algo) for i in range(len(tb) - 1) if tb[i].get("type") in fused and
             tb[i + 1].get("type") == "s" and tb[i + 1].get("depid") == "-1" and
             [tb[i].get(key) for key in ("dstbuf", "dstoff", "cnt")] == [tb[i + 1].get(key) for key in ("srcbuf", "srcoff", "cnt")]]
    if pairs:
        tb, i = dice.choice(pairs)
        tb[i].set("type", fused[tb[i].get("type")])
        tb.remove(tb[i + 1])
        renumber(algo)


def change_modes(algo, dice):
    modes = dice.choice([("1", "0"), ("0", "1"), ("1", "1"), ("0", None), ("1", None)])
    for key, value in zip(("inplace", "outofplace"), modes):
        algo.attrib.pop(key, None)
        if value is not None:
            algo.set(key, value)


def rename_memory(algo, _):
    """In place both names are one memory: i of half of the steps becomes o."""
    for step in steps_of(algo)[::2]:
        for key in ("srcbuf", "dstbuf"):
            if step.get(key) == "i":
                step.set(key, "o")


CHANGES = [change_dependency, change_dependency, change_dependency, change_flag, change_place, change_place, change_count,
           change_type, change_peer, change_channel, exchange_steps, exchange_steps, exchange_places, drop_step, double_step,
           fuse_steps, fuse_steps, change_modes, rename_memory, change_copy, change_copy]


def damaged(text, dice):
    algo = ElementTree.fromstring(text)
    names = []
    for _ in range(dice.choice([0, 1, 1, 1, 2, 3])):
        change = dice.choice(CHANGES)
        names.append(change.__name__)
        change(algo, dice)
        if not any(len(tb) > 0 for tb in tbs_of(algo)):
            break
    ElementTree.indent(algo)
    return ElementTree.tostring(algo, encoding="unicode"), names


def verdict_said(done):
    """Of a run of heddle."""
    text = done.stdout + done.stderr
    if done.returncode == 2:
        return "refused" if len(done.stderr.strip().splitlines()) == 1 else "a refusal of several lines"
    if done.returncode not in (0, 1):
        return f"status {done.returncode}"
    if done.returncode == 0:
        return "right"
    if "is chance" in text:
        return "race" if "in the schedule" not in text else "a race, and more"
    if "FAILED deadlock" in text:
        return "stuck" if "the schedule cannot go on" in text else "stuck without a reason"
    if "FAILED wrong_result" in text:
        return "wrong" if re.search(r"in the schedule:\n.*(gpu|holds)", text) else "wrong without a reason"
    if "FAILED input_changed" in text:
        return "wrong" if "which stays as it was" in text else "an input changed without a reason"
    return "failed otherwise"


def size_of(algo):
    """Bytes: all chunks are equally long."""
    return str(4 * 2 * int(algo.get("nchunksperloop")) * len(algo))


def run(heddle, file, text, in_place, slots):
    algo = ElementTree.fromstring(text)
    command = [heddle, "run", algo.get("coll"), "--algo", f"msccl:{file}", "--topo", f"star:{len(algo)}", "--size",
               size_of(algo), "--buffering", "eager" if slots is None else str(slots)]
    command.append("--in-place" if in_place else "--out-of-place")
    return command, subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)


def least_said(heddle, file, text, in_place):
    """With how many slots a call ends; at least 1, as sends that wait for their receives are another question."""
    algo = ElementTree.fromstring(text)
    command = [heddle, "credits", algo.get("coll"), "--algo", f"msccl:{file}", "--topo", f"star:{len(algo)}", "--size",
               size_of(algo), "--json", "-"]
    command.append("--in-place" if in_place else "--out-of-place")
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
    if done.returncode != 0:
        return f"status {done.returncode}: {done.stderr}"
    found = json.loads(done.stdout)["runs"][0]
    return max(1, found["safe"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    texts = {file.name: file.read_text() for folder in arguments.folders for file in sorted(Path(folder).glob("*.xml"))}
    dice = random.Random(arguments.seed)
    met, complaints = {}, []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "damaged.xml"
        for case in range(arguments.cases):
            name = dice.choice(sorted(texts))
            text, changes = damaged(texts[name], dice)
            in_place, slots = dice.random() < 0.5, dice.choice([None, None, 1, 1, 2, 3])
            file.write_text(text)
            expected = verdict_of(text, in_place, slots)
            command, done = run(arguments.heddle, file, text, in_place, slots)
            said = verdict_said(done)
            met[expected] = met.get(expected, 0) + 1
            if said == "right" and dice.random() < 0.2:
                least = least_slots(text, in_place)
                found = least_said(arguments.heddle, file, text, in_place)
                if found != least:
                    complaints.append(f"case {case}, {name} with {changes}: {least} slots, and heddle credits says {found}")
            if said != expected:
                kept = Path(tempfile.gettempdir()) / f"heddle_damaged_{arguments.seed}_{case}.xml"
                kept.write_text(text)
                again = " ".join(command).replace(str(file), str(kept))
                complaints.append(f"case {case}, {name} with {changes}: {expected}, and heddle says {said}:\n{again}\n"
                                  f"{done.stdout}{done.stderr}")
    print(f"{arguments.cases} damaged schedules, seed {arguments.seed}: " +
          ", ".join(f"{count} {verdict}" for verdict, count in sorted(met.items())))
    if complaints:
        sys.exit("\n".join(complaints[:5]) + f"\n{len(complaints)} verdicts are not those of the reference")


if __name__ == "__main__":
    main()
