"""
The fixtures: ``tidegate`` for the session, ``tidegate_reset`` and ``tidegate_table`` for a test. The server is a process of this
machine, or one that runs already, such as a service of the CI: ``--tidegate-address`` says where.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Optional

import pytest

from .process import DOORS, TidegateProcess
from .server import Address, Tidegate

#: How ``tidegate_table`` makes a table: its families, by their names or with their attributes. It returns the table's name.
MakeTable = Callable[..., str]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tidegate")
    group.addoption("--tidegate-command", help="the path of tidegate, or of its JavaScript file")
    group.addoption(
        "--tidegate-address",
        help="a server that runs already, in test mode: rest=HOST:PORT,thrift=HOST:PORT,web=HOST:PORT,...",
    )
    group.addoption("--tidegate-seed", help="a JSON file with the tables of an empty server")
    parser.addini("tidegate_command", "as --tidegate-command")
    parser.addini("tidegate_address", "as --tidegate-address")
    parser.addini("tidegate_seed", "as --tidegate-seed, from the folder of this file")


def _setting(config: pytest.Config, name: str) -> Optional[str]:
    return config.getoption(f"tidegate_{name}") or config.getini(f"tidegate_{name}") or None


def _seed(config: pytest.Config) -> Optional[Mapping[str, Any]]:
    path = _setting(config, "seed")
    if path is None:
        return None
    seed: Mapping[str, Any] = json.loads((Path(config.rootpath) / path).read_text(encoding="utf-8"))
    return seed


def _addresses(text: str) -> Mapping[str, Address]:
    addresses = {}
    for part in text.split(","):
        match = re.fullmatch(r"(\w+)=(.+):(\d+)", part.strip())
        if match is None or match[1] not in DOORS:
            raise pytest.UsageError(f"tidegate_address: DOOR=HOST:PORT is expected, not {part!r}; doors: {', '.join(DOORS)}")
        addresses[match[1]] = Address(match[2], int(match[3]))
    return addresses


@pytest.fixture(scope="session")
def tidegate(request: pytest.FixtureRequest) -> Iterator[Tidegate]:
    """A server for all tests of the session."""
    config = request.config
    seed = _seed(config)
    address = _setting(config, "address")
    if address is not None:
        running = Tidegate(_addresses(address), seed)
        running.reset()
        yield running
        return
    with TidegateProcess.start(_setting(config, "command"), seed=seed) as process:
        yield process


@pytest.fixture
def tidegate_reset(tidegate: Tidegate) -> Tidegate:
    """The server, with nothing but its seed, and without faults."""
    tidegate.reset()
    return tidegate


@pytest.fixture
def tidegate_table(tidegate_reset: Tidegate) -> Iterator[MakeTable]:
    """
    Makes tables in an empty server: ``name = tidegate_table("cf", splits=["m"], rows={"r": {"cf:q": "v"}})``. After the test
    they are gone.
    """
    tables: list[Mapping[str, Any]] = []

    def make(*families: Any, name: Optional[str] = None, **more: Any) -> str:
        if tables:
            raise RuntimeError("tidegate_table makes one table a test; give reset(seed) the tables of a larger one")
        table = {"name": name or "table", "families": list(families) or ["cf"], **more}
        namespace, colon, _ = table["name"].rpartition(":")
        tidegate_reset.reset({"namespaces": [namespace] if colon else [], "tables": [table]})
        tables.append(table)
        return str(table["name"])

    yield make
    tidegate_reset.reset()
