#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_ci_examples.py <folder of examples/ci> <heddle> <plugin>
       check_ci_examples.py --whole <heddle's sources>
Reads the jobs of examples/ci and runs their fuzzing steps here, on a plugin that has one wrong row, for 60 cases each.
With --whole, all steps of both jobs in their order: heddle is installed from its sources into a folder of its own in place of /usr/local,
and the plugin is that of a project which finds heddle there."""
import json
import os
import pathlib
import re
import shutil
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


def github_steps(document):
    return [step["run"] for step in document["jobs"]["fuzz"]["steps"] if "run" in step and not step["name"].startswith("Install git")]


def gitlab_steps(document):
    job = document["fuzz collectives"]
    return job["before_script"] + job["script"] + document["speeds of collectives"]["script"]


PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES CXX)
find_package(heddle REQUIRED)
add_library(my_plugin MODULE my_plugin.cpp)
target_link_libraries(my_plugin PRIVATE heddle::plugin)
"""


def run_whole(steps, sources):
    """All steps in a project of somebody's, which has heddle's sources in heddle/."""
    with tempfile.TemporaryDirectory() as folder:
        prefix = f"{folder}/prefix"
        pathlib.Path(folder, "heddle").symlink_to(sources)
        pathlib.Path(folder, "CMakeLists.txt").write_text(PROJECT)
        shutil.copy(sources / "examples/my_plugin.cpp", folder)
        environment = dict(os.environ, PLUGIN="build/libmy_plugin.so", PATH=f"{prefix}/bin:{os.environ['PATH']}", CMAKE_PREFIX_PATH=prefix)

        def step(line):
            line = line.replace("/usr/local", prefix).replace("--seconds 60", "--cases 60 --max-ranks 8")
            done = subprocess.run(["sh", "-ec", line], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            return done.returncode, f"{line}\n{done.stdout}\n{done.stderr}"

        for line in steps:
            if "heddle compare" in line:
                # The results of an earlier sweep are there, as the step asks for.
                status, output = step(line.split("&&")[0].replace("new.json", "results.json"))
                assert status == 0, output
            status, output = step(line)
            # The example's second broadcast is wrong.
            assert status == (1 if "heddle fuzz" in line else 0), output
        assert pathlib.Path(folder, "fuzz.xml").exists() and pathlib.Path(folder, "new.json").exists()


def whole(sources):
    for name, steps_of in (("github-actions.yml", github_steps), ("gitlab-ci.yml", gitlab_steps)):
        run_whole(steps_of(yaml.safe_load(pathlib.Path(sources, "examples/ci", name).read_text())), pathlib.Path(sources).resolve())
    print("all steps of both jobs run")


def main(folder, heddle, plugin):
    for name, commands_of in (("github-actions.yml", github_commands), ("gitlab-ci.yml", gitlab_commands)):
        text = pathlib.Path(folder, name).read_text()
        commands = commands_of(yaml.safe_load(text)) if yaml else ["heddle fuzz" + rest for rest in commands_without_yaml(text)]
        assert len(commands) == 1, commands
        run(commands[0], heddle, str(pathlib.Path(plugin).resolve()))
    print("both jobs' steps run")


if __name__ == "__main__":
    if sys.argv[1] == "--whole":
        whole(sys.argv[2])
    else:
        main(*sys.argv[1:])
