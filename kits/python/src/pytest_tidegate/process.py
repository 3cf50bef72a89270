"""Tidegate as a process of this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import threading
from typing import Any, List, Mapping, Optional, Sequence

from .server import Address, Tidegate

DOORS = ("rest", "thrift", "rpc", "zookeeper", "web")
# Variables, and no flags: an option of the test's own goes before, where a flag would be refused twice.
DEFAULTS = {
    "TIDEGATE_STORE": "memory",
    "TIDEGATE_HOST": "127.0.0.1",
    "TIDEGATE_LOG_LEVEL": "warn",
    "TIDEGATE_TEST_MODE": "yes",
    **{f"TIDEGATE_{door.upper()}": "0" for door in DOORS},
}
START_SECONDS = 60.0
STOP_SECONDS = 15.0


class TidegateStartError(Exception):
    """The server is not there, has ended or is not ready; the message has what it printed."""


class TidegateProcess(Tidegate):
    """Use :meth:`start`, and :meth:`stop` or a ``with`` block."""

    _process: "subprocess.Popen[str]"

    @classmethod
    def start(
        cls,
        command: Optional[str] = None,
        options: Sequence[str] = (),
        seed: Optional[Mapping[str, Any]] = None,
        start_seconds: float = START_SECONDS,
    ) -> "TidegateProcess":
        """
        ``command``: the path of ``tidegate``, or of its JavaScript file. Without it the variable TIDEGATE_COMMAND counts, then
        the PATH. ``options``: of ``tidegate serve``, such as ``["--store", "native:DIRECTORY"]``.
        """
        # A variable in the environment of the tests must not choose another store.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TIDEGATE_")}
        environment.update(DEFAULTS)
        with tempfile.TemporaryFile() as errors:
            try:
                process = subprocess.Popen(
                    [*_words(command), "serve", *options],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env=environment,
                    text=True,
                )
            except OSError as error:
                raise TidegateStartError(
                    f"Tidegate cannot be started: {error}. TIDEGATE_COMMAND may name its command."
                ) from None
            line = _ready_line(process, start_seconds)
            if line is None:
                _end(process)
                errors.seek(0)
                said = errors.read()[-4000:].decode(errors="replace")
                raise TidegateStartError(f"Tidegate was not ready within {start_seconds:g} seconds, or ended.\n{said}")
        found = re.findall(r"(\w+)=(\S+):(\d+)", line)
        started = cls({door: Address(host, int(port)) for door, host, port in found}, seed)
        started._process = process
        try:
            started.reset()
        except BaseException:
            started.stop()
            raise
        return started

    def stop(self) -> None:
        """Returns when the process has ended."""
        _end(self._process)

    def __enter__(self) -> "TidegateProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _words(command: Optional[str]) -> List[str]:
    path = command or os.environ.get("TIDEGATE_COMMAND") or shutil.which("tidegate") or "tidegate"
    return ["node", path] if path.endswith((".js", ".mjs", ".cjs")) else [path]


def _ready_line(process: "subprocess.Popen[str]", seconds: float) -> Optional[str]:
    """None where the process has ended or its time is over."""
    assert process.stdout is not None
    output = process.stdout
    found: List[str] = []
    is_there = threading.Event()

    def read() -> None:
        # The pipe is read to its end, or the server would wait for room in it.
        for line in output:
            if line.startswith("ready ") and not found:
                found.append(line)
                is_there.set()
        is_there.set()

    threading.Thread(target=read, name="tidegate-output", daemon=True).start()
    is_there.wait(seconds)
    return found[0] if found else None


def _end(process: "subprocess.Popen[str]") -> None:
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
