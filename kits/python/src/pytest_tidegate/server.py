"""A running Tidegate in test mode: its addresses, and the requests that tests make of it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any, List, Mapping, NamedTuple, Optional

REQUEST_SECONDS = 60


class Address(NamedTuple):
    host: str
    port: int


class TidegateRefusal(Exception):
    """The server has refused a reset or a rule; the message is the server's."""


class Tidegate:
    """``addresses``: by the names of the doors, ``rest``, ``thrift``, ``rpc``, ``zookeeper`` and ``web``."""

    def __init__(self, addresses: Mapping[str, Address], seed: Optional[Mapping[str, Any]] = None) -> None:
        self._addresses = dict(addresses)
        self._seed = seed

    @property
    def rest_url(self) -> str:
        return self._url("rest")

    @property
    def web_url(self) -> str:
        """Console, /health and /metrics."""
        return self._url("web")

    @property
    def thrift(self) -> Address:
        """Thrift 1 and Thrift 2: ``happybase.Connection(*tidegate.thrift)``."""
        return self._address("thrift")

    @property
    def rpc(self) -> Address:
        return self._address("rpc")

    @property
    def zookeeper(self) -> Address:
        return self._address("zookeeper")

    def reset(self, seed: Optional[Mapping[str, Any]] = None) -> None:
        """Drops all tables, ends all faults, and makes the tables of the seed: of the server's own, if none is given."""
        chosen = self._seed if seed is None else seed
        self._ask("POST", "/_test/reset", chosen)

    def fault(self, *rules: Mapping[str, Any]) -> None:
        """From now on the server has these rules and no others."""
        self._ask("PUT", "/_test/faults", list(rules))

    def faults_made(self) -> List[int]:
        """Faults that each rule has made, in the order of the rules."""
        made: List[int] = self._ask("GET", "/_test/faults")["made"]
        return made

    def _address(self, door: str) -> Address:
        address = self._addresses.get(door)
        if address is None:
            raise LookupError(f"Tidegate has no door {door}: nothing says where it listens")
        return address

    def _url(self, door: str) -> str:
        host, port = self._address(door)
        return f"http://{host}:{port}"

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.web_url + path, data=data, method=method)
        # A proxy of the environment leads nowhere near a server for tests.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=REQUEST_SECONDS) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            said = error.read().decode(errors="replace")
            raise TidegateRefusal(f"{method} {path}: {error.code} {said}") from None
