import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.omid.tools.hbase.OmidTableManager;
import org.apache.omid.transaction.HBaseOmidClientConfiguration;
import org.apache.omid.transaction.HBaseTransactionManager;
import org.apache.omid.transaction.RollbackException;
import org.apache.omid.transaction.TTable;
import org.apache.omid.transaction.Transaction;
import org.apache.omid.transaction.TransactionManager;
import org.apache.omid.tso.TSOServer;
import org.apache.omid.tso.TSOServerConfig;

/** Transactions of Apache Omid with its own server of timestamps, on a table that keeps all versions: snapshots, conflicts, rollbacks. */
public final class OmidRun {
  private static final byte[] F = toBytes("f");
  private static final byte[] Q = toBytes("q");

  private final TransactionManager manager;
  private final TTable table;

  private OmidRun(TransactionManager manager, TTable table) {
    this.manager = manager;
    this.table = table;
  }

  private static void step(String name, Callable<?> body) {
    String answer;
    try {
      answer = String.valueOf(body.call());
    } catch (Throwable e) {
      if (Boolean.getBoolean("traces")) e.printStackTrace();
      Throwable cause = e;
      while (cause.getCause() != null) cause = cause.getCause();
      answer = cause.getClass().getSimpleName();
    }
    System.out.println(name + ": " + answer);
  }

  private void put(Transaction tx, String row, String value) throws Exception {
    table.put(tx, new Put(toBytes(row)).addColumn(F, Q, toBytes(value)));
  }

  private String get(Transaction tx, String row) throws Exception {
    Result result = table.get(tx, new Get(toBytes(row)));
    return result.isEmpty() ? "nothing" : Bytes.toString(result.getValue(F, Q));
  }

  private String scan(Transaction tx) throws Exception {
    List<String> found = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(tx, new Scan())) {
      for (Result result : scanner) found.add(Bytes.toString(result.getRow()) + "=" + Bytes.toString(result.getValue(F, Q)));
    }
    return found.toString();
  }

  private void run() {
    step("a commit", () -> {
      Transaction tx = manager.begin();
      put(tx, "a", "1");
      put(tx, "b", "1");
      manager.commit(tx);
      Transaction later = manager.begin();
      return get(later, "a") + get(later, "b");
    });
    step("own writes", () -> {
      Transaction tx = manager.begin();
      put(tx, "a", "mine");
      String seen = get(tx, "a");
      manager.rollback(tx);
      return seen + " then " + get(manager.begin(), "a");
    });
    step("a snapshot", () -> {
      Transaction old = manager.begin();
      Transaction tx = manager.begin();
      put(tx, "a", "2");
      put(tx, "c", "2");
      manager.commit(tx);
      return scan(old) + " " + scan(manager.begin());
    });
    step("a conflict", () -> {
      Transaction first = manager.begin();
      Transaction second = manager.begin();
      put(first, "a", "first");
      put(second, "a", "second");
      manager.commit(first);
      try {
        manager.commit(second);
        return "both";
      } catch (RollbackException e) {
        return get(manager.begin(), "a");
      }
    });
    step("a delete", () -> {
      Transaction tx = manager.begin();
      table.delete(tx, new Delete(toBytes("b")));
      manager.commit(tx);
      return scan(manager.begin());
    });
    step("200 transactions", () -> {
      for (int i = 0; i < 200; i++) {
        Transaction tx = manager.begin();
        String seen = get(tx, "counter");
        put(tx, "counter", String.valueOf(seen.equals("nothing") ? 1 : Integer.parseInt(seen) + 1));
        put(tx, String.format("t%03d", i), "x");
        manager.commit(tx);
      }
      return get(manager.begin(), "counter") + " " + scan(manager.begin()).length();
    });
  }

  private static TSOServer startServer(int port) throws Exception {
    TSOServerConfig config = new TSOServerConfig();
    config.setPort(port);
    // The default is a map of a gigabyte and a half.
    config.setConflictMapSize(10_000);
    config.setNetworkIfaceName("lo");
    TSOServer server = TSOServer.getInitializedTsoServer(config);
    server.startAsync().awaitRunning();
    return server;
  }

  public static void main(String[] args) throws Exception {
    // The modules of Omid read their settings from hbase-site.xml, which is on the class path.
    Configuration configuration = HBaseConfiguration.create();
    step("tables", () -> {
      new OmidTableManager(OmidTableManager.COMMIT_TABLE_COMMAND_NAME, "-numRegions", "4").executeActionsOnHBase(configuration);
      new OmidTableManager("timestamp-table").executeActionsOnHBase(configuration);
      return "made";
    });
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    TSOServer server = startServer(port);
    HBaseOmidClientConfiguration client = new HBaseOmidClientConfiguration();
    client.setConnectionString("localhost:" + port);
    client.setHBaseConfiguration(configuration);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        TransactionManager manager = HBaseTransactionManager.newInstance(client);
        TTable table = new TTable(connection, "systems_omid")) {
      new OmidRun(manager, table).run();
    }
    server.stopAsync();
    System.exit(0);
  }
}
