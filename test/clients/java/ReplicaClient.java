import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** A table whose regions have a second copy for reads. */
public final class ReplicaClient {
  private static final byte[] F = toBytes("f");
  private static final TableName NAME = TableName.valueOf("java_replicas");

  private final Connection connection;
  private final AsyncConnection async;
  private final Admin admin;

  private ReplicaClient(Connection connection, AsyncConnection async) throws Exception {
    this.connection = connection;
    this.async = async;
    this.admin = connection.getAdmin();
  }

  public static void main(String[] args) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(Printed.configuration(args[0]));
        AsyncConnection async =
            ConnectionFactory.createAsyncConnection(Printed.configuration(args[0])).get()) {
      ReplicaClient client = new ReplicaClient(connection, async);
      client.create();
      client.locations("made");
      try (Table table = connection.getTable(NAME)) {
        client.reads(table);
      }
      client.asyncReads();
      client.servers();
      client.changes();
      client.drop();
    }
  }

  private void drop() throws Exception {
    if (!admin.tableExists(NAME)) return;
    if (admin.isTableEnabled(NAME)) admin.disableTable(NAME);
    admin.deleteTable(NAME);
  }

  private static TableDescriptor descriptor(int replication) {
    return TableDescriptorBuilder.newBuilder(NAME)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
        .setRegionReplication(replication)
        .build();
  }

  /** The rows are in files before the copies open, which have nothing else. */
  private void create() throws Exception {
    drop();
    admin.createTable(descriptor(1), new byte[][] {toBytes("m")});
    try (Table table = connection.getTable(NAME)) {
      for (String row : new String[] {"a", "b", "c", "n", "o"}) {
        table.put(new Put(toBytes(row)).addColumn(F, F, 5, toBytes(row)));
      }
    }
    admin.flush(NAME);
    admin.disableTable(NAME);
    admin.modifyTable(descriptor(2));
    admin.enableTable(NAME);
  }

  private static String shown(HRegionLocation location) {
    if (location == null) return "none";
    RegionInfo info = location.getRegion();
    String name = info.getRegionNameAsString().replaceAll("[0-9a-f]{32}", "md5").replaceAll("\\d{13}", "now");
    return name + " " + info.getReplicaId() + (location.getServerName() == null ? " nowhere" : "");
  }

  private void locations(String when) throws Exception {
    try (RegionLocator locator = connection.getRegionLocator(NAME)) {
      locator.clearRegionLocationCache();
      Printed.run("all locations, " + when, () -> {
        List<String> found = new ArrayList<>();
        for (HRegionLocation each : locator.getAllRegionLocations()) found.add(shown(each));
        return found;
      });
      Printed.run("locations of a, " + when, () -> {
        List<String> found = new ArrayList<>();
        for (HRegionLocation each : locator.getRegionLocations(toBytes("a"), true)) found.add(shown(each));
        return found;
      });
      Printed.run("copy of n, " + when, () -> shown(locator.getRegionLocation(toBytes("n"), 1, true)));
      Printed.run("start keys, " + when, () -> locator.getStartKeys());
    }
    Printed.run("available, " + when, () -> admin.isTableAvailable(NAME));
    Printed.run("regions, " + when, () -> {
      List<String> found = new ArrayList<>();
      for (RegionInfo each : admin.getRegions(NAME)) {
        found.add(Printed.text(each.getStartKey()) + "-" + Printed.text(each.getEndKey()) + " " + each.getReplicaId());
      }
      return found;
    });
  }

  private static Get timeline(String row, int replica) {
    return new Get(toBytes(row)).setConsistency(Consistency.TIMELINE).setReplicaId(replica);
  }

  private static String stale(Result result) {
    return Printed.text(result) + " stale=" + result.isStale();
  }

  private void reads(Table table) {
    for (int replica = 0; replica < 2; replica++) {
      int id = replica;
      Printed.run("get of " + id, () -> stale(table.get(timeline("a", id))));
      Printed.run("get of no row of " + id, () -> stale(table.get(timeline("none", id))));
      Printed.run("exists of " + id, () -> table.exists(timeline("n", id)));
      // A client asks the other copies too where the wanted one takes its time.
      Printed.run("gets of " + id, () -> {
        List<String> found = new ArrayList<>();
        for (Result each : table.get(Arrays.asList(timeline("a", id), timeline("n", id), timeline("z", id)))) {
          found.add(Printed.text(each));
        }
        return found;
      });
      Printed.run("scan of " + id, () -> {
        List<String> found = new ArrayList<>();
        Scan scan = new Scan().setConsistency(Consistency.TIMELINE).setReplicaId(id).setCaching(2);
        try (ResultScanner results = table.getScanner(scan)) {
          for (Result each : results) found.add(stale(each));
        }
        return found;
      });
    }
    Printed.run("timeline", () -> table.get(new Get(toBytes("b")).setConsistency(Consistency.TIMELINE)));
    Printed.run("get of a third", () -> table.get(timeline("a", 2)));
  }

  private void asyncReads() {
    Printed.run("async get", () -> stale(async.getTable(NAME).get(timeline("a", 1)).get()));
    Printed.run("async timeline", () ->
        async.getTable(NAME).get(new Get(toBytes("n")).setConsistency(Consistency.TIMELINE)).get());
    Printed.run("async scan", () -> {
      List<String> found = new ArrayList<>();
      Scan scan = new Scan().setConsistency(Consistency.TIMELINE).setReplicaId(1);
      for (Result each : async.getTable(NAME).scanAll(scan).get()) found.add(stale(each));
      return found;
    });
  }

  private void servers() throws Exception {
    ServerName server = admin.getRegionServers().iterator().next();
    Printed.run("regions of the server", () -> {
      List<String> found = new ArrayList<>();
      for (RegionInfo each : admin.getRegions(server)) {
        if (each.getTable().equals(NAME)) found.add(Printed.text(each.getStartKey()) + " " + each.getReplicaId());
      }
      return found;
    });
    Printed.run("loads", () -> loads(admin.getRegionMetrics(server, NAME)));
    Printed.run("loads of the cluster", () -> {
      List<RegionMetrics> found = new ArrayList<>();
      // The master hears of them every three seconds.
      for (int tries = 0; tries < 100 && found.size() < 4; tries++) {
        if (tries > 0) Thread.sleep(100);
        found.clear();
        for (RegionMetrics each : admin.getClusterMetrics().getLiveServerMetrics().get(server).getRegionMetrics().values()) {
          if (RegionInfo.getTable(each.getRegionName()).equals(NAME)) found.add(each);
        }
      }
      return loads(found);
    });
    Printed.run("regions counted", () -> {
      var counted = admin.getClusterMetrics(java.util.EnumSet.of(ClusterMetrics.Option.TABLE_TO_REGIONS_COUNT))
          .getTableRegionStatesCount().get(NAME);
      return counted.getOpenRegions() + " open of " + counted.getTotalRegions();
    });
    try (RegionLocator locator = connection.getRegionLocator(NAME)) {
      RegionInfo copy = locator.getRegionLocation(toBytes("a"), 1, true).getRegion();
      Printed.run("flush of a copy", () -> {
        admin.flushRegion(copy.getRegionName());
        return "done";
      });
      Printed.run("compaction of a copy", () -> {
        admin.compactRegion(copy.getRegionName());
        return "asked";
      });
      Printed.run("state of a copy", () -> admin.getCompactionStateForRegion(copy.getRegionName()));
      Printed.run("split of a copy", () -> {
        admin.splitRegionAsync(copy.getRegionName(), toBytes("b")).get();
        return "done";
      });
    }
  }

  private static Object loads(List<RegionMetrics> all) {
    TreeSet<String> found = new TreeSet<>();
    for (RegionMetrics each : all) {
      String name = new String(each.getRegionName()).replaceAll("[0-9a-f]{32}", "md5").replaceAll("\\d{13}", "now");
      found.add(name + " stores=" + each.getStoreCount() + " files=" + each.getStoreFileCount() + " memstore="
          + each.getMemStoreSize().get(Size.Unit.MEGABYTE));
    }
    return found;
  }

  private void changes() throws Exception {
    admin.modifyTable(descriptor(3));
    locations("with three");
    admin.modifyTable(descriptor(2));
    locations("with two");
    Printed.run("split", () -> {
      admin.splitRegionAsync(admin.getRegions(NAME).get(0).getRegionName(), toBytes("b")).get();
      return "done";
    });
    locations("split");
    try (Table table = connection.getTable(NAME)) {
      Printed.run("get after the split", () -> stale(table.get(timeline("b", 1))));
    }
    admin.disableTable(NAME);
    locations("disabled");
    admin.enableTable(NAME);
    admin.modifyTable(descriptor(1));
    locations("with one");
  }
}
