import socket
import urllib.request

import pytest

from pytest_tidegate import TidegateProcess, TidegateRefusal, TidegateStartError


def is_open(address):
    try:
        socket.create_connection(address, 5).close()
    except OSError:
        return False
    return True


def test_every_door_listens(tidegate):
    assert [is_open(address) for address in (tidegate.thrift, tidegate.rpc, tidegate.zookeeper)] == [True] * 3
    with urllib.request.urlopen(f"{tidegate.rest_url}/version") as answer:
        assert answer.status == 200


def test_a_table_has_its_attributes_and_is_made_once(tidegate, tidegate_table):
    assert tidegate_table({"name": "cf", "VERSIONS": "3"}, name="shop:orders", splits=["m"]) == "shop:orders"
    request = urllib.request.Request(f"{tidegate.rest_url}/shop:orders/schema", headers={"Accept": "application/json"})
    with urllib.request.urlopen(request) as answer:
        assert b'"VERSIONS":"3"' in answer.read()
    with pytest.raises(RuntimeError, match="one table a test"):
        tidegate_table("cf")


def test_a_refusal_has_the_words_of_the_server(tidegate_reset):
    with pytest.raises(TidegateRefusal, match="400 .*delayMs, error, loseScanner or hangUp"):
        tidegate_reset.fault({"on": ["get"]})


def test_a_start_that_fails_says_why():
    with pytest.raises(TidegateStartError, match="batch-max"):
        TidegateProcess.start(options=["--batch-max", "many"])
    with pytest.raises(TidegateStartError, match="TIDEGATE_COMMAND"):
        TidegateProcess.start(command="/nowhere/tidegate")
    with pytest.raises(TidegateStartError, match="not ready within 0.001 seconds"):
        TidegateProcess.start(start_seconds=0.001)
    with pytest.raises(TidegateRefusal):
        TidegateProcess.start(seed={"tables": [{"name": "a b", "families": ["f"]}]})


def test_the_process_is_gone_after_its_stop(monkeypatch):
    monkeypatch.setenv("TIDEGATE_STORE", "hbase:nowhere.invalid:1")
    with TidegateProcess.start() as process:
        assert is_open(process.thrift)
    process.stop()
    assert not is_open(process.thrift)


TABLES = """
    import urllib.request

    def tables(server):
        request = urllib.request.Request(server.rest_url + "/", headers={"Accept": "text/plain"})
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode().split()
"""


def test_a_seed_is_there_after_each_reset(pytester):
    pytester.makefile(".json", seed='{"tables":[{"name":"seeded","families":["f"]}]}')
    pytester.makeini("[pytest]\ntidegate_seed = seed.json\n")
    pytester.makepyfile(
        TABLES
        + """
    def test_first(tidegate):
        assert tables(tidegate) == ["seeded"]
        tidegate.reset({})
        assert tables(tidegate) == []

    def test_second(tidegate_reset):
        assert tables(tidegate_reset) == ["seeded"]
    """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=2)


def test_a_server_that_runs_already_is_used_and_left(pytester):
    with TidegateProcess.start() as process:
        addresses = f"rest={':'.join(map(str, process._address('rest')))},web={':'.join(map(str, process._address('web')))}"
        pytester.makepyfile(
            TABLES
            + """
    import pytest

    def test_it(tidegate_table, tidegate):
        assert tables(tidegate) == []
        assert tidegate_table("f", name="t") == "t"
        assert tables(tidegate) == ["t"]
        with pytest.raises(LookupError, match="no door thrift"):
            tidegate.thrift
    """
        )
        result = pytester.runpytest_subprocess(f"--tidegate-address={addresses}")
        result.assert_outcomes(passed=1)
        assert is_open(process._address("web"))
    wrong = pytester.runpytest_subprocess("--tidegate-address=rest:1")
    wrong.stdout.fnmatch_lines(["*DOOR=HOST:PORT is expected, not 'rest:1'*"])
