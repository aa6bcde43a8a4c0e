# SPDX-License-Identifier: Apache-2.0
"""examples/heddle.ipynb runs from its first cell to its last, without a display."""
import json
import pathlib
import subprocess
import sys

import pytest

NOTEBOOK = pathlib.Path(__file__).parents[2] / "examples" / "heddle.ipynb"


def shown(cell):
    """All texts that a cell shows, of each kind."""
    texts = [output.get("text", "") for output in cell["outputs"]]
    texts += [text for output in cell["outputs"] for text in output.get("data", {}).values()]
    return "".join("".join(text) for text in texts)


def test_every_cell_of_the_tour_runs(tmp_path):
    pytest.importorskip("nbconvert", reason="needs jupyter-nbconvert")
    pytest.importorskip("ipykernel", reason="needs python3-ipykernel")
    convert = [sys.executable, "-m", "jupyter", "nbconvert", "--output-dir", str(tmp_path)]
    made = subprocess.run([*convert, "--execute", "--to", "notebook", str(NOTEBOOK)], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    made = subprocess.run([*convert, "--to", "html", str(tmp_path / NOTEBOOK.name)], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert (tmp_path / NOTEBOOK.name).with_suffix(".html").read_text().count("<img src=\"data:image/svg+xml") == 2
    cells = [cell for cell in json.loads((tmp_path / NOTEBOOK.name).read_text())["cells"] if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in cells)
    everything = "\n".join(shown(cell) for cell in cells)
    for text in ("swing_bandwidth", "<svg", "srcdoc", "lacks what ranks", "200 cases right", "without gpu 1", "ring_by_chunks",
                 "2.376MB/s"):
        assert text in everything, text
