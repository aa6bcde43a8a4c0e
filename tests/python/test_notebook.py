# SPDX-License-Identifier: Apache-2.0
"""examples/heddle.ipynb runs from its first cell to its last, without a display."""
import pathlib

import pytest

NOTEBOOK = pathlib.Path(__file__).parents[2] / "examples" / "heddle.ipynb"


def shown(cell):
    """All texts that a cell shows, of each kind."""
    texts = [output.get("text", "") for output in cell["outputs"]]
    texts += [text for output in cell["outputs"] for text in output.get("data", {}).values()]
    return "".join("".join(text) for text in texts)


def test_every_cell_of_the_tour_runs():
    # As jupyter nbconvert does it, which takes seconds each time it starts.
    preprocessors = pytest.importorskip("nbconvert.preprocessors", reason="needs jupyter-nbconvert")
    exporters = pytest.importorskip("nbconvert.exporters", reason="needs jupyter-nbconvert")
    nbformat = pytest.importorskip("nbformat", reason="needs jupyter-nbconvert")
    pytest.importorskip("ipykernel", reason="needs python3-ipykernel")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    preprocessors.ExecutePreprocessor().preprocess(notebook, {"metadata": {"path": str(NOTEBOOK.parent)}})
    page, _ = exporters.HTMLExporter().from_notebook_node(notebook)
    assert page.count("<img src=\"data:image/svg+xml") == 2
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in cells)
    everything = "\n".join(shown(cell) for cell in cells)
    for text in ("swing_bandwidth", "<svg", "srcdoc", "lacks what ranks", "200 cases right", "without gpu 1", "ring_by_chunks",
                 "2.376MB/s"):
        assert text in everything, text
