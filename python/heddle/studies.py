# SPDX-License-Identifier: Apache-2.0
"""traffic(): what algorithms send between a fabric's groups."""
from __future__ import annotations

import html
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from heddle import _core
from heddle.experiment import Value, path_of, text_of
from heddle.ranks import Algorithms, names_of, rows_of

if TYPE_CHECKING:
    import pandas


class Traffic:
    """What traffic() counted. Printed, it is the table of `heddle traffic`."""

    def __init__(self, table: str, document: str) -> None:
        self._table = table
        self._document = document

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `heddle traffic --json`."""
        return dict(json.loads(self._document))

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each number of ranks and algorithm. What quartiles there are of the reduction are columns of their own."""
        import pandas

        rows = []
        for study in self.to_dict()["studies"]:
            common = {key: value for key, value in study.items() if not isinstance(value, list)}
            for compared in study["algorithms"]:
                quartiles = compared.get("reduction") or {}
                rows.append({**common, **{key: value for key, value in compared.items() if key != "reduction"},
                             **{f"reduction_{name}": value for name, value in quartiles.items()}})
        return pandas.DataFrame(rows)

    def __str__(self) -> str:
        return self._table.rstrip("\n")

    def __repr__(self) -> str:
        return f"<heddle.Traffic of {len(self.to_dict()['studies'])} numbers of ranks>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def traffic(collective: str, algorithms: Algorithms, *, topology: Value = None, ranks: Value = None, placement: str | None = None,
            placements: int | None = None, seed: int | None = None, tier: int | None = None,
            plugins: str | Sequence[str] = ()) -> Traffic:
    """Counts what algorithms send between a fabric's groups, over many placements of their ranks: Traffic. The others are compared
    with the first one. The keywords are the flags of `heddle traffic`.

    >>> traffic("allreduce", "recursive_doubling,bine_small", topology="fattree:k=8", ranks=[16, 32], placements=20)
    <heddle.Traffic of 2 numbers of ranks>
    """
    asked = {"collective": collective, "algorithms": names_of(algorithms), "topology": topology, "ranks": ranks,
             "placement": placement, "placements": placements, "seed": seed, "tier": tier}
    given = {keyword: text_of(value, "") for keyword, value in asked.items() if value is not None}
    files = [plugins] if isinstance(plugins, str) else [path_of(plugin) for plugin in plugins]
    return Traffic(*_core.traffic(given, files, rows_of(algorithms)))
