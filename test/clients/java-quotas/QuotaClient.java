import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.quotas.QuotaFilter;
import org.apache.hadoop.hbase.quotas.QuotaScope;
import org.apache.hadoop.hbase.quotas.QuotaSettings;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.SpaceQuotaSnapshotView;
import org.apache.hadoop.hbase.quotas.SpaceViolationPolicy;
import org.apache.hadoop.hbase.quotas.ThrottleType;

/** Quotas of a server whose hbase.quota.enabled is true. */
public final class QuotaClient {
  private static final TableName QUOTAS = TableName.valueOf("hbase:quota");
  private static final TableName T = TableName.valueOf("java_quota");
  private static final TableName IN_NS = TableName.valueOf("java_quota_ns:t");
  private static final String NS = "java_quota_ns";

  private final Connection connection;
  private final Admin admin;

  private QuotaClient(Connection connection) throws Exception {
    this.connection = connection;
    this.admin = connection.getAdmin();
  }

  public static void main(String[] args) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(Printed.configuration(args[0]))) {
      QuotaClient client = new QuotaClient(connection);
      client.clear();
      client.settings();
      client.filters();
      client.refusals();
      client.removals();
      client.switches();
      client.space();
      client.namespaceLimits();
      client.clear();
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private void does(String name, Work work) {
    String answer = "done";
    try {
      work.run();
    } catch (Throwable error) {
      answer = "! " + error.getClass().getName() + ": " + String.valueOf(error.getMessage()).split("\n")[0].replaceAll("[0-9a-f]{32}", "HASH").replaceAll("\\d{13}", "TIME").trim();
    }
    Printed.line(name, answer);
  }

  private void set(String name, QuotaSettings settings) {
    does(name, () -> admin.setQuota(settings));
  }

  private void drop(TableName table) throws Exception {
    if (!admin.tableExists(table)) return;
    if (admin.isTableEnabled(table)) admin.disableTable(table);
    admin.deleteTable(table);
  }

  private void clear() throws Exception {
    try (Table quotas = connection.getTable(QUOTAS);
        ResultScanner scanner = quotas.getScanner(new Scan())) {
      for (Result each : scanner) quotas.delete(new Delete(each.getRow()));
    }
    drop(T);
    for (String qualifier : new String[] {"t", "u", "v"}) drop(TableName.valueOf(NS, qualifier));
    for (NamespaceDescriptor each : admin.listNamespaceDescriptors()) {
      if (each.getName().equals(NS)) admin.deleteNamespace(NS);
    }
  }

  private static TableDescriptorBuilder table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name).setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
  }

  private List<String> all(QuotaFilter filter) throws Exception {
    List<String> found = new ArrayList<>();
    for (QuotaSettings each : admin.getQuota(filter)) found.add("{" + each + "}");
    return found;
  }

  /** The cells of hbase:quota, but for what is used. */
  private List<String> rows() throws Exception {
    List<String> found = new ArrayList<>();
    try (Table quotas = connection.getTable(QUOTAS);
        ResultScanner scanner = quotas.getScanner(new Scan().addFamily(toBytes("q")))) {
      for (Result each : scanner) found.add(Printed.text(each));
    }
    return found;
  }

  private void told(String name) {
    Printed.run(name + ", settings", () -> all(new QuotaFilter()));
    Printed.run(name + ", rows", this::rows);
  }

  private void settings() throws Exception {
    Printed.run("the table", () -> admin.getDescriptor(QUOTAS));
    Printed.run("is listed", () -> java.util.Arrays.asList(admin.listTableNamesByNamespace("hbase")).contains(QUOTAS));
    admin.createNamespace(NamespaceDescriptor.create(NS).build());
    admin.createTable(table(T).build());
    admin.createTable(table(IN_NS).build(), new byte[][] {toBytes("m")});
    told("none");
    long limit = 1_000_000;
    for (ThrottleType type : ThrottleType.values()) {
      set("table " + type, QuotaSettingsFactory.throttleTable(T, type, limit++, TimeUnit.SECONDS));
    }
    told("all of a table");
    set("another time", QuotaSettingsFactory.throttleTable(T, ThrottleType.READ_SIZE, 1L << 40, TimeUnit.DAYS, QuotaScope.CLUSTER));
    set("user", QuotaSettingsFactory.throttleUser("bob", ThrottleType.REQUEST_NUMBER, 7, TimeUnit.MINUTES));
    set("user in a cluster", QuotaSettingsFactory.throttleUser("bob", ThrottleType.WRITE_SIZE, 2048, TimeUnit.HOURS, QuotaScope.CLUSTER));
    set("user and table", QuotaSettingsFactory.throttleUser("bob", T, ThrottleType.REQUEST_NUMBER, 8, TimeUnit.SECONDS));
    set("user and a table that is not there", QuotaSettingsFactory.throttleUser("bob", TableName.valueOf("java_none"), ThrottleType.REQUEST_NUMBER, 8, TimeUnit.SECONDS));
    set("user and namespace", QuotaSettingsFactory.throttleUser("bob", NS, ThrottleType.READ_NUMBER, 9, TimeUnit.MILLISECONDS));
    set("another user", QuotaSettingsFactory.throttleUser("al", ThrottleType.REQUEST_SIZE, Long.MAX_VALUE, TimeUnit.NANOSECONDS));
    set("bypass", QuotaSettingsFactory.bypassGlobals("bob", true));
    set("bypass of a user without any", QuotaSettingsFactory.bypassGlobals("eve", true));
    set("no bypass", QuotaSettingsFactory.bypassGlobals("eve", false));
    set("namespace", QuotaSettingsFactory.throttleNamespace(NS, ThrottleType.REQUEST_NUMBER, 100_000, TimeUnit.SECONDS));
    set("namespace that is not there", QuotaSettingsFactory.throttleNamespace("java_no_ns", ThrottleType.REQUEST_NUMBER, 100_000, TimeUnit.SECONDS));
    set("table that is not there", QuotaSettingsFactory.throttleTable(TableName.valueOf("java_none"), ThrottleType.REQUEST_NUMBER, 100_000, TimeUnit.SECONDS));
    told("many");
  }

  private void filters() throws Exception {
    Printed.run("of a user", () -> all(new QuotaFilter().setUserFilter("bob")));
    Printed.run("of users", () -> all(new QuotaFilter().setUserFilter("b.*|e.*")));
    Printed.run("of a user and tables", () -> all(new QuotaFilter().setUserFilter("bob").setTableFilter("java.*")));
    Printed.run("of a user and namespaces", () -> all(new QuotaFilter().setUserFilter("bob").setNamespaceFilter("java.*")));
    Printed.run("of tables", () -> all(new QuotaFilter().setTableFilter("java_q.*")));
    Printed.run("of namespaces", () -> all(new QuotaFilter().setNamespaceFilter(".*")));
    Printed.run("of region servers", () -> all(new QuotaFilter().setRegionServerFilter(".*")));
    Printed.run("of types", () -> all(new QuotaFilter().addTypeFilter(org.apache.hadoop.hbase.quotas.QuotaType.GLOBAL_BYPASS)));
  }

  private void refusals() throws Exception {
    set("nothing a second", QuotaSettingsFactory.throttleTable(T, ThrottleType.REQUEST_NUMBER, 0, TimeUnit.SECONDS));
    set("less than nothing", QuotaSettingsFactory.throttleTable(T, ThrottleType.REQUEST_NUMBER, -1, TimeUnit.SECONDS));
    does("exceeding without a server's quota", () -> Printed.line("was", admin.exceedThrottleQuotaSwitch(true)));
    set("server, minutes", QuotaSettingsFactory.throttleRegionServer("all", ThrottleType.READ_NUMBER, 1000, TimeUnit.MINUTES));
    does("exceeding without writes", () -> Printed.line("was", admin.exceedThrottleQuotaSwitch(true)));
    set("server, writes", QuotaSettingsFactory.throttleRegionServer("all", ThrottleType.WRITE_NUMBER, 1000, TimeUnit.SECONDS));
    does("exceeding by minutes", () -> Printed.line("was", admin.exceedThrottleQuotaSwitch(true)));
    set("server, seconds", QuotaSettingsFactory.throttleRegionServer("all", ThrottleType.READ_NUMBER, 1000, TimeUnit.SECONDS));
    does("exceeding", () -> Printed.line("was", admin.exceedThrottleQuotaSwitch(true)));
    does("exceeding again", () -> Printed.line("was", admin.exceedThrottleQuotaSwitch(true)));
    told("exceeding");
    does("exceeding no more", () -> Printed.line("was", admin.exceedThrottleQuotaSwitch(false)));
    set("server gone", QuotaSettingsFactory.unthrottleRegionServer("all"));
    set("another server", QuotaSettingsFactory.throttleRegionServer("some", ThrottleType.READ_NUMBER, 1, TimeUnit.SECONDS));
    set("another server gone", QuotaSettingsFactory.unthrottleRegionServer("some"));
    does("exceeding without servers", () -> Printed.line("was", admin.exceedThrottleQuotaSwitch(true)));
    told("no longer");
  }

  private void removals() throws Exception {
    set("table without one", QuotaSettingsFactory.unthrottleTableByThrottleType(T, ThrottleType.WRITE_CAPACITY_UNIT));
    told("table without one");
    set("user and table gone", QuotaSettingsFactory.unthrottleUser("bob", T));
    set("user and namespace, by a type that is not there", QuotaSettingsFactory.unthrottleUserByThrottleType("bob", NS, ThrottleType.WRITE_SIZE));
    set("user and namespace, by its type", QuotaSettingsFactory.unthrottleUserByThrottleType("bob", NS, ThrottleType.READ_NUMBER));
    told("fewer");
    set("user gone", QuotaSettingsFactory.unthrottleUser("bob"));
    set("no bypass any more", QuotaSettingsFactory.bypassGlobals("bob", false));
    set("user that has none", QuotaSettingsFactory.unthrottleUser("joe"));
    set("user al gone", QuotaSettingsFactory.unthrottleUser("al"));
    set("table gone", QuotaSettingsFactory.unthrottleTable(T));
    set("namespace gone", QuotaSettingsFactory.unthrottleNamespace(NS));
    set("namespace that is not there gone", QuotaSettingsFactory.unthrottleNamespace("java_no_ns"));
    set("table that is not there gone", QuotaSettingsFactory.unthrottleTable(TableName.valueOf("java_none")));
    told("few");
  }

  private void switches() throws Exception {
    Printed.run("throttles", () -> admin.isRpcThrottleEnabled());
    Printed.run("throttles off", () -> admin.switchRpcThrottle(false));
    Printed.run("throttles off again", () -> admin.switchRpcThrottle(false));
    Printed.run("throttles no more", () -> admin.isRpcThrottleEnabled());
    Printed.run("throttles on", () -> admin.switchRpcThrottle(true));
  }

  private interface Found {
    String find() throws Exception;
  }

  /** HBase looks from time to time: the program's own server once a second. */
  private void soon(String name, String wanted, Found found) throws Exception {
    String last = null;
    for (int i = 0; i < 100; i++) {
      last = found.find();
      if (last.equals(wanted)) break;
      Thread.sleep(200);
    }
    Printed.line(name, last);
  }

  private static String view(SpaceQuotaSnapshotView view) {
    if (view == null) return "none";
    return (view.getUsage() > 0 ? "used" : "unused") + " of " + view.getLimit() + " " + view.getQuotaStatus().getPolicy().map(Object::toString).orElse("-") + " " + view.getQuotaStatus().isInViolation();
  }

  private String serverViews() throws Exception {
    TreeMap<String, String> found = new TreeMap<>();
    for (org.apache.hadoop.hbase.ServerName server : admin.getRegionServers()) {
      admin.getRegionServerSpaceQuotaSnapshots(server).forEach((name, each) -> found.put(name.toString(), view(each)));
    }
    return found.toString();
  }

  private String sizes() throws Exception {
    TreeMap<String, String> found = new TreeMap<>();
    admin.getSpaceQuotaTableSizes().forEach((name, bytes) -> {
      if (name.toString().startsWith("java")) found.put(name.toString(), bytes > 0 ? "used" : "unused");
    });
    return found.toString();
  }

  private void put(TableName name) throws Exception {
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < 100; i++) table.put(new Put(toBytes("r" + i)).addColumn(toBytes("f"), toBytes("q"), new byte[1000]));
    }
    admin.flush(name);
  }

  private void space() throws Exception {
    soon("sizes of the empty", "{java_quota=unused, java_quota_ns:t=unused}", this::sizes);
    set("space", QuotaSettingsFactory.limitTableSpace(T, 1L << 40, SpaceViolationPolicy.NO_INSERTS));
    soon("observed", "unused of " + (1L << 40) + " - false", () -> view((SpaceQuotaSnapshotView) admin.getCurrentSpaceQuotaSnapshot(T)));
    put(T);
    soon("sizes", "{java_quota=used, java_quota_ns:t=unused}", this::sizes);
    soon("used", "used of " + (1L << 40) + " - false", () -> view((SpaceQuotaSnapshotView) admin.getCurrentSpaceQuotaSnapshot(T)));
    for (SpaceViolationPolicy policy : new SpaceViolationPolicy[] {SpaceViolationPolicy.NO_INSERTS, SpaceViolationPolicy.NO_WRITES, SpaceViolationPolicy.NO_WRITES_COMPACTIONS}) {
      set("less space, " + policy, QuotaSettingsFactory.limitTableSpace(T, 1000, policy));
      soon("violated, " + policy, "used of 1000 " + policy + " true", () -> view((SpaceQuotaSnapshotView) admin.getCurrentSpaceQuotaSnapshot(T)));
    }
    soon("violated at the server", "{java_quota=used of 1000 NO_WRITES_COMPACTIONS true}", this::serverViews);
    told("space");
    set("throttle too", QuotaSettingsFactory.throttleTable(T, ThrottleType.READ_NUMBER, 5000, TimeUnit.SECONDS));
    told("space and throttle");
    set("no throttle", QuotaSettingsFactory.unthrottleTable(T));
    set("space of a namespace", QuotaSettingsFactory.limitNamespaceSpace(NS, 500, SpaceViolationPolicy.NO_WRITES));
    soon("namespace observed", "unused of 500 - false", () -> view((SpaceQuotaSnapshotView) admin.getCurrentSpaceQuotaSnapshot(NS)));
    put(IN_NS);
    soon("namespace violated", "used of 500 NO_WRITES true", () -> view((SpaceQuotaSnapshotView) admin.getCurrentSpaceQuotaSnapshot(NS)));
    soon("both at the server", "{java_quota=used of 1000 NO_WRITES_COMPACTIONS true, java_quota_ns:t=used of 500 NO_WRITES true}", this::serverViews);
    told("spaces");
    set("namespace's space gone", QuotaSettingsFactory.removeNamespaceSpaceLimit(NS));
    soon("one at the server", "{java_quota=used of 1000 NO_WRITES_COMPACTIONS true}", this::serverViews);
    // One after the other: HBase's chore fails as long as there is the quota of such a namespace.
    set("space of a namespace that is not there", QuotaSettingsFactory.limitNamespaceSpace("java_no_ns", 0, SpaceViolationPolicy.DISABLE));
    set("others gone", QuotaSettingsFactory.removeNamespaceSpaceLimit("java_no_ns"));
    set("space of a table that is not there", QuotaSettingsFactory.limitTableSpace(TableName.valueOf("java_none"), 5, SpaceViolationPolicy.DISABLE));
    set("others gone too", QuotaSettingsFactory.removeTableSpaceLimit(TableName.valueOf("java_none")));
    told("space left");
    set("throttle of the table", QuotaSettingsFactory.throttleTable(T, ThrottleType.READ_NUMBER, 5_000, TimeUnit.SECONDS));
    drop(T);
    soon("none at the server", "{}", this::serverViews);
    told("dropped table");
  }

  private void namespaceLimits() throws Exception {
    does("odd limit", () -> admin.modifyNamespace(NamespaceDescriptor.create(NS).addConfiguration("hbase.namespace.quota.maxtables", "x").build()));
    does("limit of zero", () -> admin.modifyNamespace(NamespaceDescriptor.create(NS).addConfiguration("hbase.namespace.quota.maxregions", "0").build()));
    does("limit of no tables", () -> admin.createNamespace(NamespaceDescriptor.create(NS + "2").addConfiguration("hbase.namespace.quota.maxtables", "-1").build()));
    does("limits", () -> admin.modifyNamespace(NamespaceDescriptor.create(NS).addConfiguration("hbase.namespace.quota.maxtables", "2").addConfiguration("hbase.namespace.quota.maxregions", "4").build()));
    TableName second = TableName.valueOf(NS, "u");
    does("too many regions", () -> admin.createTable(table(second).build(), new byte[][] {toBytes("a"), toBytes("b")}));
    does("one more region", () -> admin.createTable(table(second).build()));
    does("too many tables", () -> admin.createTable(table(TableName.valueOf(NS, "v")).build()));
    does("a table that is there", () -> admin.createTable(table(second).build()));
    does("split", () -> admin.splitRegionAsync(admin.getRegions(second).get(0).getRegionName(), toBytes("k")).get());
    Printed.run("regions", () -> admin.getRegions(second).size());
    does("split too far", () -> admin.splitRegionAsync(admin.getRegions(second).get(0).getRegionName(), toBytes("c")).get());
    Printed.run("regions then", () -> admin.getRegions(second).size());
    does("a snapshot", () -> admin.snapshot("java_quota_s", second));
    does("clone", () -> admin.cloneSnapshot("java_quota_s", TableName.valueOf(NS, "v")));
    does("no snapshot", () -> admin.deleteSnapshot("java_quota_s"));
    set("throttled namespace", QuotaSettingsFactory.throttleNamespace(NS, ThrottleType.REQUEST_NUMBER, 100_000, TimeUnit.SECONDS));
    drop(second);
    drop(IN_NS);
    does("namespace dropped", () -> admin.deleteNamespace(NS));
    told("end");
  }
}
