#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_outputs.py [--update] --build DIR [--programs DIR:DIR] PAGE.md: runs the commands that a page shows and compares what
they print with what the page says. --update writes what they print into the page.

A fenced block with lines that begin `$ ` is commands (a line that ends in a backslash goes on), each followed by what it prints,
errors included. The commands of a block run in order by bash in an empty directory of their own, which has `my_plugin.so`,
`schedules`, `fabrics`, `measured`, `mpi` and `two_racks.py` of examples/ and `build/release`, what was built. heddle and the programs of the build come first on the PATH.

- A line `…` stands for any number of lines. Blanks at the end of a line do not count.
- A command must succeed. Where a line shown begins `heddle: `, an error, it must fail.
- A command without output shown must succeed; what it prints is free.
- A file that a command writes where the repository has one (docs/images/…) must be the same.

A comment directly above a block says what is not so:
  <!-- output of one machine -->                  numbers, blanks and the breaks of `#` lines do not count
  <!-- output of one machine: lines with "x" -->  the same for the lines that have x
  <!-- thorough: why -->                          only where HEDDLE_TEST_EFFORT=thorough
  <!-- not run: why -->                           neither run nor compared; listed in what the test prints
  <!-- in FILE -->                                no command: each line is a string of its own in FILE, a test in C++

Not checked: text outside blocks, drawings without a command, blocks of C++ and CMake (they are of tested programs in
examples/ and tests/consumer, shortened), docs/claims.md and docs/claims/, which check_claims.py checks. A line that begins `heddle ` in a block
without `$ ` is refused, so that no command is forgotten.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ELLIPSIS = "…"
MARK = re.compile(r'<!-- (output of one machine(?:: lines with (?P<lines>".*"))?|thorough: .+|not run: .+|in (?P<file>\S+)) -->$')
NUMBER = re.compile(r"[-+]?(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?:ps|ns|us|ms|s|[KMG]?i?B(?:/s)?)?(?!\w)|\binf\b")


class Step:
    """A command, and the lines shown below it: page lines [begin, end)."""

    def __init__(self, begin):
        self.line = begin  # of `$ `
        self.command = ""
        self.begin = self.end = begin
        self.shown = []


class Block:
    def __init__(self, line, mark, text):
        self.line = line  # of the fence, counted from 1
        self.mark = mark
        self.kind = mark.group(1).split(":")[0].split(" ")[0] if mark else ""
        self.text = text
        self.steps = []


def blocks_of(lines, page):
    blocks = []
    fence = None
    for i, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if fence is None:
            fence = i
            continue
        above = lines[fence - 1].strip() if fence > 0 else ""
        mark = MARK.match(above)
        if not mark and re.match(r"<!-- (output|thorough|not run|in )", above):
            sys.exit(f"{page}:{fence}: not a mark that {pathlib.Path(__file__).name} knows: {above}")
        block = Block(fence + 1, mark, lines[fence + 1 : i])
        at = fence + 1
        while at < i:
            if lines[at].startswith("$ "):
                step = Step(at)
                step.command = lines[at][2:]
                while lines[at].endswith("\\"):
                    at += 1
                    step.command += "\n" + lines[at]
                step.begin = step.end = at + 1
                block.steps.append(step)
            elif block.steps:
                block.steps[-1].shown.append(lines[at])
                block.steps[-1].end = at + 1
            at += 1
        blocks.append(block)
        fence = None
    return blocks


def shape(text):
    """What stays of it on another machine."""
    text = re.sub(r"\n#\s+", " ", text)
    return " ".join(NUMBER.sub(" N ", text).split())


def same(shown, printed, one_machine):
    """Whether a shown line is a printed one."""
    if any(word in shown for word in one_machine):
        return shape(shown) == shape(printed)
    return shown.rstrip() == printed.rstrip()


def pieces_of(shown):
    """The runs of lines between the `…`; empty ones at the ends where a `…` begins or ends."""
    pieces = [[]]
    for line in shown:
        if line == ELLIPSIS:
            pieces.append([])
        else:
            pieces[-1].append(line)
    return pieces


def renewed(shown, printed, one_machine):
    """What the page should show: the printed lines, those left out that the `…` stand for. Of lines that are as shown, the page's
    own stay."""
    pieces = pieces_of(shown)
    if len(pieces) == 1:
        if len(shown) != len(printed):
            return printed
        return [a if same(a, b, one_machine) else b for a, b in zip(shown, printed)]
    result = []
    at = 0
    for number, piece in enumerate(pieces):
        if number > 0:
            result.append(ELLIPSIS)
        left = sum(len(p) for p in pieces[number + 1 :])
        last = max(at, len(printed) - left - len(piece))
        if number == 0:
            starts = [0]
        elif number == len(pieces) - 1:
            starts = [last] if piece else []
        else:
            starts = range(at, last + 1)

        # The place that is most like it: first the most equal lines, then the most that differ in numbers only.
        def likeness(start):
            window = printed[start : start + len(piece)]
            return (
                sum(same(a, b, one_machine) for a, b in zip(piece, window)),
                sum(shape(a) == shape(b) for a, b in zip(piece, window)),
            )

        if piece:
            at = max(starts, key=likeness)
            window = printed[at : at + len(piece)]
            result += [a if same(a, b, one_machine) else b for a, b in zip(piece, window)]
            at += len(piece)
    return result


def without_blank_end(lines):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


class Check:
    def __init__(self, page, arguments):
        self.page = page
        self.path = SOURCE / page
        self.lines = self.path.read_text(encoding="utf-8").split("\n")
        self.arguments = arguments
        self.failures = []
        self.changes = []  # (begin, end, lines) of the page
        self.compared = 0

    def fail(self, line, what):
        self.failures.append(f"{self.page}:{line}: {what}")

    def environment(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HEDDLE_") and k not in ("COLUMNS", "LANG", "LANGUAGE")}
        environment["PATH"] = f"{self.arguments.programs}:{environment['PATH']}"
        environment["LC_ALL"] = "C.UTF-8"
        return environment

    def run(self):
        for block in blocks_of(self.lines, self.page):
            self.run_block(block)

    def run_block(self, block):
        if block.kind == "in":
            self.find_in_file(block)
        elif not block.steps:
            for i, line in enumerate(block.text):
                if line.startswith("heddle "):
                    self.fail(block.line + 1 + i, "a command without `$ ` before it, which nothing would run")
        elif block.kind == "not":
            print(f"{self.page}:{block.line}: {block.mark.group(1)}: {block.steps[0].command}")
        elif block.kind == "thorough" and os.environ.get("HEDDLE_TEST_EFFORT") != "thorough":
            print(f"{self.page}:{block.line}: only where HEDDLE_TEST_EFFORT=thorough: {block.steps[0].command}")
        else:
            with tempfile.TemporaryDirectory() as directory:
                self.run_steps(block, pathlib.Path(directory))

    def find_in_file(self, block):
        file = block.mark.group("file")
        text = (SOURCE / file).read_text(encoding="utf-8")
        # As a C++ test has it: a string for each line.
        quoted = {part.removesuffix("\\n").strip() for part in re.findall(r'"(.*)"', text)}
        for i, line in enumerate(block.text):
            if line.strip() not in quoted:
                self.fail(block.line + 1 + i, f"not in {file}: {line.strip()}")
        self.compared += 1

    def run_steps(self, block, directory):
        (directory / "schedules").symlink_to(SOURCE / "examples/schedules")
        (directory / "fabrics").symlink_to(SOURCE / "examples/fabrics")
        (directory / "measured").symlink_to(SOURCE / "examples/measured")
        (directory / "mpi").symlink_to(SOURCE / "examples/mpi")
        (directory / "two_racks.py").symlink_to(SOURCE / "examples/two_racks.py")
        (directory / "my_plugin.so").symlink_to(pathlib.Path(self.arguments.build).resolve() / "examples/my_plugin.so")
        (directory / "build").mkdir()
        (directory / "build/release").symlink_to(pathlib.Path(self.arguments.build).resolve())
        (directory / "docs/images").mkdir(parents=True)
        for step in block.steps:
            # bash, as the shell that the `$ ` stands for; both streams into one, in the order in which they are written.
            result = subprocess.run(
                ["bash", "-c", step.command], cwd=directory, env=self.environment(), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600,
            )
            printed = [line.rstrip() for line in result.stdout.decode("utf-8").split("\n")]
            self.compare(block, step, without_blank_end(printed), result.returncode)
        self.compare_files(block, directory)

    def compare(self, block, step, printed, status):
        self.compared += 1
        shown = without_blank_end(step.shown)
        is_error = any(line.startswith("heddle: ") for line in shown)
        if (status != 0) != is_error:
            what = "succeeds, and an error is shown" if is_error else f"ends with exit status {status}"
            self.fail(step.line + 1, f"{what}: {step.command}\n" + "\n".join(printed[-20:]))
            return
        if not shown:
            return
        one_machine = []
        if block.kind == "output":
            if not block.mark.group("lines"):
                if shape("\n".join(shown)) == shape("\n".join(printed)):
                    return
            else:
                one_machine = re.findall(r'"([^"]*)"', block.mark.group("lines"))
        new = renewed(shown, printed, one_machine)
        if [line.rstrip() for line in new] == [line.rstrip() for line in shown]:
            return
        difference = difflib.unified_diff(shown, new, f"{self.page}, from line {step.begin + 1}", step.command, lineterm="")
        self.fail(step.begin + 1, "the output differs\n" + "\n".join(difference))
        self.changes.append((step.begin, step.begin + len(shown), new))

    def compare_files(self, block, directory):
        for file in sorted(path for path in (directory / "docs").rglob("*") if path.is_file()):
            name = file.relative_to(directory)
            kept = SOURCE / name
            if not kept.exists():
                self.fail(block.line, f"the command writes {name}, which the repository does not have")
                continue
            self.compared += 1
            new, old = file.read_bytes(), kept.read_bytes()
            if new != old:
                self.fail(block.line, f"the command writes another {name} than the repository has")
                if self.arguments.update:
                    kept.write_bytes(new)

    def update(self):
        for begin, end, new in reversed(self.changes):
            self.lines[begin:end] = new
        self.path.write_text("\n".join(self.lines), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--build", required=True, help="the build's folder: build/release")
    parser.add_argument("--programs", help="folders with heddle and what else the commands name, as in PATH")
    parser.add_argument("pages", nargs="+", help="README.md docs/run.md …, from the repository's root")
    arguments = parser.parse_args()
    build = pathlib.Path(arguments.build).resolve()
    arguments.programs = arguments.programs or f"{build}/cli:{build}/tests/fuzz:{build}/examples"
    failed = False
    for page in arguments.pages:
        check = Check(page, arguments)
        check.run()
        for failure in check.failures:
            print(failure, end="\n\n")
        print(f"{page}: {check.compared} compared, {len(check.failures)} differ")
        failed |= bool(check.failures)
        if arguments.update:
            check.update()
        elif check.failures:
            print(f"If what is printed is right: tests/docs/check_outputs.py --update --build {arguments.build} {page}")
    sys.exit(failed and not arguments.update)


if __name__ == "__main__":
    main()
