# SPDX-License-Identifier: Apache-2.0
"""Types: mypy is content with the package, with the stub of _core, and with the examples of docs/python.md."""
import inspect
import pathlib
import subprocess
import sys

import pytest
from check_page import examples_of

import heddle
from heddle import _core

ROOT = pathlib.Path(__file__).parents[2]
PACKAGE = pathlib.Path(heddle.__file__).parent
# pandas and networkx come without types. Ranks' functions in the examples have none, as functions in a notebook seldom do.
SETTINGS = """\
[mypy]
strict = True
cache_dir = {cache}
[mypy-pandas.*,networkx.*]
ignore_missing_imports = True
[mypy-examples]
disallow_untyped_defs = False
disallow_untyped_calls = False
"""


def run_mypy(folder, *arguments):
    cache = PACKAGE.parent / ".mypy_cache"  # of numpy's types, which take most of the time
    (folder / "mypy.ini").write_text(SETTINGS.format(cache=cache))
    made = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr


def test_the_package_and_the_examples_of_the_page_are_typed(tmp_path):
    pytest.importorskip("mypy", reason="needs mypy")
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8").split("\n")
    (tmp_path / "examples.py").write_text("".join(source for source, _, _ in examples_of(page)))
    run_mypy(tmp_path, "mypy", "--config-file", "mypy.ini", "-p", "heddle", "-m", "examples")


def test_the_stub_is_as_the_module(tmp_path):
    pytest.importorskip("mypy", reason="needs mypy")
    run_mypy(tmp_path, "mypy.stubtest", "--mypy-config-file", "mypy.ini", "--allowlist", str(allowed(tmp_path)),
             "--ignore-unused-allowlist", "heddle._core")


def allowed(folder):
    """What stubtest need not say: pybind11's metaclass, and the __init__ of classes that C++ alone makes."""
    stub = (PACKAGE / "_core.pyi").read_text()
    names = [name for name, of in vars(_core).items() if inspect.isclass(of) and f"\nclass {name}:" in stub]
    path = folder / "allowed"
    path.write_text("".join(f"heddle\\._core\\.{name}\nheddle\\._core\\.{name}\\.__init__\n" for name in names))
    return path


def test_every_public_name_has_a_docstring():
    bare = []
    for name in heddle.__all__:
        of = getattr(heddle, name)
        if isinstance(of, int):
            continue
        bare += [name] * (not inspect.getdoc(of))
        if inspect.isclass(of) and of.__module__.startswith("heddle"):
            bare += [f"{name}.{member}" for member, value in vars(of).items()
                     if not member.startswith("_") and (callable(value) or isinstance(value, property)) and not inspect.getdoc(value)]
    assert not bare
