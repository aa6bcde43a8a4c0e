# SPDX-License-Identifier: Apache-2.0
"""What is run, as a value: the flags of `heddle run` as keywords."""
from __future__ import annotations

import math
import numbers
import os
from collections.abc import Mapping
from typing import Any, Union

from heddle import _core
from heddle._core import Experiment as CoreExperiment
from heddle._core import ReduceOp
from heddle.errors import InputError

#: A keyword's value: a text, a number, a list of them, a type of numpy, or None, which is as if it were not given.
Value = Any
PathLike = Union[str, "os.PathLike[str]"]

_Flags: dict[str, tuple[str, bool]] = {name: (kind, several) for name, kind, several, *_ in _core.flags()}
_Groups: dict[str, str] = {row[0]: row[5] for row in _core.flags()}

# A flag's keyword is its name, and some have a longer one.
_LONGER = {"topo": "topology", "plugin": "plugins", "bw": "bandwidth", "datatype": "dtype", "algo": "algorithm"}
_KEYWORDS = {_LONGER.get(name[2:], name[2:].replace("-", "_")): name for name in _Flags}
_OTHER_WORDS = {name[2:].replace("-", "_"): name for name in _Flags} | {"type": "--datatype"}


def flag_of(keyword: str) -> str:
    """The flag that a keyword says: "--topo" of "topology"."""
    flag = _KEYWORDS.get(keyword) or _OTHER_WORDS.get(keyword)
    if flag is None:
        raise InputError(_core.unknown_name("keyword", keyword, sorted(_KEYWORDS)))
    return flag


def path_of(path: PathLike) -> str:
    """A path as C++ takes it."""
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str):
        raise InputError(f"{path!r}: of type {type(path).__name__}; a path is a text or a pathlib.Path")
    return os.fspath(path)


def text_of(value: Value, unit: str) -> str:
    """A value as the command writes it; `unit` is that of a bare number."""
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return path_of(value)
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return f"{int(value)}{unit}" if value or unit == "B/s" else "0"
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        value = float(value)
        if math.isinf(value):
            return "inf"
        if not unit and value.is_integer():
            return str(int(value))
        return f"{value!r}{unit}" if value else "0"
    if isinstance(value, Mapping):  # of dimensions
        return ",".join(f"{name}={text_of(one, unit)}" for name, one in value.items())
    if isinstance(value, (list, tuple, range)):
        return ",".join(text_of(one, unit) for one in value)
    if getattr(value, "name", None) is not None:  # numpy.dtype("float32")
        return _type_name(value.name)
    if isinstance(value, type) and hasattr(value, "dtype"):  # numpy.float32
        return _type_name(value.__name__)
    raise InputError(f"{value!r}: of type {type(value).__name__}; a text, a number or a list of them is right")


def _type_name(name: str) -> str:
    """numpy's float32 is heddle's f32."""
    for theirs, ours in (("uint", "u"), ("int", "i"), ("bfloat", "bf"), ("float", "f")):
        if name.startswith(theirs):
            return ours + name[len(theirs):]
    return name


def _unit(kind: str) -> str:
    return {"RATE": "B/s", "TIME": "s"}.get(kind.split("[")[0], "")


def given_of(keywords: Mapping[str, Value]) -> list[tuple[str, str]]:
    """Pairs of a flag and its value, in the order of the keywords; None is as if it were not given."""
    given: list[tuple[str, str]] = []
    for keyword, value in keywords.items():
        flag = flag_of(keyword)
        kind, several = _Flags[flag]
        if value is None:
            continue
        if not kind:
            if not isinstance(value, bool):
                raise InputError(f"{keyword}={value!r}: True or False")
            if flag == "--in-place" and not value:
                flag, value = "--out-of-place", True
            if value:
                given.append((flag, ""))
        elif several and isinstance(value, (list, tuple)):
            given += [(flag, text_of(one, _unit(kind))) for one in value]
        else:
            given.append((flag, text_of(value, _unit(kind))))
    return given


def own_op_of(keywords: Mapping[str, Value]) -> tuple[dict[str, Value], ReduceOp | None]:
    """The keywords without an operation that is written in Python, and that."""
    op = keywords.get("op")
    if not isinstance(op, ReduceOp):
        return dict(keywords), None
    return {keyword: value for keyword, value in keywords.items() if keyword != "op"}, op


def flags_of_group(title: str) -> set[str]:
    """Those that stand together in the command's help."""
    return {flag for flag, group in _Groups.items() if group == title}


def on_fabric(fabric: Any, given: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], list[Any]]:
    """The flags with those of a heddle.Fabric, which they may change, and the fabrics that C++ has to be given."""
    if fabric is None:
        return given, []
    if not hasattr(fabric, "_given"):
        raise InputError(f"fabric={fabric!r}: not a heddle.Fabric; the text of a topology is topology=")
    flags = {flag for flag, _ in given}
    if "--topo" in flags:
        raise InputError("topology and fabric: both say where it runs; leave one out")
    return [pair for pair in fabric._flags if pair[0] not in flags] + given, [fabric._given] if fabric._given else []


class Experiment:
    """A run as a value: a collective, and the flags of `heddle run` as keywords.

    Numbers are in SI units (bytes, seconds, bytes per second), and texts are the command's. `fabric` is a heddle.Fabric, in
    place of a topology, and `op` may be a heddle.ReduceOp. `replace` makes another.

    >>> e = Experiment("allreduce", topology="star:4", size="1KiB", latency=5e-7)
    >>> e
    heddle.Experiment('allreduce', topology='star:4', size=1024, latency='500ns')
    >>> e.text
    'allreduce --topo star:4 --size 1024 --latency 500ns'
    >>> Experiment.parse(e.text) == e.replace(size=1024)
    True
    """

    __slots__ = ("_core", "fabric", "own_op")
    _core: CoreExperiment
    fabric: Any
    own_op: ReduceOp | None  # where it is no name

    def __init__(self, collective: str, *, fabric: Any = None, **keywords: Value) -> None:
        others, op = own_op_of(keywords)
        self._set(collective, given_of(others), fabric, op)

    def _set(self, collective: str, given: list[tuple[str, str]], fabric: Any, op: ReduceOp | None) -> None:
        given, fabrics = on_fabric(fabric, given)
        object.__setattr__(self, "_core", _core.Experiment.read(collective, given, fabrics, op))
        object.__setattr__(self, "fabric", fabric if fabrics else None)  # others are flags, as ever
        object.__setattr__(self, "own_op", op)

    @classmethod
    def _of(cls, core: CoreExperiment, fabric: Any = None) -> Experiment:
        made = object.__new__(cls)
        object.__setattr__(made, "_core", core.with_fabrics([fabric._given]) if fabric else core)
        object.__setattr__(made, "fabric", fabric)
        object.__setattr__(made, "own_op", None)
        return made

    @classmethod
    def parse(cls, text: str) -> Experiment:
        """Reads what `text` is: the arguments of `heddle run`."""
        return cls._of(_core.Experiment.parse(text))

    @property
    def text(self) -> str:
        """The arguments that make `heddle run` do this."""
        return self._core.text()

    @property
    def collective(self) -> str:
        """Its name."""
        return self._core.collective

    def replace(self, *, fabric: Any = None, **keywords: Value) -> Experiment:
        """The same with other values; None is as usual."""
        new = [flag_of(keyword) for keyword in keywords]
        if "--in-place" in new:
            new.append("--out-of-place")
        if fabric is not None:
            new += flags_of_group("Fabric") | {"--topo"}
        elif self.fabric is not None and "--topo" not in new:
            fabric = self.fabric
            new.append("--topo")
        others, op = own_op_of(keywords)
        if "--op" not in new and self.own_op is not None:
            op = self.own_op
            new.append("--op")
        made = object.__new__(Experiment)
        made._set(self.collective, [pair for pair in self._core.given() if pair[0] not in new] + given_of(others), fabric, op)
        return made

    def to_dict(self) -> dict[str, Any]:
        """What is not as usual, by keyword."""
        words = {flag: keyword for keyword, flag in _KEYWORDS.items()}
        values: dict[str, Any] = {}
        for flag, text in sorted(self._core.given(), key=lambda pair: pair[0] not in ("--topo", "--ranks", "--size")):
            kind, several = _Flags[flag]
            value: Any = True if not kind else int(text) if text.isdigit() else text
            if several:
                value = values.get(words[flag], []) + [value]
            values[words[flag]] = value if flag != "--op" or self.own_op is None else self.own_op
        return values

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an Experiment does not change; replace({name}=…) makes another")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or (name not in _KEYWORDS and name not in _OTHER_WORDS):
            raise AttributeError(name)
        words = {flag: keyword for keyword, flag in _KEYWORDS.items()}
        values = self.to_dict()
        if name == "in_place" and values.get("out_of_place"):
            return False
        return values.get(words[flag_of(name)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Experiment) and _parts(self) == _parts(other)

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        of_fabric = {} if self.fabric is None else {"fabric": self.fabric}
        of_others = {keyword: value for keyword, value in self.to_dict().items() if not of_fabric or keyword != "topology"}
        values = "".join(f", {keyword}={value!r}" for keyword, value in {**of_fabric, **of_others}.items())
        return f"heddle.Experiment({self.collective!r}{values})"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.own_op is None:
            return _restored, (self.text, self.fabric)
        values = {keyword: value for keyword, value in self.to_dict().items() if keyword != "topology" or self.fabric is None}
        return _made, (self.collective, {**values, "fabric": self.fabric})


def _parts(of: Experiment) -> tuple[Any, ...]:
    return of.text, of.fabric, of.own_op


def _restored(text: str, fabric: Any) -> Experiment:
    return Experiment._of(_core.Experiment.parse(text), fabric)


def _made(collective: str, values: dict[str, Value]) -> Experiment:
    return Experiment(collective, **values)
