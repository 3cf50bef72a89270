import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Which writes of a region are in files, as its load tells it. The numbers are the server's own: what is printed is their order. */
public final class SequenceClient {
  private static final TableName NAME = TableName.valueOf("java_sequence");
  private static final byte[] F = toBytes("f");
  private static final byte[] G = toBytes("g");

  private final Admin admin;
  private final Table table;
  private final ServerName server;
  private final byte[] region;
  private long completed;
  private final Map<String, Long> before = new TreeMap<>();

  private SequenceClient(Connection connection) throws Exception {
    admin = connection.getAdmin();
    table = connection.getTable(NAME);
    server = connection.getRegionLocator(NAME).getRegionLocation(toBytes("a"), true).getServerName();
    region = admin.getRegions(NAME).get(0).getRegionName();
  }

  public static void main(String[] args) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(Printed.configuration(args[0]))) {
      Printed.createTable(connection, NAME);
      SequenceClient client = new SequenceClient(connection);
      client.steps();
      try (Admin admin = connection.getAdmin()) {
        admin.disableTable(NAME);
        admin.deleteTable(NAME);
      }
    }
  }

  private void steps() throws Exception {
    told("of a new region");
    put(F);
    told("after a put to f");
    put(F);
    told("after another");
    put(G);
    told("after a put to g");
    admin.flushRegion(region, F);
    told("after a flush of f");
    put(F);
    told("after a put to f again");
    admin.flushRegion(region);
    told("after a flush");
    admin.flushRegion(region);
    told("after a flush of nothing");
    put(G);
    told("after a put to g again");
    admin.flushRegion(region);
    told("after a flush of g");
    admin.disableTable(NAME);
    admin.enableTable(NAME);
    told("opened again");
    put(G);
    told("after a put to the opened");
  }

  private void put(byte[] family) throws Exception {
    table.put(new Put(toBytes("a")).addColumn(family, F, F));
  }

  private static String compared(long value, long to) {
    return value < to ? "less" : value == to ? "equal" : "more";
  }

  private void told(String when) {
    Printed.run(when, () -> {
      for (RegionMetrics each : admin.getRegionMetrics(server, NAME)) {
        if (!Bytes.equals(each.getRegionName(), region)) continue;
        List<String> found = new ArrayList<>();
        long now = each.getCompletedSequenceId();
        found.add("completed " + (now < 0 ? now : compared(now, completed)));
        TreeMap<byte[], Long> stores = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        stores.putAll(each.getStoreSequenceId());
        for (Map.Entry<byte[], Long> store : stores.entrySet()) {
          String family = Bytes.toString(store.getKey());
          long value = store.getValue();
          found.add(family + " " + (value < 0 ? value : compared(value, before.getOrDefault(family, -1L))
              + ", to completed " + compared(value, now)));
          before.put(family, value);
        }
        completed = now;
        return found;
      }
      return "none";
    });
  }
}
