import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.hbase.CacheEvictionStats;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.Table;

/** The part of Admin that asks region servers: regions, loads, flushes, compactions. */
public final class RegionServerClient {
  private static final byte[] F = toBytes("f");

  private final Connection connection;
  private final TableName name;
  private final Admin admin;
  private ServerName server;
  private RegionInfo region;

  private RegionServerClient(Connection connection, TableName name) throws Exception {
    this.connection = connection;
    this.name = name;
    this.admin = connection.getAdmin();
  }

  public static void main(String[] args) throws Exception {
    TableName name = TableName.valueOf("java_admin");
    try (Connection connection =
        ConnectionFactory.createConnection(Printed.configuration(args[0]))) {
      if (args.length < 2) Printed.createTable(connection, name);
      RegionServerClient client = new RegionServerClient(connection, name);
      client.find();
      client.regions();
      client.flushes();
      client.compactions();
      client.server();
      client.unknownRegions();
    }
  }

  private void find() throws Exception {
    HRegionLocation found = connection.getRegionLocator(name).getRegionLocation(toBytes("a"));
    server = found.getServerName();
    region = found.getRegion();
    try (Table table = connection.getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        puts.add(new Put(toBytes("a" + i)).addColumn(F, F, new byte[1500]));
      }
      table.put(puts);
    }
  }

  private void regions() {
    Printed.run("regions of the server", () -> {
      List<String> found = new ArrayList<>();
      for (RegionInfo each : admin.getRegions(server)) {
        if (each.getTable().equals(name) || each.isMetaRegion()) found.add(shown(each));
      }
      return found;
    });
    Printed.run("loads", () -> loads(admin.getRegionMetrics(server)));
    Printed.run("loads of a table", () -> loads(admin.getRegionMetrics(server, name)));
    Printed.run("loads of no table", () -> loads(admin.getRegionMetrics(server, TableName.valueOf("java_none"))));
  }

  private static String shown(RegionInfo info) {
    return info.getTable() + "," + Printed.text(info.getStartKey()) + "-" + Printed.text(info.getEndKey())
        + " offline=" + info.isOffline() + " replica=" + info.getReplicaId();
  }

  private List<String> loads(List<RegionMetrics> all) {
    List<String> found = new ArrayList<>();
    for (RegionMetrics each : all) {
      TableName table = RegionInfo.getTable(each.getRegionName());
      if (!table.equals(name) && !table.equals(TableName.META_TABLE_NAME)) continue;
      found.add(table + " stores=" + each.getStoreCount() + (table.equals(name)
          ? " memstore=" + each.getMemStoreSize().get(Size.Unit.MEGABYTE) + " files=" + each.getStoreFileCount()
              + " size=" + each.getStoreFileSize().get(Size.Unit.MEGABYTE) + " locality=" + each.getDataLocality()
          : ""));
    }
    Collections.sort(found);
    return found;
  }

  private void flushes() {
    Printed.run("flush of a region", () -> {
      admin.flushRegion(region.getRegionName());
      return loads(admin.getRegionMetrics(server, name));
    });
    Printed.run("flush by its short name", () -> {
      admin.flushRegion(region.getEncodedNameAsBytes());
      return "done";
    });
    Printed.run("flush of a family", () -> {
      admin.flushRegion(region.getRegionName(), F);
      return "done";
    });
    Printed.run("flush of the server", () -> {
      admin.flushRegionServer(server);
      return "done";
    });
  }

  private void compactions() {
    Printed.run("compaction state", () -> admin.getCompactionState(name));
    Printed.run("compaction state of a region", () -> admin.getCompactionStateForRegion(region.getRegionName()));
    Printed.run("compact", () -> {
      admin.compact(name);
      admin.compact(name, F);
      admin.compactRegion(region.getRegionName());
      admin.compactRegion(region.getEncodedNameAsBytes(), F);
      return "asked";
    });
    Printed.run("major compact", () -> {
      admin.majorCompact(name);
      admin.majorCompactRegion(region.getRegionName());
      while (admin.getCompactionState(name) != org.apache.hadoop.hbase.client.CompactionState.NONE) Thread.sleep(50);
      return loads(admin.getRegionMetrics(server, name));
    });
    Printed.run("compact no family", () -> {
      admin.compactRegion(region.getRegionName(), toBytes("nope"));
      return "asked";
    });
    Printed.run("switch off", () -> admin.compactionSwitch(false, Arrays.asList(server.getServerName())).values());
    Printed.run("switch on", () -> admin.compactionSwitch(true, Arrays.asList(server.getServerName())).values());
    Printed.run("switch on again", () -> admin.compactionSwitch(true, Arrays.asList(server.getServerName())).values());
  }

  private void server() {
    Printed.run("roll", () -> {
      admin.rollWALWriter(server);
      return "done";
    });
    Printed.run("configuration", () -> {
      admin.updateConfiguration(server);
      return "done";
    });
    Printed.run("clear block cache", () -> {
      CacheEvictionStats stats = admin.clearBlockCache(name);
      return stats.getExceptionCount();
    });
    Printed.run("queues", () -> {
      admin.clearCompactionQueues(server, new HashSet<>(Arrays.asList("long", "short")));
      return "done";
    });
    Printed.run("cached files", () -> admin.getCachedFilesList(server));
    Printed.run("space quotas", () -> admin.getRegionServerSpaceQuotaSnapshots(server).size());
    Printed.run("slow calls", () -> admin.getLogEntries(Collections.singleton(server), "SLOW_LOG",
        ServerType.REGION_SERVER, 10, Collections.emptyMap()));
    Printed.run("large calls", () -> admin.getLogEntries(Collections.singleton(server), "LARGE_LOG",
        ServerType.REGION_SERVER, 10, Collections.emptyMap()));
    Printed.run("clear slow calls", () -> admin.clearSlowLogResponses(Collections.singleton(server)));
  }

  private void unknownRegions() {
    byte[] none = toBytes("0123456789abcdef0123456789abcdef");
    Printed.run("flush of no region", () -> {
      admin.flushRegion(none);
      return "done";
    });
    Printed.run("compact no region", () -> {
      admin.compactRegion(none);
      return "asked";
    });
    Printed.run("state of no region", () -> admin.getCompactionStateForRegion(none));
    Printed.run("state of no table", () -> admin.getCompactionState(TableName.valueOf("java_none")));
  }
}
