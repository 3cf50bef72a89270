import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The part of the client's interface that all releases from 1.1 to 3.0 have, on a table with the families f and g. */
public final class VersionsRun {
  private static final byte[] F = toBytes("f");
  private static final byte[] G = toBytes("g");

  private static void step(String name, Callable<?> body) {
    String answer;
    try {
      answer = String.valueOf(body.call());
    } catch (Exception e) {
      Throwable cause = e;
      while (cause.getCause() != null) cause = cause.getCause();
      answer = cause.getClass().getSimpleName();
    }
    System.out.println(name + ": " + answer);
  }

  private static String text(Result result) {
    StringBuilder out = new StringBuilder(String.valueOf(Bytes.toStringBinary(result.getRow() == null ? new byte[0] : result.getRow())));
    if (result.rawCells() != null)
      for (Cell cell : result.rawCells())
        out.append(' ').append(Bytes.toStringBinary(CellUtil.cloneFamily(cell))).append(':')
            .append(Bytes.toStringBinary(CellUtil.cloneQualifier(cell))).append('@').append(cell.getTimestamp()).append('=')
            .append(Bytes.toStringBinary(CellUtil.cloneValue(cell)));
    return out.toString();
  }

  private static String scanned(Table table, Scan scan) throws Exception {
    List<String> found = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) found.add(text(result));
    }
    return found.toString();
  }

  private static Put put(String row, byte[] family, String qualifier, long time, String value) {
    return new Put(toBytes(row)).addColumn(family, toBytes(qualifier), time, toBytes(value));
  }

  private static String appended(Table table, String more) throws Exception {
    Append append = new Append(toBytes("c"));
    append.add(new KeyValue(toBytes("c"), F, toBytes("t"), toBytes(more)));
    return Bytes.toString(table.append(append).getValue(F, toBytes("t")));
  }

  private static void writes(Table table) {
    step("put", () -> {
      table.put(put("a1", F, "q", 10, "v10"));
      table.put(Arrays.asList(put("a1", F, "q", 20, "v20"), put("a1", G, "q", 5, "g5"), put("a2", F, "q", 10, "w"), put("b1", F, "q", 10, "x")));
      return "done";
    });
    step("get", () -> text(table.get(new Get(toBytes("a1")))));
    step("get of a column", () -> text(table.get(new Get(toBytes("a1")).addColumn(F, toBytes("q")))));
    step("get of a time range", () -> text(table.get(new Get(toBytes("a1")).setTimeRange(0, 20))));
    step("get of a row that is not there", () -> table.get(new Get(toBytes("none"))).isEmpty());
    step("exists", () -> table.exists(new Get(toBytes("a2"))) + " " + table.exists(new Get(toBytes("none"))));
    step("gets", () -> {
      List<String> found = new ArrayList<>();
      for (Result result : table.get(Arrays.asList(new Get(toBytes("b1")), new Get(toBytes("none")), new Get(toBytes("a2"))))) found.add(text(result));
      return found;
    });
    step("increment", () -> {
      table.increment(new Increment(toBytes("c")).addColumn(F, toBytes("n"), 41));
      return table.incrementColumnValue(toBytes("c"), F, toBytes("n"), 1);
    });
    step("append", () -> {
      appended(table, "ab");
      return appended(table, "cd");
    });
    step("row mutations", () -> {
      RowMutations mutations = new RowMutations(toBytes("a2"));
      mutations.add(put("a2", G, "new", 30, "n"));
      mutations.add(new Delete(toBytes("a2")).addColumns(F, toBytes("q"), 100));
      table.mutateRow(mutations);
      return text(table.get(new Get(toBytes("a2"))));
    });
    step("a batch", () -> {
      List<Row> actions = Arrays.asList(new Get(toBytes("a1")), put("d1", F, "q", 1, "d"), new Delete(toBytes("b1")), new Get(toBytes("none")));
      Object[] results = new Object[actions.size()];
      table.batch(actions, results);
      return text((Result) results[0]) + " " + ((Result) results[3]).isEmpty();
    });
    step("a family that is not there", () -> {
      table.put(put("a1", toBytes("none"), "q", 1, "v"));
      return "done";
    });
    step("a delete", () -> {
      table.delete(new Delete(toBytes("a1")).addColumn(F, toBytes("q"), 20));
      return text(table.get(new Get(toBytes("a1"))));
    });
  }

  private static void scans(Table table) {
    step("2,000 rows", () -> {
      List<Put> many = new ArrayList<>();
      for (int i = 0; i < 2000; i++) many.add(put(String.format("r%04d", i), F, "q", 7, "value" + i));
      table.put(many);
      return "done";
    });
    step("scan", () -> scanned(table, new Scan().addFamily(G)));
    step("scan with a prefix", () -> scanned(table, new Scan().setFilter(new PrefixFilter(toBytes("r001")))));
    step("scan of keys", () -> scanned(table, new Scan().setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter(), new PageFilter(4)))).length() > 0);
    step("scan with caching", () -> {
      int rows = 0;
      try (ResultScanner scanner = table.getScanner(new Scan().setCaching(13))) {
        while (scanner.next() != null) rows++;
      }
      return rows;
    });
    step("reversed scan", () -> {
      try (ResultScanner scanner = table.getScanner(new Scan().setReversed(true).setCaching(5))) {
        return text(scanner.next()) + " " + text(scanner.next());
      }
    });
    step("scan in batches", () -> {
      int parts = 0;
      try (ResultScanner scanner = table.getScanner(new Scan().setBatch(1))) {
        while (scanner.next() != null) parts++;
      }
      return parts;
    });
  }

  public static void main(String[] args) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.set("hbase.zookeeper.property.clientPort", args[0].split(":")[1]);
    configuration.setInt("hbase.client.retries.number", 3);
    // A client 3 asks a master by default.
    if (args.length > 2) configuration.set("hbase.client.registry.impl", args[2]);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(TableName.valueOf(args[1]))) {
      writes(table);
      scans(table);
    }
  }
}
