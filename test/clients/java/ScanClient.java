import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Pair;

/** Scans through Table: ranges, filters, limits, batches, metrics, cursors. */
public final class ScanClient {
  private static final byte[] F = toBytes("f");
  private static final byte[] G = toBytes("g");
  private static final byte[] Q = toBytes("q");

  private final Table table;

  private ScanClient(Table table) {
    this.table = table;
  }

  public static void main(String[] args) throws Exception {
    TableName name = TableName.valueOf("java_scan");
    try (Connection connection =
        ConnectionFactory.createConnection(Printed.configuration(args[0]))) {
      if (args.length < 2) Printed.createTable(connection, name);
      try (Table table = connection.getTable(name)) {
        ScanClient client = new ScanClient(table);
        client.fill();
        client.ranges();
        client.limits();
        client.filters();
        client.metrics();
        client.cursors();
        client.longRows();
      }
    }
  }

  /** Rows a00 to z51, each with three versions of f:q, and g:0 to g:3. */
  private void fill() throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 52; i++) {
      Put put = new Put(toBytes(String.format("%c%02d", 'a' + i % 26, i)));
      for (int at = 1; at <= 3; at++) put.addColumn(F, Q, at, toBytes("v" + i + "." + at));
      for (int g = 0; g <= i % 4; g++) put.addColumn(G, toBytes("x" + g), 10, toBytes("g" + g));
      puts.add(put);
    }
    table.put(puts);
  }

  private void all(String what, Scan scan) {
    Printed.run(
        what,
        () -> {
          List<Result> results = new ArrayList<>();
          try (ResultScanner scanner = table.getScanner(scan)) {
            for (Result each : scanner) results.add(each);
          }
          return results.size() + " " + Printed.text(results);
        });
  }

  private static Scan range(String from, String to) {
    return new Scan().withStartRow(toBytes(from)).withStopRow(toBytes(to));
  }

  private void ranges() {
    all("all", new Scan().addColumn(F, Q));
    all("from to", range("c", "e"));
    all("within", new Scan().withStartRow(toBytes("c02"), false).withStopRow(toBytes("d29"), true));
    all("over regions", range("l", "o").addFamily(G));
    all("reversed", range("o", "k").setReversed(true).addFamily(F));
    all("reversed from the end", new Scan().setReversed(true).setLimit(3).addFamily(F));
    all(
        "reversed within",
        new Scan()
            .withStartRow(toBytes("d29"), false)
            .withStopRow(toBytes("b01"), true)
            .setReversed(true));
    all("prefix", new Scan().setRowPrefixFilter(toBytes("z")));
    all("one row", new Scan().withStartRow(toBytes("b01")).withStopRow(toBytes("b01"), true));
    all("nothing", range("zz", ""));
    all("versions", range("a", "b").readAllVersions().addFamily(F));
    all("two versions", range("a", "b").readVersions(2));
    times();
  }

  private void times() {
    Printed.run(
        "times",
        () -> {
          Scan scan = range("a", "b").readAllVersions().setTimeRange(2, 3);
          scan.setColumnFamilyTimeRange(G, 0, 5);
          List<Result> results = new ArrayList<>();
          try (ResultScanner scanner = table.getScanner(scan)) {
            for (Result each : scanner) results.add(each);
          }
          return results;
        });
  }

  private void limits() {
    for (int limit : new int[] {1, 5, 26, 27, 51, 52, 60}) {
      all("limit " + limit, new Scan().setLimit(limit).addColumn(F, Q).setFilter(new KeyOnlyFilter()));
    }
    all("limit of one row", new Scan().setOneRowLimit());
    for (int caching : new int[] {1, 3, 26, 100}) {
      all("caching " + caching, range("k", "p").setCaching(caching).addColumn(F, Q));
    }
    all("batch 1", range("c", "d").setBatch(1));
    all("batch 2", range("c", "e").setBatch(2).setCaching(2));
    all("batch and limit", range("c", "z").setBatch(2).setLimit(3));
    all("batch with versions", range("c", "d").readAllVersions().setBatch(4));
    all("per family", range("c", "e").setMaxResultsPerColumnFamily(1));
    all("per family from", range("c", "e").setRowOffsetPerColumnFamily(1));
    all("small answers", range("c", "h").setMaxResultSize(1));
    all("parts", range("c", "e").setMaxResultSize(1).setAllowPartialResults(true));
    all("stream", range("c", "d").setReadType(Scan.ReadType.STREAM));
    all("pread", range("c", "d").setReadType(Scan.ReadType.PREAD).setCacheBlocks(false));
    all("small", small(range("c", "e")));
    all("async prefetch", range("k", "p").setAsyncPrefetch(true).setCaching(2).addFamily(F));
    all("mvcc", range("c", "d").setIsolationLevel(
        org.apache.hadoop.hbase.client.IsolationLevel.READ_UNCOMMITTED));
    all("attribute", range("c", "d").setAttribute("mine", toBytes("x")).setPriority(3).setId("me"));
    Printed.run("next of several", () -> {
      try (ResultScanner scanner = table.getScanner(range("a", "z").addFamily(F).setCaching(5))) {
        return Arrays.asList(scanner.next(2).length, scanner.next(30).length, scanner.next(100).length,
            scanner.next(1).length, String.valueOf(scanner.next()), scanner.renewLease());
      }
    });
    Printed.run("renewed", () -> {
      try (ResultScanner scanner = table.getScanner(range("a", "z").addFamily(F).setCaching(2))) {
        String first = Printed.text(scanner.next());
        return first + scanner.renewLease() + Printed.text(scanner.next(3));
      }
    });
  }

  @SuppressWarnings("deprecation")
  private static Scan small(Scan scan) {
    return scan.setSmall(true);
  }

  private void filters() {
    Map<String, Filter> filters = new TreeMap<>();
    filters.put("prefix", new PrefixFilter(toBytes("c")));
    filters.put("page", new PageFilter(3));
    filters.put("row", new RowFilter(CompareOperator.GREATER, new BinaryComparator(toBytes("x"))));
    filters.put("regex", new RowFilter(CompareOperator.EQUAL, new RegexStringComparator("^.0[0-3]$")));
    filters.put("value", new ValueFilter(CompareOperator.EQUAL, new BinaryPrefixComparator(toBytes("v5."))));
    filters.put("qualifier", new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(toBytes("x3"))));
    filters.put("column", new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, toBytes("v7.3")));
    filters.put("column value", new ColumnValueFilter(F, Q, CompareOperator.EQUAL, toBytes("v7.3")));
    filters.put("column prefix", new ColumnPrefixFilter(toBytes("x3")));
    filters.put("column prefixes", new MultipleColumnPrefixFilter(new byte[][] {toBytes("x3"), toBytes("q")}));
    filters.put("column range", new ColumnRangeFilter(toBytes("x1"), true, toBytes("x2"), true));
    filters.put("columns of a page", new ColumnPaginationFilter(1, 3));
    filters.put("times", new TimestampsFilter(Arrays.asList(10L)));
    filters.put("inclusive stop", new InclusiveStopFilter(toBytes("b27")));
    filters.put("while", new WhileMatchFilter(new ValueFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(toBytes("v2.3")))));
    filters.put("skip", new SkipFilter(new ValueFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(toBytes("g1")))));
    filters.put("first key", new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter(true), new PageFilter(2)));
    filters.put("fuzzy", new FuzzyRowFilter(Arrays.asList(new Pair<>(toBytes("?05"), new byte[] {1, 0, 0}))));
    filters.put("one of", new FilterList(FilterList.Operator.MUST_PASS_ONE, new PrefixFilter(toBytes("b")), new PrefixFilter(toBytes("y"))));
    filters.put("row ranges", new MultiRowRangeFilter(Arrays.asList(
        new MultiRowRangeFilter.RowRange("b", true, "c", false), new MultiRowRangeFilter.RowRange("y24", false, "z", false))));
    for (Map.Entry<String, Filter> each : filters.entrySet()) {
      all("filter " + each.getKey(), new Scan().setFilter(each.getValue()));
      all("filter " + each.getKey() + " reversed and limited", new Scan().setReversed(true).setLimit(4).setFilter(each.getValue()));
    }
  }

  private void metrics() {
    count("all", new Scan());
    count("some", range("c", "p"));
    count("filtered", new Scan().setFilter(new RowFilter(CompareOperator.EQUAL, new RegexStringComparator("^z"))));
    count("batches in pages", new Scan().setBatch(1).setCaching(3));
    count("no value", new Scan().setFilter(new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(toBytes("none")))));
    count("limited", new Scan().setLimit(7));
    count("in pages", new Scan().setCaching(5));
    count("batches", new Scan().setBatch(2));
    count("reversed", new Scan().setReversed(true));
  }

  private void count(String what, Scan scan) {
    Printed.run("metrics " + what, () -> {
      try (ResultScanner scanner = table.getScanner(scan.setScanMetricsEnabled(true))) {
        int results = 0;
        for (Result each : scanner) results += each.isEmpty() ? 0 : 1;
        ScanMetrics metrics = scanner.getScanMetrics();
        return results + " results, " + metrics.countOfRowsScanned + " rows scanned, " + metrics.countOfRowsFiltered
            + " filtered, " + metrics.countOfRegions + " regions, " + metrics.countOfBytesInResults + " bytes";
      }
    });
  }

  private void cursors() {
    all("cursors", range("c", "d").setNeedCursorResult(true).setAllowPartialResults(true).setMaxResultSize(1));
    all("cursors of nothing", new Scan().setNeedCursorResult(true)
        .setFilter(new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(toBytes("none")))));
  }

  /** Rows larger than an answer. */
  private void longRows() throws Exception {
    for (String row : new String[] {"long1", "long2", "n-long"}) {
      Put put = new Put(toBytes(row));
      for (int i = 0; i < 200; i++) put.addColumn(F, toBytes(String.format("c%03d", i)), 1, new byte[20_000]);
      table.put(put);
    }
    Printed.run("long rows", () -> {
      List<String> sizes = new ArrayList<>();
      try (ResultScanner scanner = table.getScanner(new Scan().withStartRow(toBytes("long")).withStopRow(toBytes("n0")))) {
        for (Result each : scanner) sizes.add(new String(each.getRow()) + " " + each.size() + " " + each.mayHaveMoreCellsInRow());
      }
      return sizes;
    });
    Printed.run("long rows with a limit", () -> {
      int cells = 0;
      Scan scan = new Scan().withStartRow(toBytes("long")).setLimit(2).setMaxResultSize(100_000);
      try (ResultScanner scanner = table.getScanner(scan)) {
        for (Result each : scanner) cells += each.size();
      }
      return cells;
    });
  }
}
