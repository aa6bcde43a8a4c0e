#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_misuse.py <file> <compiler>...: the file compiles; with -DMISTAKES it does not, and the compiler's errors are those that
the file's own comments expect, each in its line: // error: <regular expression>."""
import os
import re
import subprocess
import sys


def main():
    file, command = sys.argv[1], sys.argv[2:]

    def compile_with(*flags):
        return subprocess.run([*command, *flags, file], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})

    failures = []
    correct = compile_with()
    if correct.returncode != 0:
        failures.append("correct use does not compile:\n" + correct.stderr)

    expected = {}
    with open(file, encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            if comment := re.search(r"// error: (.*)", line):
                expected[number] = comment[1]
    printed = compile_with("-DMISTAKES").stderr
    errors = {}
    for line, text in re.findall(r"^%s:(\d+):\d+: error: (.*)$" % re.escape(file), printed, re.MULTILINE):
        errors.setdefault(int(line), []).append(text)
    for line, pattern in expected.items():
        if not any(re.search(pattern, text) for text in errors.get(line, [])):
            failures.append(f"line {line}: no error like '{pattern}', but {errors.get(line, 'none')}")
    failures += [f"line {line}: nobody expects {texts}" for line, texts in errors.items() if line not in expected]

    print(f"{len(expected)} mistakes")
    print("\n".join(failures))
    return 1 if failures or not expected else 0


if __name__ == "__main__":
    sys.exit(main())
