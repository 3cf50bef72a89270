import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.io.TimeRange;

/** Reads and writes of single rows and batches through Table, BufferedMutator and RegionLocator. */
public final class TableClient {
  private static final byte[] F = toBytes("f");
  private static final byte[] G = toBytes("g");
  private static final byte[] Q = toBytes("q");

  private final Connection connection;
  private final Table table;

  private TableClient(Connection connection, TableName name) throws Exception {
    this.connection = connection;
    this.table = connection.getTable(name);
  }

  public static void main(String[] args) throws Exception {
    TableName name = TableName.valueOf("java_table");
    try (Connection connection =
        ConnectionFactory.createConnection(Printed.configuration(args[0]))) {
      if (args.length < 2) Printed.createTable(connection, name);
      TableClient client = new TableClient(connection, name);
      client.puts();
      client.gets();
      client.deletes();
      client.counters();
      client.conditions();
      client.conditionsWithFilters();
      client.severalMutations();
      client.batches();
      client.bufferedMutator();
      client.regions();
      client.errors();
    }
  }

  private static Put put(String row, String value, long at) {
    return new Put(toBytes(row)).addColumn(F, Q, at, toBytes(value));
  }

  private void show(String row) {
    Printed.run("  row " + row, () -> table.get(new Get(toBytes(row)).readAllVersions()));
  }

  private void puts() throws Exception {
    table.put(put("a", "1", 10));
    table.put(put("a", "2", 20).addColumn(G, toBytes("x"), 20, toBytes("gx")));
    table.put(Arrays.asList(put("b", "b1", 10), put("n", "n1", 10), put("z", "z1", 10)));
    table.put(new Put(toBytes("now")).addColumn(F, null, toBytes("no qualifier")));
    for (Durability each : Durability.values()) {
      Put put = put("durable", each.name(), 100 + each.ordinal());
      table.put(put.setDurability(each));
    }
    table.put(put("binary", "x", 1).addColumn(F, new byte[] {0, -1, 10}, 5, new byte[] {-128, 0}));
    table.put(put("attributes", "x", 1).setAttribute("mine", toBytes("kept")).setPriority(7));
    table.put(put("ttl", "lives", 1000).setTTL(1_000_000_000_000_000L));
    table.put(put("large", "x", 1).addColumn(G, Q, 1, new byte[300_000]));
    for (String row : new String[] {"a", "b", "n", "z", "now", "durable", "binary", "attributes"}) {
      show(row);
    }
    show("ttl");
    show("large");
  }

  private void gets() {
    byte[] a = toBytes("a");
    Printed.run("get family", () -> table.get(new Get(a).addFamily(G)));
    Printed.run("get column", () -> table.get(new Get(a).addColumn(F, Q)));
    Printed.run("get versions", () -> table.get(new Get(a).addColumn(F, Q).readVersions(2)));
    Printed.run("get at", () -> table.get(new Get(a).setTimestamp(10).readAllVersions()));
    Printed.run("get range", () -> table.get(new Get(a).setTimeRange(0, 20).readAllVersions()));
    Printed.run(
        "get family range",
        () -> table.get(new Get(a).setColumnFamilyTimeRange(F, 5, 15).readAllVersions()));
    Printed.run(
        "get limit", () -> table.get(new Get(toBytes("binary")).setMaxResultsPerColumnFamily(1)));
    Printed.run(
        "get offset", () -> table.get(new Get(toBytes("binary")).setRowOffsetPerColumnFamily(1)));
    Printed.run(
        "get filter",
        () ->
            table.get(
                new Get(a)
                    .setFilter(
                        new ValueFilter(CompareOperator.EQUAL, new SubstringComparator("G")))));
    Printed.run("get missing", () -> table.get(new Get(toBytes("missing"))));
    Printed.run("get existence", () -> table.get(new Get(a).setCheckExistenceOnly(true)));
    Printed.run("exists", () -> table.exists(new Get(a)));
    Printed.run("exists not", () -> table.exists(new Get(toBytes("missing"))));
    List<Get> gets =
        Arrays.asList(new Get(toBytes("z")), new Get(toBytes("missing")), new Get(a), new Get(a));
    Printed.run("get list", () -> table.get(gets));
    Printed.run("exists list", () -> table.exists(gets));
    Printed.run("get empty list", () -> table.get(new ArrayList<>()));
    Printed.run("descriptor", () -> table.getDescriptor().getColumnFamilyCount());
  }

  private void deletes() throws Exception {
    byte[] d = toBytes("d");
    for (long at = 1; at <= 5; at++) {
      table.put(put("d", "v" + at, at).addColumn(F, toBytes("r"), at, toBytes("r" + at)));
      table.put(new Put(d).addColumn(G, Q, at, toBytes("g" + at)));
    }
    table.delete(new Delete(d).addColumn(F, Q));
    show("d");
    table.delete(new Delete(d).addColumn(F, Q, 2));
    show("d");
    table.delete(new Delete(d).addColumns(F, Q, 3));
    show("d");
    table.delete(new Delete(d).addFamilyVersion(F, 5));
    show("d");
    table.delete(new Delete(d).addFamily(F, 2));
    show("d");
    table.delete(new Delete(d).addColumns(F, toBytes("r")));
    show("d");
    table.delete(new Delete(d, 4));
    show("d");
    table.delete(new Delete(d));
    show("d");
    for (String row : new String[] {"d1", "d2", "z2"}) table.put(put(row, "x", 1));
    List<Delete> list = new ArrayList<>();
    for (String row : new String[] {"d1", "d2", "z2"}) list.add(new Delete(toBytes(row)));
    table.delete(list);
    Printed.line("deletes left", list.size());
    Printed.run(
        "raw",
        () -> {
          Scan scan = new Scan().withStartRow(d).withStopRow(toBytes("e")).setRaw(true);
          return table.getScanner(scan.readAllVersions());
        });
  }

  private void counters() throws Exception {
    byte[] c = toBytes("c");
    Printed.run("increment", () -> table.incrementColumnValue(c, F, Q, 5));
    Printed.run("increment down", () -> table.incrementColumnValue(c, F, Q, -7));
    Printed.run(
        "increment skipping", () -> table.incrementColumnValue(c, F, Q, 1, Durability.SKIP_WAL));
    Printed.run(
        "increment several",
        () ->
            table.increment(
                new Increment(c).addColumn(F, toBytes("x"), 1).addColumn(G, toBytes("y"), 2)));
    Printed.run(
        "increment silently",
        () -> table.increment(new Increment(c).addColumn(F, Q, 1).setReturnResults(false)));
    Printed.run(
        "increment in time",
        () -> table.increment(new Increment(c).addColumn(F, Q, 1).setTimeRange(0, 5)));
    Printed.run(
        "increment at", () -> table.increment(new Increment(c).addColumn(F, toBytes("x"), 41)));
    table.put(put("c", "text", 1).addColumn(F, toBytes("text"), toBytes("no number")));
    Printed.run("increment text", () -> table.incrementColumnValue(c, F, toBytes("text"), 1));
    Printed.run("append", () -> table.append(new Append(c).addColumn(F, toBytes("s"), toBytes("ab"))));
    Printed.run(
        "append again",
        () ->
            table.append(
                new Append(c)
                    .addColumn(F, toBytes("s"), toBytes("cd"))
                    .addColumn(G, toBytes("t"), toBytes("new"))));
    Printed.run(
        "append silently",
        () ->
            table.append(
                new Append(c).addColumn(F, toBytes("s"), toBytes("ef")).setReturnResults(false)));
    show("c");
  }

  private void conditions() throws Exception {
    byte[] k = toBytes("k");
    table.put(put("k", "5", 1));
    for (CompareOperator operator : CompareOperator.values()) {
      if (operator == CompareOperator.NO_OP) continue;
      Printed.run(
          "if value " + operator,
          () ->
              table.checkAndMutate(
                  CheckAndMutate.newBuilder(k)
                      .ifMatches(F, Q, operator, toBytes("5"))
                      .build(put("k", "seen " + operator, 1).addColumn(G, Q, 1, toBytes("5")))));
      table.put(put("k", "5", 1));
    }
    Printed.run(
        "if equals, then delete",
        () ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(k)
                    .ifEquals(F, Q, toBytes("5"))
                    .build(new Delete(k).addColumns(G, Q))));
    Printed.run(
        "if not there",
        () ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(k)
                    .ifNotExists(F, toBytes("new"))
                    .build(new Put(k).addColumn(F, toBytes("new"), 1, toBytes("n")))));
    Printed.run(
        "if not there, again",
        () ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(k)
                    .ifNotExists(F, toBytes("new"))
                    .build(new Put(k).addColumn(F, toBytes("new"), 2, toBytes("m")))));
    Printed.run(
        "if in time",
        () ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(k)
                    .ifEquals(F, Q, toBytes("5"))
                    .timeRange(TimeRange.between(5, 10))
                    .build(put("k", "late", 3))));
    Printed.run(
        "if equals, then increment",
        () ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(k)
                    .ifEquals(F, Q, toBytes("5"))
                    .build(new Increment(k).addColumn(F, toBytes("count"), 3))));
    Printed.run(
        "if equals, then append",
        () ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(k)
                    .ifEquals(F, Q, toBytes("5"))
                    .build(new Append(k).addColumn(F, toBytes("new"), toBytes("+")))));
    Printed.run(
        "if other row",
        () ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(k).ifEquals(F, Q, toBytes("5")).build(put("a", "x", 1))));
    Printed.run("old form", () -> oldForm(k, "5"));
    Printed.run("old form, other value", () -> oldForm(k, "6"));
    show("k");
  }

  @SuppressWarnings("deprecation")
  private boolean oldForm(byte[] row, String value) throws Exception {
    return table
        .checkAndMutate(row, F)
        .qualifier(Q)
        .ifMatches(CompareOperator.EQUAL, toBytes(value))
        .thenPut(new Put(row).addColumn(G, toBytes("old"), 1, toBytes(value)));
  }

  private void conditionsWithFilters() {
    byte[] k = toBytes("k");
    FilterList both =
        new FilterList(
            new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, toBytes("5")),
            new SingleColumnValueFilter(
                F, toBytes("new"), CompareOperator.GREATER, new BinaryComparator(toBytes("a"))));
    Printed.run(
        "if filter",
        () ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(k)
                    .ifMatches(both)
                    .build(new Put(k).addColumn(G, toBytes("filtered"), 1, toBytes("yes")))));
    Printed.run(
        "if filter in time",
        () ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(k)
                    .ifMatches(both)
                    .timeRange(TimeRange.between(100, 200))
                    .build(new Delete(k))));
    Printed.run(
        "if filter, then several",
        () ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(k)
                    .ifMatches(both)
                    .build(
                        new RowMutations(k)
                            .add(new Increment(k).addColumn(F, toBytes("count"), 1))
                            .add(new Append(k).addColumn(F, toBytes("new"), toBytes("-")))
                            .add((org.apache.hadoop.hbase.client.Mutation) put("k", "6", 1)))));
    Printed.run(
        "many conditions",
        () ->
            table.checkAndMutate(
                Arrays.asList(
                    CheckAndMutate.newBuilder(k).ifEquals(F, Q, toBytes("6")).build(put("k", "7", 1)),
                    CheckAndMutate.newBuilder(toBytes("z"))
                        .ifEquals(F, Q, toBytes("nope"))
                        .build(put("z", "7", 1)),
                    CheckAndMutate.newBuilder(toBytes("a"))
                        .ifEquals(F, Q, toBytes("2"))
                        .build(
                            new Increment(toBytes("a")).addColumn(F, toBytes("count"), 9)))));
    show("k");
  }

  private void severalMutations() {
    byte[] r = toBytes("several");
    Printed.run(
        "mutateRow",
        () ->
            table.mutateRow(
                RowMutations.of(
                    Arrays.asList(
                        put("several", "1", 1),
                        new Put(r).addColumn(G, Q, 1, toBytes("gone")),
                        new Delete(r).addColumns(G, Q)))));
    Printed.run(
        "mutateRow with results",
        () ->
            table.mutateRow(
                RowMutations.of(
                    Arrays.asList(
                        new Increment(r).addColumn(F, toBytes("n"), 4),
                        new Append(r).addColumn(F, Q, toBytes("!")),
                        new Delete(r).addColumns(G, toBytes("never"))))));
    Printed.run(
        "mutateRow without family",
        () ->
            table.mutateRow(
                RowMutations.of(
                    Arrays.asList(
                        put("several", "2", 2),
                        new Put(r).addColumn(toBytes("nope"), Q, toBytes("x"))))));
    show("several");
  }

  private void batches() throws Exception {
    byte[] b = toBytes("batch");
    List<Row> rows =
        Arrays.asList(
            put("batch", "1", 1),
            put("q", "q1", 1),
            new Get(toBytes("a")),
            new Increment(b).addColumn(F, toBytes("n"), 2),
            new Append(toBytes("q2")).addColumn(F, Q, toBytes("app")),
            new Delete(toBytes("n")),
            new Get(toBytes("z")).setCheckExistenceOnly(true),
            RowMutations.of(Arrays.asList(put("rows", "1", 1), put("rows", "2", 2))),
            new Get(toBytes("missing")),
            CheckAndMutate.newBuilder(toBytes("z"))
                .ifEquals(F, Q, toBytes("z1"))
                .build(put("z", "z2", 20)),
            new Get(toBytes("a")).addFamily(toBytes("nope")),
            new Put(toBytes("y")).addColumn(toBytes("nope"), Q, toBytes("x")));
    Object[] results = new Object[rows.size()];
    try {
      table.batch(rows, results);
    } catch (Exception thrown) {
      Printed.line("batch", Printed.error(thrown));
    }
    for (int i = 0; i < results.length; i++) {
      Printed.line("batch " + i, Printed.text(results[i]));
    }
    table.batchCallback(
        Arrays.asList(new Get(toBytes("q"))),
        new Object[1],
        (region, row, result) ->
            Printed.line("callback " + new String(row), Printed.text(result)));
    for (String row : new String[] {"batch", "n", "q", "q2", "rows", "z"}) show(row);
    orderOfBatch();
  }

  /** Gets of a batch come before its puts and deletes, and behind those that an increment or append follows. */
  private void orderOfBatch() throws Exception {
    byte[] o = toBytes("order");
    List<Row> rows =
        Arrays.asList(
            put("order", "1", 1),
            new Get(o),
            new Increment(o).addColumn(F, toBytes("n"), 1),
            new Get(o),
            new Delete(o, 9).addFamily(F, 9),
            new Get(o),
            new Append(o).addColumn(F, toBytes("p"), toBytes("x")),
            new Get(o),
            RowMutations.of(Arrays.asList(put("order", "2", 12))),
            new Get(o),
            CheckAndMutate.newBuilder(o).ifEquals(F, Q, toBytes("2")).build(put("order", "3", 13)),
            new Get(o).setCheckExistenceOnly(true),
            put("order", "4", 14));
    Object[] results = new Object[rows.size()];
    table.batch(rows, results);
    for (int i = 0; i < results.length; i++) {
      Printed.line("order " + i, Printed.text(results[i]));
    }
    show("order");
  }

  private void bufferedMutator() throws Exception {
    try (BufferedMutator mutator = connection.getBufferedMutator(table.getName())) {
      for (int i = 0; i < 1000; i++) {
        mutator.mutate(put(String.format("%s%03d", i % 2 == 0 ? "bm" : "nm", i), "v" + i, 5));
      }
      mutator.flush();
      mutator.mutate(Arrays.asList(new Delete(toBytes("bm000")), put("bm002", "changed", 6)));
    }
    int count = 0;
    for (Object each : table.getScanner(new Scan().withStartRow(toBytes("bm")).withStopRow(toBytes("o")))) {
      count += each == null ? 0 : 1;
    }
    Printed.line("buffered", count);
    show("bm000");
    show("bm002");
    Printed.run(
        "buffered without family",
        () -> {
          try (BufferedMutator mutator = connection.getBufferedMutator(table.getName())) {
            mutator.mutate(new Put(toBytes("y")).addColumn(toBytes("nope"), Q, toBytes("x")));
          }
          return "no error";
        });
  }

  private void regions() throws Exception {
    try (RegionLocator locator = connection.getRegionLocator(table.getName())) {
      Printed.run("start keys", () -> locator.getStartKeys());
      Printed.run("end keys", () -> locator.getEndKeys());
      Printed.run("regions", () -> locator.getAllRegionLocations().size());
      Printed.run(
          "region of a",
          () -> locator.getRegionLocation(toBytes("a")).getRegion().getEndKey());
      Printed.run(
          "region of z, looked up again",
          () -> locator.getRegionLocation(toBytes("z"), true).getRegion().getStartKey());
      Printed.run("replicas", () -> locator.getRegionLocations(toBytes("z")).size());
    }
  }

  private void errors() throws Exception {
    Printed.run("no family", () -> table.get(new Get(toBytes("a")).addFamily(toBytes("nope"))));
    Printed.run(
        "put without family",
        () -> {
          table.put(new Put(toBytes("a")).addColumn(toBytes("nope"), Q, toBytes("x")));
          return "no error";
        });
    Printed.run(
        "scan without family",
        () -> table.getScanner(new Scan().addFamily(toBytes("nope"))).next());
    Printed.run(
        "no table",
        () -> {
          try (Table none = connection.getTable(TableName.valueOf("java_none"))) {
            return none.get(new Get(toBytes("a")));
          }
        });
    Printed.run(
        "put into no table",
        () -> {
          try (Table none = connection.getTable(TableName.valueOf("java_none"))) {
            none.put(put("a", "x", 1));
            return "no error";
          }
        });
    Printed.run(
        "too large",
        () -> {
          table.put(new Put(toBytes("a")).addColumn(F, Q, new byte[10 * 1024 * 1024]));
          return "no error";
        });
    Printed.run(
        "too large an increment",
        () -> table.append(new Append(toBytes("large")).addColumn(G, Q, new byte[10_400_000])));
  }
}
