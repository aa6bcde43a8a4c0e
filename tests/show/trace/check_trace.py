#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_trace.py SCHEMA DIRECTORY PHASES -- COMMAND...: runs the command with --trace and --json and fails unless the trace is
valid by the schema and says the same as the report: tracks, messages, loads of links, the time; has these phases (names with
commas between them); and is made so that viewers show it."""

import collections
import fractions
import json
import os
import subprocess
import sys

import jsonschema

RANKS, LINKS, SWITCHES = 1, 2, 3


def microseconds(text):
    """The whole picoseconds that a decimal is nearest to."""
    return fractions.Fraction(round(float(text) * 1e6), 1000000)


def run(command, directory):
    trace = os.path.join(directory, "trace.json")
    report = os.path.join(directory, "report.json")
    os.makedirs(directory, exist_ok=True)
    subprocess.run([*command, "--trace", trace, "--json", report, "--links", "1000000"], check=True, stdout=subprocess.DEVNULL)
    with open(trace, encoding="utf-8") as file:
        loaded = json.load(file, parse_float=microseconds)
    with open(trace, encoding="utf-8") as file:
        plain = json.load(file)
    with open(report, encoding="utf-8") as file:
        measured = json.load(file)
    return plain, loaded, measured["runs"][0]


def check_schema(trace, schema_path):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    assert validator.is_valid({"traceEvents": []})
    for wrong in ({"ph": "B", "pid": 1, "tid": 1, "name": "no time"}, {"ph": "Q", "pid": 1}, {"ph": "s", "pid": 1, "tid": 1, "ts": 0}):
        assert not validator.is_valid({"traceEvents": [wrong]}), f"the schema lets {wrong} pass"
    for error in validator.iter_errors(trace):
        raise AssertionError(f"{list(error.absolute_path)}: {error.message}")


def names(events, kind):
    return {(e["pid"], e.get("tid")): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == kind}


def check_tracks(events, report):
    tracks = {track: name for track, name in names(events, "thread_name").items() if track[0] == RANKS}
    ranks = [name for name in tracks.values() if " on " in name]
    assert len(ranks) == report["ranks"], f"{len(ranks)} tracks of ranks instead of {report['ranks']}"
    # A rank's tasks and its port stand below it.
    rank_of = [int(name.split()[1].rstrip(",")) for _, name in sorted(tracks.items())]
    assert rank_of == sorted(rank_of), "tracks are out of order"
    used = {(e["pid"], e["tid"]) for e in events if "tid" in e and e["ph"] != "M"}
    assert used <= set(names(events, "thread_name")), "an event is on a track without a name"


def check_nesting(events):
    """Stretches of a track lie within each other or apart, none runs backwards, and slices of messages do not overlap."""
    open_since = collections.defaultdict(list)
    latest = collections.defaultdict(int)
    for event in events:
        if event["ph"] not in "BEX":
            continue
        track = (event["pid"], event["tid"])
        assert event["ts"] >= latest[track], f"track {track} goes back in time"
        latest[track] = event["ts"]
        if event["ph"] == "B":
            assert all(kind == "phase" for kind, _ in open_since[track]), f"two stretches at once on track {track}"
            open_since[track].append((event["cat"], event["ts"]))
        elif event["ph"] == "E":
            assert open_since[track].pop()[1] < event["ts"], "a stretch without duration"
        else:
            assert not open_since[track], "a message in a stretch"
            latest[track] += event["dur"]
    assert not any(open_since.values()), "a stretch without an end"


def check_messages(events, report):
    """Each message is a slice at its sender and one at its receiver, as long as its parts say, and an arrow between them."""
    expected = sum(1 for e in events if e["ph"] == "X" and e["cat"] == "send")
    assert expected == report["messages"], f"{expected} messages sent, the report says {report['messages']}"
    started, ended = {}, {}
    before = None
    for event in events:
        if event["ph"] in "sf":
            ends = started if event["ph"] == "s" else ended
            assert event["id"] not in ends, "two arrows of one id"
            assert before["ph"] == "X" and (before["tid"], before["ts"]) == (event["tid"], event["ts"]), "an arrow holds on to nothing"
            assert before["args"]["message"] == event["id"]
            ends[event["id"]] = before
        before = event
    assert len(started) == expected and started.keys() == ended.keys()
    for message, receive in ended.items():
        send = started[message]
        parts = {key: value for key, value in receive["args"].items() if key.endswith("_us")}
        assert all(value >= 0 for value in parts.values())
        draining = parts["serialisation_us"] + parts["contention_us"]
        assert receive["dur"] == draining, f"message {message} is not received for as long as it drains"
        assert send["dur"] == parts["startup_us"] + draining, f"message {message} is not sent for as long as it takes"
        assert receive["ts"] + receive["dur"] == send["ts"] + send["dur"] + parts["propagation_us"]
        assert send["dur"] > 0 and receive["dur"] > 0 or receive["args"]["bytes"] == 0, f"message {message} takes no time"


def check_slices_of_links(events):
    """What lies in a link according to its slices is what its counter says, and no slice is without duration."""
    tracks = {track: name for track, name in names(events, "thread_name").items() if track[0] == LINKS}
    changes = collections.defaultdict(lambda: collections.Counter())
    for event in events:
        if event["ph"] == "X" and event["pid"] == LINKS:
            assert event["dur"] > 0, "a message without duration in a link"
            link = tracks[LINKS, event["tid"]]
            link = link[: link.rindex(" (")] if link.endswith(")") and " (" in link and not link.endswith("links)") else link
            changes[link][event["ts"]] += 1
            changes[link][event["ts"] + event["dur"]] -= 1
    counted = collections.defaultdict(dict)
    for event in events:
        if event["ph"] == "C":
            counted[event["name"]][event["ts"]] = event["args"]["flows"]
    assert changes.keys() == counted.keys(), "slices and counters are of different links"
    for link, steps in changes.items():
        flows = 0
        for time, change in sorted(steps.items()):
            flows += change
            assert counted[link].get(time, flows) == flows, f"{link}: {flows} slices at {float(time)} us"


def check_phases(events, about):
    """Phases are stretches of ranks that a message's arguments name."""
    named = {e["name"] for e in events if e["ph"] == "B" and e["cat"] == "phase"}
    used = {part for e in events if e["ph"] == "X" for part in e["args"].get("phase", "").split(" / ") if part}
    assert used == named or about["operations_in_network"] > 0, f"phases {named}, and messages of {used}"
    assert len(named) <= about["phases"] and (len(named) > 0) == (about["phases"] > 0)
    return named


def check_links(events, report):
    """What a link's load adds up to over time is what the report says that it carried."""
    steps = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "C":
            assert event["pid"] == LINKS
            steps[event["name"]].append((event["ts"], event["args"]["flows"], event["args"]["bytes_per_second"]))
    carried = {link["name"]: link for link in report["links"] if link["bytes"] > 0}
    assert steps.keys() == carried.keys(), f"loads of {len(steps)} links, {len(carried)} carried something"
    for name, loads in steps.items():
        assert loads[-1][1:] == (0, 0), f"{name} is loaded at the end"
        total = sum((after[0] - now[0]) * now[2] for now, after in zip(loads, loads[1:])) / 1000000
        # Drain times are whole picoseconds and rates whole bytes per second.
        assert abs(total - carried[name]["bytes"]) <= max(2, carried[name]["bytes"] / 100000), (
            f"{name}: {float(total)} bytes by its load, {carried[name]['bytes']} by the report"
        )
        assert max(flows for _, flows, _ in loads) == carried[name]["peak_flows"], f"{name}: peak"


def main():
    schema, directory, phases = sys.argv[1:4]
    expected_phases = set(filter(None, phases.split(",")))
    plain, trace, report = run(sys.argv[5:], directory)
    check_schema(plain, schema)
    events = trace["traceEvents"]
    about = trace["otherData"]
    assert about["producer"].startswith("heddle ") and about["context"]["ranks"] == report["ranks"]
    assert about["messages"] == sum(e["ph"] == "s" for e in events)
    spans = sum(e["ph"] == "B" and e["pid"] == RANKS and e["cat"] != "phase" for e in events)
    assert spans == about["spans"] > 0, f"{spans} stretches of ranks, {about['spans']} counted"
    check_tracks(events, report)
    check_nesting(events)
    if about["operations_in_network"] == 0:
        check_messages(events, report)
        check_links(events, report)
        check_slices_of_links(events)
    phases = check_phases(events, about)
    assert phases == expected_phases, f"phases {sorted(phases)} instead of {sorted(expected_phases)}"
    operations = sum(e["ph"] == "B" and e["pid"] == SWITCHES for e in events)
    assert operations == about["operations_in_network"]
    last = max(e["ts"] + e.get("dur", 0) for e in events if e["ph"] in "EX")
    assert round(last * 1000000) == round(report["time_s"] * 1e12), f"ends at {float(last)} us, time is {report['time_s']} s"
    kinds = collections.Counter(e["ph"] for e in events)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))


if __name__ == "__main__":
    main()
