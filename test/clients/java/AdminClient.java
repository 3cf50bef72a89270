import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Every usual operation of Admin, one line of output each: its name, and what it answered or threw. Times, ids and addresses
 * are left out, so that the output of two servers can be compared.
 *
 * The argument is the HOST:PORT of a server, of a ZooKeeper with -Dregistry=zookeeper, of a master with -Dregistry=master.
 */
public final class AdminClient {
  private interface Step {
    Object run() throws Exception;
  }

  private static final TableName T = TableName.valueOf("jc_admin");
  private static final TableName U = TableName.valueOf("jc_ns:other");
  private static final TableName S = TableName.valueOf("jc_schema");
  private static final TableName M = TableName.valueOf("jc_merge");
  private static final TableName NONE = TableName.valueOf("jc_none");
  private static final ColumnFamilyDescriptor F = ColumnFamilyDescriptorBuilder.of("f");

  private final Connection connection;
  private final Admin admin;

  private AdminClient(Connection connection) throws Exception {
    this.connection = connection;
    this.admin = connection.getAdmin();
  }

  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hbase.client.retries.number", 2);
    conf.setInt("hbase.client.pause", 50);
    conf.setInt("hbase.client.sync.wait.timeout.msec", 20000);
    conf.setInt("hbase.client.operation.timeout", 20000);
    Printed.findBy(conf, args[0]);
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      AdminClient operations = new AdminClient(connection);
      operations.clear();
      operations.namespaces();
      operations.tables();
      operations.families();
      operations.states();
      operations.regions();
      operations.snapshots();
      operations.switches();
      operations.chores();
      operations.cluster();
      operations.others();
      operations.clear();
    }
  }

  private void say(String name, Step step) {
    String answer;
    try {
      answer = text(step.run());
    } catch (Throwable error) {
      Throwable cause = error;
      while (cause instanceof java.util.concurrent.ExecutionException && cause.getCause() != null) cause = cause.getCause();
      String message = String.valueOf(cause.getMessage()).split("\n")[0];
      if (error instanceof org.apache.hadoop.hbase.client.RetriesExhaustedException && error.getCause() != null) message += " last: " + error.getCause().getMessage().split("\n")[0];
      answer = "! " + cause.getClass().getName() + ": " + steady(message);
    }
    System.out.println(name + ": " + answer);
  }

  private interface Work {
    void run() throws Exception;
  }

  private void does(String name, Work work) {
    say(name, () -> {
      work.run();
      return "done";
    });
  }

  private static String text(Object answer) {
    if (answer instanceof byte[]) return Bytes.toStringBinary((byte[]) answer);
    if (answer instanceof Object[]) return text(Arrays.asList((Object[]) answer));
    if (answer instanceof List) {
      List<String> parts = new ArrayList<>();
      for (Object each : (List<?>) answer) parts.add(text(each));
      return parts.toString();
    }
    return steady(String.valueOf(answer));
  }

  /** Without times, encoded names, addresses, ids. */
  private static String steady(String text) {
    return text.replaceAll("[0-9a-f]{32}", "HASH").replaceAll("\\b1[0-9]{12}\\b", "TIME")
        .replaceAll("[\\w.-]+,[0-9]+,TIME(?!\\.HASH)", "SERVER").replaceAll("[0-9]+ ?ms\\b", "MS");
  }

  private void clear() throws Exception {
    for (TableName table : new TableName[] {T, U, TableName.valueOf("jc_clone"), TableName.valueOf("jc_ns:clone"), S, M}) {
      if (!admin.tableExists(table)) continue;
      if (admin.isTableEnabled(table)) admin.disableTable(table);
      admin.deleteTable(table);
    }
    admin.deleteSnapshots(Pattern.compile("jc_.*"));
    for (String name : admin.listNamespaces()) if (name.equals("jc_ns")) admin.deleteNamespace(name);
  }

  private void namespaces() {
    NamespaceDescriptor n = NamespaceDescriptor.create("jc_ns").addConfiguration("owner", "me").build();
    does("createNamespace", () -> admin.createNamespace(n));
    does("createNamespace twice", () -> admin.createNamespace(n));
    does("createNamespace hbase", () -> admin.createNamespace(NamespaceDescriptor.create("hbase2x").build()));
    does("modifyNamespace", () -> admin.modifyNamespace(NamespaceDescriptor.create("jc_ns").addConfiguration("a", "b").build()));
    does("modifyNamespace default", () -> admin.modifyNamespace(NamespaceDescriptor.create("default").build()));
    does("modifyNamespace missing", () -> admin.modifyNamespace(NamespaceDescriptor.create("jc_none").build()));
    say("getNamespaceDescriptor", () -> admin.getNamespaceDescriptor("jc_ns"));
    say("getNamespaceDescriptor missing", () -> admin.getNamespaceDescriptor("jc_none"));
    say("listNamespaces", () -> new TreeSet<>(Arrays.asList(admin.listNamespaces())));
    say("listNamespaceDescriptors", () -> sorted(admin.listNamespaceDescriptors()));
    does("deleteNamespace", () -> admin.deleteNamespace("hbase2x"));
    does("deleteNamespace missing", () -> admin.deleteNamespace("jc_none"));
    does("deleteNamespace default", () -> admin.deleteNamespace("default"));
  }

  private static List<String> sorted(Object[] all) {
    List<String> texts = new ArrayList<>();
    for (Object each : all) texts.add(String.valueOf(each));
    Collections.sort(texts);
    return texts;
  }

  private static byte[][] keys(String... names) {
    byte[][] keys = new byte[names.length][];
    for (int i = 0; i < names.length; i++) keys[i] = toBytes(names[i]);
    return keys;
  }

  private void tables() {
    TableDescriptor t = TableDescriptorBuilder.newBuilder(T).setColumnFamily(F).setValue("OWNER", "me")
        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(toBytes("g")).setMaxVersions(3).setTimeToLive(86400).setInMemory(true).setConfiguration("hbase.x", "y").build()).build();
    does("createTable", () -> admin.createTable(t, keys("m", "c")));
    does("createTable twice", () -> admin.createTable(t));
    does("createTable without families", () -> admin.createTable(TableDescriptorBuilder.newBuilder(NONE).build()));
    does("createTable equal keys", () -> admin.createTable(TableDescriptorBuilder.newBuilder(NONE).setColumnFamily(F).build(), keys("a", "a")));
    does("createTable in missing namespace", () -> admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf("jc_none:t")).setColumnFamily(F).build()));
    does("createTable ttl -1", () -> admin.createTable(TableDescriptorBuilder.newBuilder(NONE).setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(toBytes("f")).setTimeToLive(-1).build()).build()));
    does("createTable from a to z", () -> admin.createTable(TableDescriptorBuilder.newBuilder(U).setColumnFamily(F).build(), toBytes("a"), toBytes("z"), 4));
    say("tableExists", () -> admin.tableExists(T));
    say("tableExists missing", () -> admin.tableExists(NONE));
    say("tableExists meta", () -> admin.tableExists(TableName.META_TABLE_NAME));
    say("getDescriptor", () -> admin.getDescriptor(T));
    say("getDescriptor values", () -> values(admin.getDescriptor(T)));
    say("getDescriptor families", () -> Arrays.asList(admin.getDescriptor(T).getColumnFamilies()));
    say("getDescriptor missing", () -> admin.getDescriptor(NONE));
    say("getDescriptor meta", () -> admin.getDescriptor(TableName.META_TABLE_NAME));
    say("listTableDescriptors", () -> admin.listTableDescriptors());
    say("listTableDescriptors pattern", () -> admin.listTableDescriptors(Pattern.compile("jc_ns:.*")));
    say("listTableDescriptors names", () -> admin.listTableDescriptors(Arrays.asList(U, NONE, T)));
    say("listTableDescriptorsByNamespace", () -> admin.listTableDescriptorsByNamespace(toBytes("jc_ns")));
    say("listTableDescriptorsByNamespace missing", () -> admin.listTableDescriptorsByNamespace(toBytes("jc_none")));
    say("listTableNames", () -> admin.listTableNames());
    say("listTableNames pattern", () -> admin.listTableNames(Pattern.compile("jc_a.*"), true));
    say("listTableNames of default", () -> admin.listTableNames(Pattern.compile("default:.*"), false));
    say("listTableNames system", () -> admin.listTableNames(Pattern.compile(".*"), true));
    say("listTableNamesByNamespace", () -> admin.listTableNamesByNamespace("jc_ns"));
    say("listTableNamesByNamespace hbase", () -> admin.listTableNamesByNamespace("hbase"));
    say("listTableNamesByState enabled", () -> admin.listTableNamesByState(true));
    say("listTableNamesByState disabled", () -> admin.listTableNamesByState(false));
    say("listTableDescriptorsByState", () -> admin.listTableDescriptorsByState(true));
    does("deleteNamespace with tables", () -> admin.deleteNamespace("jc_ns"));
    does("cloneTableSchema", () -> admin.cloneTableSchema(T, S, true));
    say("cloned regions", () -> starts(S));
    does("cloneTableSchema missing", () -> admin.cloneTableSchema(NONE, TableName.valueOf("jc_schema2"), true));
  }

  private static Map<String, String> values(TableDescriptor table) {
    Map<String, String> values = new TreeMap<>();
    table.getValues().forEach((key, value) -> values.put(Bytes.toString(key.get(), key.getOffset(), key.getLength()), Bytes.toString(value.get(), value.getOffset(), value.getLength())));
    return values;
  }

  private List<String> starts(TableName table) throws Exception {
    List<String> starts = new ArrayList<>();
    for (RegionInfo region : admin.getRegions(table)) starts.add(Bytes.toStringBinary(region.getStartKey()) + "-" + Bytes.toStringBinary(region.getEndKey()));
    Collections.sort(starts);
    return starts;
  }

  private void families() {
    does("addColumnFamily", () -> admin.addColumnFamily(T, ColumnFamilyDescriptorBuilder.newBuilder(toBytes("h")).setBlocksize(8192).build()));
    does("addColumnFamily twice", () -> admin.addColumnFamily(T, ColumnFamilyDescriptorBuilder.of("h")));
    does("addColumnFamily missing table", () -> admin.addColumnFamily(NONE, ColumnFamilyDescriptorBuilder.of("h")));
    does("modifyColumnFamily", () -> admin.modifyColumnFamily(T, ColumnFamilyDescriptorBuilder.newBuilder(toBytes("h")).setMaxVersions(9).build()));
    does("modifyColumnFamily missing", () -> admin.modifyColumnFamily(T, ColumnFamilyDescriptorBuilder.of("x")));
    say("families", () -> admin.getDescriptor(T));
    does("deleteColumnFamily", () -> admin.deleteColumnFamily(T, toBytes("h")));
    does("deleteColumnFamily missing", () -> admin.deleteColumnFamily(T, toBytes("h")));
    does("deleteColumnFamily last", () -> admin.deleteColumnFamily(U, toBytes("f")));
    does("modifyTable", () -> admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(T)).setValue("k", "v").setMaxFileSize(1L << 30).build()));
    say("modified", () -> values(admin.getDescriptor(T)));
    does("modifyTable missing", () -> admin.modifyTable(TableDescriptorBuilder.newBuilder(NONE).setColumnFamily(F).build()));
    does("modifyTable meta", () -> admin.modifyTable(TableDescriptorBuilder.newBuilder(TableName.META_TABLE_NAME).setColumnFamily(F).build()));
    does("modifyTableStoreFileTracker", () -> admin.modifyTableStoreFileTracker(S, "DEFAULT"));
    does("modifyTableStoreFileTracker FILE", () -> admin.modifyTableStoreFileTracker(S, "FILE"));
    does("modifyTableStoreFileTracker x", () -> admin.modifyTableStoreFileTracker(S, "x"));
    does("modifyColumnFamilyStoreFileTracker", () -> admin.modifyColumnFamilyStoreFileTracker(S, toBytes("f"), "DEFAULT"));
    does("modifyColumnFamilyStoreFileTracker missing", () -> admin.modifyColumnFamilyStoreFileTracker(S, toBytes("x"), "DEFAULT"));
    say("after trackers", () -> values(admin.getDescriptor(S)));
  }

  private void states() {
    say("isTableEnabled", () -> admin.isTableEnabled(T));
    say("isTableAvailable", () -> admin.isTableAvailable(T));
    say("isTableAvailable missing", () -> admin.isTableAvailable(NONE));
    does("enableTable enabled", () -> admin.enableTable(T));
    does("truncateTable enabled", () -> admin.truncateTable(T, true));
    does("deleteTable enabled", () -> admin.deleteTable(T));
    does("disableTable", () -> admin.disableTable(T));
    does("disableTable twice", () -> admin.disableTable(T));
    does("disableTable missing", () -> admin.disableTable(NONE));
    does("disableTable meta", () -> admin.disableTable(TableName.META_TABLE_NAME));
    say("isTableDisabled", () -> admin.isTableDisabled(T));
    say("listTableNamesByState disabled", () -> admin.listTableNamesByState(false));
    does("modifyTable disabled", () -> admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(T)).removeValue("k").build()));
    does("truncateTable", () -> admin.truncateTable(T, true));
    say("regions", () -> starts(T));
    say("isTableEnabled after truncation", () -> admin.isTableEnabled(T));
    does("truncateTable missing", () -> admin.truncateTable(NONE, true));
    does("enableTable missing", () -> admin.enableTable(NONE));
    does("deleteTable missing", () -> admin.deleteTable(NONE));
    does("disable again", () -> admin.disableTable(T));
    does("enableTable", () -> admin.enableTable(T));
  }

  private void put(TableName name, String... rows) throws Exception {
    try (Table table = connection.getTable(name)) {
      for (String row : rows) table.put(new Put(toBytes(row)).addColumn(toBytes("f"), toBytes("q"), toBytes(row)));
    }
  }

  private String rows(TableName name) throws Exception {
    StringBuilder rows = new StringBuilder();
    try (Table table = connection.getTable(name); ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) rows.append(Bytes.toStringBinary(result.getRow())).append(' ');
    }
    return rows.toString();
  }

  private RegionInfo regionOf(TableName table, String start) throws Exception {
    for (RegionInfo region : admin.getRegions(table)) if (Bytes.toString(region.getStartKey()).equals(start)) return region;
    throw new IllegalStateException("no region begins at " + start);
  }

  private void merge(boolean forcible, String... starts) throws Exception {
    byte[][] names = new byte[starts.length][];
    for (int i = 0; i < starts.length; i++) names[i] = regionOf(M, starts[i]).getRegionName();
    admin.mergeRegionsAsync(names, forcible).get();
  }

  private void regions() {
    does("put", () -> put(T, "a", "b", "d", "e", "f", "n", "o", "p"));
    does("flush", () -> admin.flush(T));
    does("flush family", () -> admin.flush(T, toBytes("f")));
    does("flush missing family", () -> admin.flush(T, toBytes("x")));
    does("flush missing", () -> admin.flush(NONE));
    does("split at e", () -> admin.splitRegionAsync(regionOf(T, "c").getRegionName(), toBytes("e")).get());
    say("regions after split", () -> starts(T));
    say("rows after split", () -> rows(T));
    does("split at its start", () -> admin.splitRegionAsync(regionOf(T, "e").getRegionName(), toBytes("e")).get());
    does("createTable to merge", () -> admin.createTable(TableDescriptorBuilder.newBuilder(M).setColumnFamily(F).build(), keys("c", "m", "t", "x")));
    does("put to merge", () -> put(M, "a", "d", "n", "u", "z"));
    does("merge", () -> merge(false, "", "c"));
    say("regions after merge", () -> starts(M));
    does("split outside", () -> admin.splitRegionAsync(regionOf(M, "x").getRegionName(), toBytes("a")).get());
    say("rows after merge", () -> rows(M));
    does("merge apart", () -> merge(false, "m", "x"));
    does("merge three", () -> merge(false, "m", "t", "x"));
    say("regions after merges", () -> starts(M));
    say("rows after merges", () -> rows(M));
    does("merge one", () -> merge(false, ""));
    does("merge missing", () -> admin.mergeRegionsAsync(new byte[][] {toBytes("0123456789abcdef0123456789abcdef"), toBytes("1123456789abcdef0123456789abcdef")}, false).get());
    does("move", () -> admin.move(admin.getRegions(T).get(0).getEncodedNameAsBytes()));
    does("move to its server", () -> admin.move(admin.getRegions(T).get(0).getEncodedNameAsBytes(), admin.getRegionServers().iterator().next()));
    does("move nowhere", () -> admin.move(admin.getRegions(T).get(0).getEncodedNameAsBytes(), ServerName.valueOf("nowhere,1,1")));
    does("move missing", () -> admin.move(toBytes("0123456789abcdef0123456789abcdef")));
    does("unassign", () -> admin.unassign(admin.getRegions(T).get(0).getRegionName(), false));
    does("assign", () -> admin.assign(admin.getRegions(T).get(0).getRegionName()));
    does("assign open", () -> admin.assign(admin.getRegions(T).get(0).getRegionName()));
    does("unassign missing", () -> admin.unassign(toBytes("jc_none,,1.0123456789abcdef0123456789abcdef."), false));
    say("rows", () -> rows(T));
    does("truncateRegion", () -> admin.truncateRegion(admin.getRegions(T).get(0).getRegionName()));
    say("rows after truncation", () -> rows(T));
    say("getAlterStatus, regions to come", () -> admin.getAlterStatus(T).getFirst());
    say("getLastMajorCompactionTimestamp", () -> admin.getLastMajorCompactionTimestamp(T));
    say("getLastMajorCompactionTimestampForRegion", () -> admin.getLastMajorCompactionTimestampForRegion(admin.getRegions(T).get(0).getRegionName()));
  }

  private void snapshots() {
    TableName clone = TableName.valueOf("jc_clone");
    does("put", () -> put(T, "a", "z"));
    does("snapshot", () -> admin.snapshot("jc_s1", T));
    does("snapshot twice", () -> admin.snapshot("jc_s1", T));
    does("snapshot missing", () -> admin.snapshot("jc_s2", NONE));
    does("snapshot bad name", () -> admin.snapshot("-jc", T));
    does("snapshot skip flush", () -> admin.snapshot("jc_s3", T, org.apache.hadoop.hbase.client.SnapshotType.SKIPFLUSH));
    say("listSnapshots", () -> described(admin.listSnapshots()));
    say("listSnapshots pattern", () -> described(admin.listSnapshots(Pattern.compile("jc_s1"))));
    say("listTableSnapshots", () -> described(admin.listTableSnapshots(Pattern.compile("jc_admin"), Pattern.compile("jc.*"))));
    say("isSnapshotFinished", () -> admin.isSnapshotFinished(new SnapshotDescription("jc_s1", T)));
    say("isSnapshotFinished missing", () -> admin.isSnapshotFinished(new SnapshotDescription("jc_none", T)));
    does("cloneSnapshot", () -> admin.cloneSnapshot("jc_s1", clone));
    say("clone rows", () -> rows(clone));
    say("clone descriptor", () -> admin.getDescriptor(clone));
    does("cloneSnapshot on a table", () -> admin.cloneSnapshot("jc_s1", clone));
    does("cloneSnapshot missing", () -> admin.cloneSnapshot("jc_none", TableName.valueOf("jc_c2")));
    does("cloneSnapshot to namespace", () -> admin.cloneSnapshot("jc_s1", TableName.valueOf("jc_ns:clone")));
    does("put more", () -> put(T, "k"));
    does("restoreSnapshot enabled", () -> admin.restoreSnapshot("jc_s1"));
    does("disable", () -> admin.disableTable(T));
    does("restoreSnapshot", () -> admin.restoreSnapshot("jc_s1"));
    does("restoreSnapshot missing", () -> admin.restoreSnapshot("jc_none"));
    say("isTableDisabled", () -> admin.isTableDisabled(T));
    does("snapshot disabled", () -> admin.snapshot("jc_s4", T));
    does("enable", () -> admin.enableTable(T));
    say("restored rows", () -> rows(T));
    say("listSnapshots again", () -> described(admin.listSnapshots()));
    does("deleteSnapshot", () -> admin.deleteSnapshot("jc_s1"));
    does("deleteSnapshot twice", () -> admin.deleteSnapshot("jc_s1"));
    does("deleteSnapshots", () -> admin.deleteSnapshots(Pattern.compile("jc_s[34]")));
    say("listSnapshots at the end", () -> described(admin.listSnapshots()));
  }

  private static List<String> described(List<SnapshotDescription> snapshots) {
    List<String> texts = new ArrayList<>();
    for (SnapshotDescription each : snapshots) texts.add(each.getName() + " of " + each.getTableNameAsString() + " " + each.getType() + " ttl " + each.getTtl() + " version " + each.getVersion());
    Collections.sort(texts);
    return texts;
  }

  private void switches() {
    say("isBalancerEnabled", () -> admin.isBalancerEnabled());
    say("balancerSwitch off", () -> admin.balancerSwitch(false, true));
    say("isBalancerEnabled off", () -> admin.isBalancerEnabled());
    say("balance off", () -> admin.balance());
    say("balancerSwitch on", () -> admin.balancerSwitch(true, true));
    say("balance dry", () -> admin.balance(BalanceRequest.newBuilder().setDryRun(true).build()).isBalancerRan());
    say("isNormalizerEnabled", () -> admin.isNormalizerEnabled());
    say("normalizerSwitch off", () -> admin.normalizerSwitch(false));
    say("normalize off", () -> admin.normalize());
    say("normalizerSwitch on", () -> admin.normalizerSwitch(true));
    say("normalize", () -> admin.normalize());
    say("isCatalogJanitorEnabled", () -> admin.isCatalogJanitorEnabled());
    say("catalogJanitorSwitch off", () -> admin.catalogJanitorSwitch(false));
    say("isCatalogJanitorEnabled off", () -> admin.isCatalogJanitorEnabled());
    say("catalogJanitorSwitch on", () -> admin.catalogJanitorSwitch(true));
    say("isCleanerChoreEnabled", () -> admin.isCleanerChoreEnabled());
    say("cleanerChoreSwitch off", () -> admin.cleanerChoreSwitch(false));
    say("cleanerChoreSwitch on", () -> admin.cleanerChoreSwitch(true));
    say("isSnapshotCleanupEnabled", () -> admin.isSnapshotCleanupEnabled());
    say("snapshotCleanupSwitch off", () -> admin.snapshotCleanupSwitch(false, true));
    say("isSnapshotCleanupEnabled off", () -> admin.isSnapshotCleanupEnabled());
    say("snapshotCleanupSwitch on", () -> admin.snapshotCleanupSwitch(true, true));
    say("isSplitEnabled", () -> admin.isSplitEnabled());
    say("isMergeEnabled", () -> admin.isMergeEnabled());
    say("splitSwitch off", () -> admin.splitSwitch(false, true));
    say("mergeSwitch off", () -> admin.mergeSwitch(false, true));
    say("isSplitEnabled off", () -> admin.isSplitEnabled());
    say("isMergeEnabled off", () -> admin.isMergeEnabled());
    does("split while off", () -> admin.splitRegionAsync(admin.getRegions(T).get(0).getRegionName(), toBytes("q")).get());
    say("splitSwitch on", () -> admin.splitSwitch(true, true));
    say("mergeSwitch on", () -> admin.mergeSwitch(true, true));
    say("isRpcThrottleEnabled", () -> admin.isRpcThrottleEnabled());
    say("switchRpcThrottle", () -> admin.switchRpcThrottle(false));
    say("exceedThrottleQuotaSwitch", () -> admin.exceedThrottleQuotaSwitch(true));
  }

  private void chores() {
    does("runCatalogJanitor", () -> admin.runCatalogJanitor());
    does("runCleanerChore", () -> admin.runCleanerChore());
    say("isMasterInMaintenanceMode", () -> admin.isMasterInMaintenanceMode());
    does("flushMasterStore", () -> admin.flushMasterStore());
    does("execProcedure flush-table-proc", () -> admin.execProcedure("flush-table-proc", T.getNameAsString(), new java.util.HashMap<>()));
    say("isProcedureFinished", () -> admin.isProcedureFinished("flush-table-proc", T.getNameAsString(), new java.util.HashMap<>()));
    does("execProcedure unknown", () -> admin.execProcedure("jc-none", "x", new java.util.HashMap<>()));
    say("isProcedureFinished unknown", () -> admin.isProcedureFinished("jc-none", "x", new java.util.HashMap<>()));
    say("abortProcedure", () -> admin.abortProcedure(999999999L, true));
    say("getProcedures is JSON", () -> admin.getProcedures().startsWith("["));
    say("getLocks", () -> admin.getLocks());
  }

  private void cluster() {
    say("version", () -> admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.HBASE_VERSION)).getHBaseVersion());
    say("balancer on", () -> admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.BALANCER_ON)).getBalancerOn());
    say("live servers", () -> admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS)).getLiveServerMetrics().size());
    say("server names", () -> admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.SERVERS_NAME)).getServersName());
    say("regions of servers", () -> {
      // The master hears of regions every three seconds.
      Thread.sleep(3500);
      TreeSet<String> names = new TreeSet<>();
      for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values())
        server.getRegionMetrics().forEach((name, load) -> names.add(Bytes.toStringBinary(name)));
      names.removeIf(name -> !name.startsWith("jc_") && !name.startsWith("hbase:"));
      return new ArrayList<>(names);
    });
    say("dead servers", () -> admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.DEAD_SERVERS)).getDeadServerNames());
    say("unknown servers", () -> admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.UNKNOWN_SERVERS)).getUnknownServerNames());
    say("backup masters", () -> admin.getBackupMasters());
    say("master", () -> admin.getMaster());
    say("regions in transition", () -> admin.getClusterMetrics().getRegionStatesInTransition());
    say("table regions", () -> new TreeMap<>(admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.TABLE_TO_REGIONS_COUNT)).getTableRegionStatesCount()));
    say("master coprocessors", () -> admin.getMasterCoprocessorNames());
    say("getRegionServers", () -> admin.getRegionServers());
    say("getRegionServers without the decommissioned", () -> admin.getRegionServers(true));
    say("listDeadServers", () -> admin.listDeadServers());
    say("clearDeadServers", () -> admin.clearDeadServers(new ArrayList<>()));
    say("listDecommissionedRegionServers", () -> admin.listDecommissionedRegionServers());
    does("decommissionRegionServers", () -> admin.decommissionRegionServers(new ArrayList<>(admin.getRegionServers()), false));
    say("listDecommissionedRegionServers then", () -> admin.listDecommissionedRegionServers());
    does("recommissionRegionServer", () -> admin.recommissionRegionServer(admin.getRegionServers().iterator().next(), new ArrayList<>()));
    say("listDecommissionedRegionServers at the end", () -> admin.listDecommissionedRegionServers());
    say("getSecurityCapabilities", () -> admin.getSecurityCapabilities());
  }

  private void others() {
    say("getQuota", () -> admin.getQuota(new org.apache.hadoop.hbase.quotas.QuotaFilter()));
    does("setQuota", () -> admin.setQuota(QuotaSettingsFactory.throttleTable(T, ThrottleType.REQUEST_NUMBER, 100, java.util.concurrent.TimeUnit.SECONDS)));
    say("getSpaceQuotaTableSizes", () -> admin.getSpaceQuotaTableSizes());
    say("getCurrentSpaceQuotaSnapshot", () -> admin.getCurrentSpaceQuotaSnapshot(T));
    say("listReplicationPeers", () -> admin.listReplicationPeers());
    say("getReplicationPeerConfig", () -> admin.getReplicationPeerConfig("1"));
    does("removeReplicationPeer", () -> admin.removeReplicationPeer("1"));
    does("enableReplicationPeer", () -> admin.enableReplicationPeer("1"));
    does("disableReplicationPeer", () -> admin.disableReplicationPeer("1"));
    say("listReplicatedTableCFs", () -> admin.listReplicatedTableCFs());
    say("getUserPermissions", () -> admin.getUserPermissions(org.apache.hadoop.hbase.security.access.GetUserPermissionsRequest.newBuilder(T).build()));
    say("hasUserPermissions", () -> admin.hasUserPermissions(new ArrayList<>()));
    say("getLogEntries balancer", () -> admin.getLogEntries(null, "BALANCER_DECISION", org.apache.hadoop.hbase.client.ServerType.MASTER, 10, null));
    say("getLogEntries rejections", () -> admin.getLogEntries(null, "BALANCER_REJECTION", org.apache.hadoop.hbase.client.ServerType.MASTER, 10, null));
    say("hbck", () -> {
      try (org.apache.hadoop.hbase.client.Hbck hbck = connection.getHbck()) {
        return hbck.runHbckChore();
      }
    });
    say("hbck setTableStateInMeta", () -> {
      try (org.apache.hadoop.hbase.client.Hbck hbck = connection.getHbck()) {
        return hbck.setTableStateInMeta(new org.apache.hadoop.hbase.client.TableState(T, org.apache.hadoop.hbase.client.TableState.State.ENABLED));
      }
    });
    say("hbck assigns", () -> {
      try (org.apache.hadoop.hbase.client.Hbck hbck = connection.getHbck()) {
        return hbck.assigns(Arrays.asList("0123456789abcdef0123456789abcdef"));
      }
    });
    say("hbck fixMeta", () -> {
      try (org.apache.hadoop.hbase.client.Hbck hbck = connection.getHbck()) {
        hbck.fixMeta();
        return "done";
      }
    });
  }
}
