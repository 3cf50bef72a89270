import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HRegionInfo;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.HBaseAdmin;
import org.apache.hadoop.hbase.client.HTable;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.CompareFilter.CompareOp;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Code as people wrote it for HBase 0.9x and 1.x: HTable, HBaseAdmin, buffered puts, small and large scans. A line of output a
 * step, without times, ids and addresses. The argument is the HOST:PORT of a ZooKeeper.
 */
@SuppressWarnings("deprecation")
public final class OldClient {
  private interface Step {
    Object run() throws Exception;
  }

  private static final byte[] F = toBytes("colfam1");
  private static final byte[] G = toBytes("colfam2");
  private static final TableName T = TableName.valueOf("old_table");

  private final Configuration configuration;
  private final HBaseAdmin admin;

  private OldClient(Configuration configuration) throws Exception {
    this.configuration = configuration;
    this.admin = new HBaseAdmin(configuration);
  }

  public static void main(String[] args) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", args[0].split(":")[0]);
    configuration.set("hbase.zookeeper.property.clientPort", args[0].split(":")[1]);
    configuration.setInt("hbase.client.retries.number", 3);
    OldClient client = new OldClient(configuration);
    client.tables();
    client.advertiser();
    client.rows();
    client.deletes();
    client.changes();
    client.scans();
    client.buffered();
    client.upkeep();
    client.end();
    System.exit(0);
  }

  private static void run(String name, Step step) {
    String answer;
    try {
      answer = String.valueOf(step.run());
    } catch (RetriesExhaustedWithDetailsException e) {
      answer = "throws " + e.getCause(0).getClass().getSimpleName();
    } catch (Exception e) {
      answer = "throws " + e.getClass().getSimpleName();
    }
    System.out.println(name + ": " + answer.replace('\n', ' '));
  }

  private static String text(Result result) {
    if (result == null) return "null";
    StringBuilder cells = new StringBuilder();
    for (Cell cell : result.rawCells()) {
      cells.append(cells.length() == 0 ? "" : ", ");
      cells.append(Bytes.toStringBinary(CellUtil.cloneRow(cell))).append(' ');
      cells.append(Bytes.toStringBinary(CellUtil.cloneFamily(cell))).append(':');
      cells.append(Bytes.toStringBinary(CellUtil.cloneQualifier(cell)));
      if (cell.getTimestamp() < 1_000_000) cells.append('@').append(cell.getTimestamp());
      cells.append('=').append(Bytes.toStringBinary(CellUtil.cloneValue(cell)));
    }
    return "[" + cells + "]";
  }

  private static String all(HTable table, Scan scan) throws Exception {
    StringBuilder results = new StringBuilder();
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        if (rows++ < 12) results.append(text(result));
      }
    }
    return rows + " " + results;
  }

  private static String regions(List<HRegionInfo> regions) {
    TreeMap<String, String> keys = new TreeMap<>();
    for (HRegionInfo region : regions)
      keys.put(Bytes.toStringBinary(region.getStartKey()), Bytes.toStringBinary(region.getEndKey()));
    return keys.toString();
  }

  private HTableDescriptor described(TableName name, String... families) {
    HTableDescriptor table = new HTableDescriptor(name);
    for (String family : families) table.addFamily(new HColumnDescriptor(family).setMaxVersions(3));
    return table;
  }

  private void tables() throws Exception {
    run("isMasterRunning", admin::isMasterRunning);
    run("tableExists none", () -> admin.tableExists("old_none"));
    admin.createTable(described(T, "colfam1", "colfam2"), toBytes("row-2"), toBytes("row-8"), 7);
    run("tableExists", () -> admin.tableExists(T));
    run("isTableEnabled", () -> admin.isTableEnabled(T));
    run("isTableAvailable", () -> admin.isTableAvailable(T));
    run("regions", () -> regions(admin.getTableRegions(T)));
    run("descriptor", () -> admin.getTableDescriptor(T));
    run("listTables", () -> Arrays.toString(admin.getTableNames("old_.*")));
    run("createTable again", () -> {
      admin.createTable(described(T, "colfam1"));
      return "made";
    });
    run("createNamespace", () -> {
      admin.createNamespace(NamespaceDescriptor.create("old_ns").addConfiguration("k", "v").build());
      // Clients of 1.x do not wait for it.
      while (admin.listNamespaceDescriptors().length < 3) Thread.sleep(50);
      return admin.getNamespaceDescriptor("old_ns");
    });
    run("addColumn", () -> {
      admin.addColumn(T, new HColumnDescriptor("more"));
      while (admin.getAlterStatus(T).getFirst() > 0) Thread.sleep(50);
      return admin.getTableDescriptor(T).getFamiliesKeys().size();
    });
    run("deleteColumn", () -> {
      admin.deleteColumn(T, toBytes("more"));
      while (admin.getAlterStatus(T).getFirst() > 0) Thread.sleep(50);
      return admin.getTableDescriptor(T).getFamiliesKeys().size();
    });
  }

  private void advertiser() throws Exception {
    admin.createTable(described(TableName.valueOf("Advertiser"), "meta"));
    HTable table = new HTable(configuration, "Advertiser");
    Put put = new Put(toBytes("advertiser 1"));
    put.add(toBytes("meta"), toBytes("status"), toBytes("on"));
    put.add(toBytes("meta"), toBytes("name"), toBytes("one"));
    table.put(put);
    table.close();
    HTable again = new HTable(configuration, "Advertiser");
    run("advertiser", () -> text(again.get(new Get(toBytes("advertiser 1")))));
    Get status = new Get(toBytes("advertiser 1"));
    status.addColumn(toBytes("meta"), toBytes("status"));
    run("advertiser status", () -> Bytes.toString(again.get(status).getValue(toBytes("meta"), toBytes("status"))));
    again.close();
  }

  private void rows() throws Exception {
    HTable table = new HTable(configuration, T);
    for (long at = 1; at <= 4; at++)
      table.put(new Put(toBytes("row-1"), at).add(F, toBytes("q"), toBytes("v" + at)));
    run("get versions", () -> text(table.get(new Get(toBytes("row-1")).setMaxVersions())));
    run("get range", () -> text(table.get(new Get(toBytes("row-1")).setTimeRange(2, 4).setMaxVersions())));
    run("get at", () -> text(table.get(new Get(toBytes("row-1")).setTimeStamp(3))));
    run("exists", () -> table.exists(new Get(toBytes("row-1"))));
    run("exists not", () -> table.exists(new Get(toBytes("row-0"))));
    List<Get> gets = Arrays.asList(new Get(toBytes("row-1")), new Get(toBytes("none")), new Get(toBytes("row-9")));
    run("get list", () -> {
      StringBuilder found = new StringBuilder();
      for (Result result : table.get(gets)) found.append(text(result));
      return found;
    });
    run("get of an unknown family", () -> text(table.get(new Get(toBytes("row-1")).addFamily(toBytes("none")))));
    run("put of an unknown family", () -> {
      table.put(new Put(toBytes("row-1")).add(toBytes("none"), toBytes("q"), toBytes("v")));
      return "put";
    });
    run("batch", () -> {
      List<Row> actions = new ArrayList<>();
      actions.add(new Put(toBytes("batch")).add(F, toBytes("a"), toBytes("1")));
      actions.add(new Get(toBytes("row-1")));
      actions.add(new Delete(toBytes("row-none")));
      actions.add(new Increment(toBytes("batch-n")).addColumn(F, toBytes("n"), 5));
      actions.add(new Get(toBytes("row-1")).addFamily(toBytes("none")));
      Object[] results = new Object[actions.size()];
      try {
        table.batch(actions, results);
      } catch (RetriesExhaustedWithDetailsException e) {
        StringBuilder told = new StringBuilder();
        for (Object result : results)
          told.append(result instanceof Result ? text((Result) result) : result.getClass().getSimpleName()).append(' ');
        return told;
      }
      return results.length;
    });
    table.close();
  }

  private void deletes() throws Exception {
    HTable table = new HTable(configuration, T);
    byte[] row = toBytes("row-5");
    Put put = new Put(row, 10);
    for (String qualifier : new String[] {"a", "b", "c"})
      put.add(F, toBytes(qualifier), toBytes(qualifier)).add(G, toBytes(qualifier), toBytes(qualifier));
    table.put(put);
    table.put(new Put(row, 20).add(F, toBytes("a"), toBytes("newer")));
    Step shown = () -> text(table.get(new Get(row).setMaxVersions()));
    table.delete(new Delete(row).deleteColumn(F, toBytes("a")));
    run("deleteColumn newest", shown);
    table.delete(new Delete(row).deleteColumns(F, toBytes("b"), 15));
    run("deleteColumns", shown);
    table.delete(new Delete(row).deleteFamily(G, 5));
    run("deleteFamily before", shown);
    table.delete(new Delete(row).deleteFamily(G));
    run("deleteFamily", shown);
    table.delete(new ArrayList<>(Arrays.asList(new Delete(row), new Delete(toBytes("row-none")))));
    run("delete list", shown);
    table.close();
  }

  private void changes() throws Exception {
    HTable table = new HTable(configuration, T);
    byte[] row = toBytes("row-3");
    byte[] q = toBytes("n");
    run("incrementColumnValue", () -> table.incrementColumnValue(row, F, q, 5));
    run("incrementColumnValue down", () -> table.incrementColumnValue(row, F, q, -7));
    run("increment", () -> text(table.increment(new Increment(row).addColumn(F, q, 10).addColumn(G, q, Long.MAX_VALUE))));
    run("append", () -> text(table.append(new Append(row).add(F, toBytes("t"), toBytes("one")))));
    run("append again", () -> text(table.append(new Append(row).add(F, toBytes("t"), toBytes(", two")))));
    Put put = new Put(row, 100).add(F, toBytes("c"), toBytes("checked"));
    run("checkAndPut missing", () -> table.checkAndPut(row, F, toBytes("c"), null, put));
    run("checkAndPut not", () -> table.checkAndPut(row, F, toBytes("c"), toBytes("other"), put));
    run("checkAndPut compared", () -> table.checkAndPut(row, F, toBytes("c"), CompareOp.GREATER, toBytes("d"), put));
    run("checkAndDelete", () -> table.checkAndDelete(row, F, toBytes("c"), toBytes("checked"), new Delete(row).deleteColumns(F, toBytes("t"))));
    RowMutations mutations = new RowMutations(row);
    mutations.add(new Put(row, 100).add(G, toBytes("m"), toBytes("together")));
    mutations.add(new Delete(row).deleteColumns(F, toBytes("c")));
    run("mutateRow", () -> {
      table.mutateRow(mutations);
      return text(table.get(new Get(row)));
    });
    run("checkAndMutate", () -> table.checkAndMutate(row, G, toBytes("m"), CompareOp.EQUAL, toBytes("together"), mutations));
    table.close();
  }

  private void scans() throws Exception {
    HTable table = new HTable(configuration, T);
    List<Put> puts = new ArrayList<>();
    for (int row = 1; row <= 100; row++) {
      Put put = new Put(toBytes("scan-" + row), 50);
      for (int column = 1; column <= 20; column++) {
        byte[] qualifier = toBytes("col-" + column);
        put.add(F, qualifier, toBytes("v" + row + "." + column)).add(G, qualifier, toBytes("w"));
      }
      puts.add(put);
    }
    table.put(puts);
    run("scan", () -> all(table, new Scan(toBytes("scan-"), toBytes("scan-11")).addFamily(F).setMaxResultsPerColumnFamily(2)));
    Scan columns = new Scan(toBytes("scan-10"), toBytes("scan-20"));
    columns.addColumn(F, toBytes("col-5")).addColumn(G, toBytes("col-13"));
    run("scan of columns", () -> all(table, columns));
    run("scan in batches", () -> all(table, new Scan(toBytes("scan-7"), toBytes("scan-71")).setBatch(7)));
    run("scan cached", () -> all(table, new Scan(toBytes("scan-"), toBytes("scan.")).addColumn(F, toBytes("col-1")).setCaching(1000)));
    run("scan one by one", () -> all(table, new Scan(toBytes("scan-3"), toBytes("scan-33")).addColumn(F, toBytes("col-1")).setCaching(1)));
    Scan small = new Scan(toBytes("scan-4"), toBytes("scan-45")).addColumn(F, toBytes("col-1"));
    small.setSmall(true);
    run("small scan", () -> all(table, small));
    Scan reversed = new Scan(toBytes("scan-9"), toBytes("scan-8")).addColumn(F, toBytes("col-1"));
    reversed.setReversed(true);
    run("reversed scan", () -> all(table, reversed));
    run("prefix", () -> all(table, new Scan().addColumn(F, toBytes("col-2")).setFilter(new PrefixFilter(toBytes("scan-2")))));
    run("regex", () -> all(table, new Scan().addColumn(F, toBytes("col-2")).setFilter(new RowFilter(CompareOp.EQUAL, new RegexStringComparator("scan-.5$")))));
    run("page", () -> all(table, new Scan(toBytes("scan-5")).addColumn(F, toBytes("col-2")).setFilter(new PageFilter(3))));
    run("value", () -> all(table, new Scan(toBytes("scan-")).addColumn(F, toBytes("col-2")).setFilter(new SingleColumnValueFilter(F, toBytes("col-2"), CompareOp.EQUAL, toBytes("v42.2")))));
    run("getRowOrBefore", () -> text(table.getRowOrBefore(toBytes("scan-42x"), F)));
    table.close();
  }

  private void buffered() throws Exception {
    HTable table = new HTable(configuration, T);
    table.setAutoFlush(false);
    table.setWriteBufferSize(2 * 1024 * 1024);
    for (int i = 0; i < 10_000; i++) {
      Put put = new Put(toBytes("row-" + (i % 10) + "-" + i));
      table.put(put.add(F, toBytes("b"), toBytes("buffered " + i)));
    }
    run("before the flush", () -> table.getWriteBuffer().size() > 0);
    table.flushCommits();
    run("buffered", () -> {
      int rows = 0;
      Scan scan = new Scan().addColumn(F, toBytes("b"));
      scan.setCaching(1000);
      try (ResultScanner scanner = table.getScanner(scan)) {
        for (Result result : scanner) rows += result.size();
      }
      return rows;
    });
    table.close();
  }

  private void upkeep() throws Exception {
    run("flush", () -> {
      admin.flush(T);
      return "flushed";
    });
    run("majorCompact", () -> {
      admin.majorCompact(T);
      return "asked";
    });
    run("snapshot", () -> {
      admin.snapshot("old_snapshot", T);
      admin.cloneSnapshot("old_snapshot", TableName.valueOf("old_ns:clone"));
      return regions(admin.getTableRegions(TableName.valueOf("old_ns:clone")));
    });
    run("listSnapshots", () -> admin.listSnapshots("old_.*").size());
    run("deleteSnapshot", () -> {
      admin.deleteSnapshot("old_snapshot");
      return admin.listSnapshots("old_.*").size();
    });
    run("modifyTable", () -> {
      HTableDescriptor changed = new HTableDescriptor(admin.getTableDescriptor(T));
      changed.setMaxFileSize(20_000_000_000L);
      admin.modifyTable(T, changed);
      while (admin.getAlterStatus(T).getFirst() > 0) Thread.sleep(50);
      return admin.getTableDescriptor(T).getMaxFileSize();
    });
    run("cluster status", () -> admin.getClusterStatus().getServersSize());
    run("balancer", () -> admin.setBalancerRunning(false, true) + " " + admin.setBalancerRunning(true, true));
  }

  private void end() throws Exception {
    admin.disableTable(T);
    run("disabled", () -> admin.isTableDisabled(T));
    HTable table = new HTable(configuration, T);
    run("get of a disabled table", () -> text(table.get(new Get(toBytes("row-1")))));
    run("truncateTable", () -> {
      admin.truncateTable(T, true);
      return regions(admin.getTableRegions(T));
    });
    run("empty", () -> text(table.get(new Get(toBytes("row-1")))));
    admin.disableTable(T);
    admin.deleteTable(T);
    run("deleted", () -> admin.tableExists(T));
    run("get of no table", () -> text(new HTable(configuration, "old_none").get(new Get(toBytes("row-1")))));
    admin.disableTable("old_ns:clone");
    admin.deleteTable("old_ns:clone");
    admin.deleteNamespace("old_ns");
    run("namespaces", () -> admin.listNamespaceDescriptors().length);
  }
}
