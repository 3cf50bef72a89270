"""An example: a program that uses happybase, and its tests."""

import happybase
import pytest


def top_customers(connection, table, least):
    """The program: customers whose orders amount to at least so much."""
    rows = connection.table(table).scan(columns=[b"o:total"])
    return [key.decode() for key, cells in rows if int(cells[b"o:total"]) >= least]


@pytest.fixture
def connection(tidegate):
    connection = happybase.Connection(*tidegate.thrift)
    yield connection
    connection.close()


def test_finds_the_customers(connection, tidegate_table):
    rows = {"ann": {"o:total": "120"}, "bob": {"o:total": "7"}, "eve": {"o:total": "100"}}
    table = tidegate_table("o", rows=rows)
    assert top_customers(connection, table, 100) == ["ann", "eve"]


def test_begins_with_an_empty_server(connection, tidegate_reset):
    assert connection.tables() == []
    connection.create_table("orders", {"o": {"max_versions": 3}})
    connection.table("orders").put(b"ann", {b"o:total": b"1"})
    assert connection.table("orders").row(b"ann") == {b"o:total": b"1"}


def test_sees_when_a_region_is_busy(connection, tidegate_reset, tidegate_table):
    table = tidegate_table("o")
    tidegate_reset.fault({"on": ["write"], "table": table, "times": 1, "error": "RegionTooBusy"})
    with pytest.raises(Exception, match="RegionTooBusyException"):
        connection.table(table).put(b"ann", {b"o:total": b"1"})
    connection.table(table).put(b"ann", {b"o:total": b"2"})
    assert tidegate_reset.faults_made() == [1]
