"""What PyPI's hbase-driver answers: `python hbase_driver.py HOST:ZOOKEEPER`. Prints a line `# STEP` for each step, and its answer."""

import logging
import re
import sys
import time

from hbasedriver.client.buffered_mutator import BufferedMutator, BufferedMutatorParams
from hbasedriver.client.client import Client
from hbasedriver.common.table_name import TableName
from hbasedriver.filter import ColumnPrefixFilter, PageFilter, PrefixFilter
from hbasedriver.hbase_constants import HConstants
from hbasedriver.operations.append import Append
from hbasedriver.operations.batch import BatchGet, BatchPut
from hbasedriver.operations.column_family_builder import ColumnFamilyDescriptorBuilder
from hbasedriver.operations.delete import Delete
from hbasedriver.operations.get import Get
from hbasedriver.operations.increment import CheckAndPut, Increment
from hbasedriver.operations.put import Put
from hbasedriver.operations.row_mutations import RowMutations
from hbasedriver.operations.scan import Scan

logging.disable(logging.CRITICAL)
NAME = TableName.value_of(b"default", b"hbase_driver")


def shown(answer):
    if hasattr(answer, "rowkey"):
        return f"{answer.rowkey} {answer.kv}"
    if isinstance(answer, dict):
        return "; ".join(f"{key}: {shown(value)}" for key, value in sorted(answer.items()))
    if isinstance(answer, (list, tuple)):
        return "; ".join(shown(part) for part in answer)
    return str(answer)


def step(name, act):
    try:
        answer = shown(act())
    except Exception as error:
        answer = f"refused: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    # Times, and ids of procedures and regions.
    print(f"# {name}\n{re.sub(r'[0-9]{10,}|[0-9a-f]{32}', '<id>', answer)}", flush=True)


def rows_of(table, scan):
    with table.scan(scan) as scanner:
        return [row for row in scanner]


def put(row, **cells):
    made = Put(row)
    for column, value in cells.items():
        family, qualifier = column.encode().split(b"_")
        made.add_column(family, qualifier, value)
    return made


def schema(admin):
    families = admin.describe_table(NAME).table_schema[0].column_families
    return [
        f"{family.name.decode()} " + " ".join(sorted(f"{a.first.decode()}={a.second.decode()}" for a in family.attributes))
        for family in families
    ]


def until(wanted, ask):
    """The driver does not wait for namespaces and families to be there."""
    for _ in range(100):
        found = ask()
        if wanted(found):
            break
        time.sleep(0.1)
    return found


def tables(admin):
    step("namespaces", admin.list_namespaces)
    step("create namespace", lambda: admin.create_namespace(b"drv"))
    step("namespaces with it", lambda: until(lambda names: "drv" in names, admin.list_namespaces))
    step("delete namespace", lambda: admin.delete_namespace(b"drv"))
    step("namespaces without it", lambda: until(lambda names: "drv" not in names, admin.list_namespaces))
    families = [
        ColumnFamilyDescriptorBuilder(b"f").set_max_versions(3).build(),
        ColumnFamilyDescriptorBuilder(b"g").build(),
    ]
    step("create", lambda: admin.create_table(NAME, families, split_keys=[b"m"]))
    step("exists", lambda: admin.table_exists(NAME))
    step("create again", lambda: admin.create_table(NAME, families))
    step("schema", lambda: schema(admin))


def data(table):
    step("put", lambda: table.put(put(b"r", f_a=b"1", f_b=b"2", g_c=b"\0\xff")))
    step("get", lambda: table.get(Get(b"r")))
    step("get of a column", lambda: table.get(Get(b"r").add_column(b"f", b"b")))
    step("get of no row", lambda: table.get(Get(b"none")))
    step("exists", lambda: (table.exists(Get(b"r")), table.exists(Get(b"none"))))
    keys = [f"row{i:02}".encode() for i in range(30)]
    batch = BatchPut()
    for i, key in enumerate(keys):
        batch.add_put(put(key, f_n=b"v%d" % (i % 4), g_x=key))
    step("put of many", lambda: table.batch_put(batch))
    step("get of many", lambda: table.batch_get(BatchGet([b"row03", b"none", b"row29"])))
    step("scan", lambda: rows_of(table, Scan(b"row00", b"row05")))
    step("scan over regions", lambda: [row.rowkey for row in rows_of(table, Scan(b"a", b"z"))])
    step("scan by prefix", lambda: rows_of(table, Scan(b"").set_filter(PrefixFilter(b"row1"))))
    step("scan by column", lambda: rows_of(table, Scan(b"").set_filter(ColumnPrefixFilter(b"x"))))
    step("scan of a page", lambda: [row.rowkey for row in rows_of(table, Scan(b"").set_filter(PageFilter(4)))])
    step("pages", lambda: table.scan_page(Scan(b"row0"), 3))
    step("increment", lambda: table.increment(Increment(b"counter").add_column(b"f", b"n", 7)))
    step("increment again", lambda: table.increment(Increment(b"counter").add_column(b"f", b"n", -2)))
    step("append", lambda: table.append(Append(b"r").add_column(b"f", b"a", b"+more")))
    for name, value in (("check of another value", b"other"), ("check and put", b"2")):
        check = CheckAndPut(b"r").set_check(b"f", b"b", value).set_put(put(b"r", f_b=b"3"))
        step(name, lambda: table.check_and_put(check))
    mutations = RowMutations(b"r").add_put(put(b"r", f_d=b"4"))
    mutations.add_delete(Delete(b"r").add_column(b"f", b"b"))
    step("row mutations", lambda: table.mutate_row(mutations))
    step("after them", lambda: table.get(Get(b"r")))
    step("check and delete", lambda: table.check_and_delete(b"r", b"f", b"d", b"4", Delete(b"r").add_family(b"g")))
    step("after delete", lambda: table.get(Get(b"r")))
    step("delete", lambda: table.delete(Delete(b"r")))
    step("after delete of the row", lambda: table.get(Get(b"r")))
    step("a family that is not there", lambda: table.put(Put(b"r").add_column(b"z", b"a", b"1")))


def buffered(table):
    params = BufferedMutatorParams()
    params.write_buffer_periodic_flush = 0
    with BufferedMutator(table, params) as mutator:
        for i in range(50):
            mutator.mutate(put(f"buffered{i:02}".encode(), f_n=b"v"))
        mutator.flush()
    return len(rows_of(table, Scan(b"buffered", b"buffereda")))


def upkeep(admin):
    step("new family", lambda: admin.add_column_family(NAME, b"h", max_versions=2))
    step("schema with it", lambda: until(lambda found: len(found) == 3, lambda: schema(admin)))
    step("delete family", lambda: admin.delete_column_family(NAME, b"h"))
    step("schema without it", lambda: until(lambda found: len(found) == 2, lambda: schema(admin)))
    step("snapshot", lambda: admin.create_snapshot(NAME, "drv_snapshot"))
    step("snapshot exists", lambda: until(lambda found: found, lambda: admin.snapshot_exists("drv_snapshot")))
    step("delete snapshot", lambda: admin.delete_snapshot("drv_snapshot"))
    step("balancer", lambda: (admin.is_balancer_enabled(), admin.set_balancer(False), admin.set_balancer(True)))
    step("balance", lambda: sorted(admin.balance()))
    step("servers", lambda: len(admin.list_region_servers()))
    step("disable", lambda: admin.disable_table(NAME))
    step("disabled", lambda: admin.is_table_disabled(NAME))
    step("enable", lambda: admin.enable_table(NAME))
    step("enabled", lambda: admin.is_table_enabled(NAME))


def main():
    with Client({HConstants.ZOOKEEPER_QUORUM: sys.argv[1]}) as client, client.get_admin() as admin:
        tables(admin)
        with client.get_table(b"default", b"hbase_driver") as table:
            data(table)
            step("buffered mutator", lambda: buffered(table))
            upkeep(admin)
            step("scan after enable", lambda: len(rows_of(table, Scan(b"row", b"rox"))))
        step("disable before delete", lambda: admin.disable_table(NAME))
        step("delete table", lambda: admin.delete_table(NAME))
        step("exists after delete", lambda: admin.table_exists(NAME))


main()
