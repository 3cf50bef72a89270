import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The output of the programs here: lines that are the same on every server that answers alike. */
final class Printed {
  private Printed() {}

  interface Operation {
    Object call() throws Throwable;
  }

  /**
   * A client of the server at `address`, HOST:PORT, which finds everything else out from there; of a ZooKeeper with
   * -Dregistry=zookeeper, of a master with -Dregistry=master.
   */
  static Configuration configuration(String address) {
    Configuration configuration = HBaseConfiguration.create();
    findBy(configuration, address);
    configuration.setInt("hbase.client.retries.number", 3);
    configuration.setInt("hbase.rpc.timeout", 20000);
    configuration.setInt("hbase.client.operation.timeout", 40000);
    // Any setting, as -Dset.hbase.rpc.client.impl=...
    for (String name : System.getProperties().stringPropertyNames()) {
      if (name.startsWith("set.")) configuration.set(name.substring(4), System.getProperty(name));
    }
    return configuration;
  }

  /** Sets how a client finds the cluster of `address`: by the registry that -Dregistry names. */
  static void findBy(Configuration configuration, String address) {
    String registry = System.getProperty("registry");
    String implementation = "RpcConnectionRegistry";
    if ("zookeeper".equals(registry)) {
      implementation = "ZKConnectionRegistry";
      configuration.set("hbase.zookeeper.quorum", address.split(":")[0]);
      configuration.set("hbase.zookeeper.property.clientPort", address.split(":")[1]);
    } else if ("master".equals(registry)) {
      implementation = "MasterRegistry";
      configuration.set("hbase.masters", address);
    } else configuration.set("hbase.client.bootstrap.servers", address);
    configuration.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client." + implementation);
  }

  /** A new table of the families f, with five versions, and g, split at row m. */
  static void createTable(Connection connection, TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(name)) {
        if (admin.isTableEnabled(name)) admin.disableTable(name);
        admin.deleteTable(name);
      }
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                      .setMaxVersions(5)
                      .build())
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
              .build(),
          new byte[][] {Bytes.toBytes("m")});
    }
  }

  static void line(String what, Object value) {
    System.out.println(what + ": " + value);
  }

  /** Runs one operation and prints what it answers, or the class of what it throws. */
  static void run(String what, Operation operation) {
    try {
      line(what, text(operation.call()));
    } catch (Throwable thrown) {
      line(what, error(thrown));
    }
  }

  static String text(Object value) {
    if (value instanceof Result) return text((Result) value);
    if (value instanceof byte[]) return Bytes.toStringBinary((byte[]) value);
    if (value instanceof CheckAndMutateResult) {
      CheckAndMutateResult result = (CheckAndMutateResult) value;
      return result.isSuccess() + " " + text(result.getResult());
    }
    if (value instanceof boolean[]) {
      List<Object> all = new ArrayList<>();
      for (boolean each : (boolean[]) value) all.add(each);
      return all.toString();
    }
    if (value instanceof Object[]) {
      List<String> all = new ArrayList<>();
      for (Object each : (Object[]) value) all.add(text(each));
      return all.toString();
    }
    if (value instanceof Iterable) {
      List<String> all = new ArrayList<>();
      for (Object each : (Iterable<?>) value) all.add(text(each));
      return all.toString();
    }
    if (value instanceof Throwable) return error((Throwable) value);
    return String.valueOf(value);
  }

  private static String text(Result result) {
    if (result == null) return "null";
    if (result.getExists() != null) return "exists=" + result.getExists();
    if (result.isCursor()) return "cursor " + text(result.getCursor().getRow());
    if (result.isEmpty()) return "empty";
    List<String> cells = new ArrayList<>();
    for (Cell cell : result.rawCells()) cells.add(text(cell));
    return (result.mayHaveMoreCellsInRow() ? "part " : "") + cells;
  }

  /** A time of the server's own is some time of this century. */
  private static String text(Cell cell) {
    long at = cell.getTimestamp();
    byte[] value = CellUtil.cloneValue(cell);
    String shown = value.length > 64 ? value.length + " bytes" : text(value);
    return text(CellUtil.cloneRow(cell))
        + "/"
        + text(CellUtil.cloneFamily(cell))
        + ":"
        + text(CellUtil.cloneQualifier(cell))
        + "/"
        + (at > 1_500_000_000_000L && at < Long.MAX_VALUE ? "now" : String.valueOf(at))
        + "/"
        + cell.getType()
        + "="
        + shown;
  }

  /** With -Dtrace=true the stack goes to the error output. */
  static String error(Throwable thrown) {
    if (Boolean.getBoolean("trace")) thrown.printStackTrace();
    Throwable cause = thrown;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) cause = cause.getCause();
    String text = cause.getClass().getName();
    if (cause instanceof RetriesExhaustedWithDetailsException) {
      RetriesExhaustedWithDetailsException all = (RetriesExhaustedWithDetailsException) cause;
      List<String> causes = new ArrayList<>();
      for (Throwable each : all.getCauses()) causes.add(error(each));
      return text + " of " + causes;
    }
    if (cause.getCause() != null && cause.getCause() != cause) {
      return text + " < " + cause.getCause().getClass().getName();
    }
    return text;
  }
}
