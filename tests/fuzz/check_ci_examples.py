#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_ci_examples.py <folder of examples/ci> <heddle> <plugin>
Reads the jobs of examples/ci and runs their fuzzing steps here, on a plugin that has one wrong row, for two seconds each."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

try:
    import yaml
except ImportError:
    yaml = None


def commands_without_yaml(text):
    return [line.split("heddle fuzz", 1)[1] for line in text.splitlines() if "heddle fuzz " in line and "#" not in line]


def github_commands(document):
    job = document["jobs"]["fuzz"]
    assert job["runs-on"] and job["timeout-minutes"] > 0
    assert any(step.get("uses", "").startswith("actions/upload-artifact@") and step["if"] == "always()" for step in job["steps"])
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step), step
    return [step["run"] for step in job["steps"] if step.get("name") == "Fuzz"]


def gitlab_commands(document):
    job = document["fuzz collectives"]
    assert job["artifacts"]["when"] == "always" and job["artifacts"]["reports"]["junit"] == "fuzz.xml"
    return job["script"]


def run(command, heddle, plugin):
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PLUGIN=plugin, PATH=f"{pathlib.Path(heddle).resolve().parent}:{os.environ['PATH']}")
        for already_saved in (False, True):
            shorter = command.replace("--seconds 60", "--cases 60 --max-ranks 8")
            assert shorter != command, command
            done = subprocess.run(["sh", "-ec", shorter], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
            assert done.returncode == 1, (done.returncode, done.stdout, done.stderr)
            suite = ElementTree.parse(f"{folder}/fuzz.xml").getroot()
            assert suite.tag == "testsuite" and suite.get("failures") == "1" and suite.get("tests") == "2", suite.attrib
            findings = json.loads(pathlib.Path(folder, "fuzz.json").read_text())["findings"]
            assert len(findings) == 1 and findings[0]["kind"] == "wrong_result"
            assert bool(findings[0]["saved_as"]) == already_saved, findings[0]
            found = [path for path in pathlib.Path(folder, "fuzz-findings").iterdir() if already_saved == ("line-1" in path.name)]
            assert len(found) == 1
            assert {file.name for file in found[0].iterdir()} == {"finding.txt", "case.txt", "test.cpp"}
            assert "no trace: " in found[0].joinpath("finding.txt").read_text()  # nobody sends anything
            assert found[0].joinpath("case.txt").read_text() == findings[0]["repeat"] + "\n"
            # What is in the corpus already is not added again.
            saved = pathlib.Path(folder, "fuzz-corpus.txt").read_text()
            assert re.fullmatch(re.escape(findings[0]["case"]) + " # check [0-9a-f]{16}\n", saved), saved
        again = subprocess.run(["sh", "-c", findings[0]["repeat"]], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
        assert again.returncode == 1, again


def main(folder, heddle, plugin):
    for name, commands_of in (("github-actions.yml", github_commands), ("gitlab-ci.yml", gitlab_commands)):
        text = pathlib.Path(folder, name).read_text()
        commands = commands_of(yaml.safe_load(text)) if yaml else ["heddle fuzz" + rest for rest in commands_without_yaml(text)]
        assert len(commands) == 1, commands
        run(commands[0], heddle, str(pathlib.Path(plugin).resolve()))
    print("both jobs' steps run")


if __name__ == "__main__":
    main(*sys.argv[1:])
