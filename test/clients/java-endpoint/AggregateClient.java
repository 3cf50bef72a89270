import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.math.BigDecimal;
import java.util.Arrays;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.coprocessor.AggregationClient;
import org.apache.hadoop.hbase.client.coprocessor.BigDecimalColumnInterpreter;
import org.apache.hadoop.hbase.client.coprocessor.DoubleColumnInterpreter;
import org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter;
import org.apache.hadoop.hbase.coprocessor.ColumnInterpreter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos;

/**
 * Sums, extremes, averages, deviations, medians and counts by AggregationClient, which is in org.apache.hbase:hbase-endpoint,
 * with Printed of the folder java. `recorded` has the output of a real HBase with that jar on its class path.
 */
public final class AggregateClient {
  private static final byte[] F = toBytes("f");

  private final Connection connection;
  private final TableName name;
  private final AggregationClient client;

  private AggregateClient(Connection connection, TableName name) {
    this.connection = connection;
    this.name = name;
    this.client = new AggregationClient(connection.getConfiguration());
  }

  public static void main(String[] args) throws Exception {
    TableName name = TableName.valueOf("java_exec");
    try (Connection connection =
        ConnectionFactory.createConnection(Printed.configuration(args[0]))) {
      if (args.length < 2) create(connection, name);
      AggregateClient all = new AggregateClient(connection, name);
      all.fill();
      all.numbers("long", new LongColumnInterpreter());
      all.numbers("double", new DoubleColumnInterpreter());
      all.numbers("decimal", new BigDecimalColumnInterpreter());
      all.counts();
      all.faults();
      all.client.close();
    }
  }

  private static void create(Connection connection, TableName name) throws Exception {
    Printed.createTable(connection, name);
    try (Admin admin = connection.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setCoprocessor("org.apache.hadoop.hbase.coprocessor.AggregateImplementation")
              .modifyColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(5).build())
              .build());
    }
  }

  private void fill() throws Exception {
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < 40; i++) {
        Put put = new Put(toBytes(String.format("%c%02d", 'a' + i % 26, i)));
        put.addColumn(F, toBytes("long"), toBytes((long) (i * i - 100)));
        put.addColumn(F, toBytes("double"), toBytes(i / 8.0 - 1));
        put.addColumn(F, toBytes("decimal"), toBytes(new BigDecimal(i * 37 - 500).movePointLeft(i % 5)));
        if (i % 7 == 0) put.addColumn(F, toBytes("long"), toBytes("text"));
        if (i % 3 == 0) put.addColumn(toBytes("g"), toBytes("x"), toBytes(1L));
        table.put(put);
      }
    }
  }

  private <T, S, P extends com.google.protobuf.Message, Q extends com.google.protobuf.Message,
          R extends com.google.protobuf.Message>
      void numbers(String qualifier, ColumnInterpreter<T, S, P, Q, R> interpreter) {
    for (Scan scan : Arrays.asList(
        new Scan(),
        new Scan().withStartRow(toBytes("c")).withStopRow(toBytes("p")),
        new Scan().withStartRow(toBytes("b01")).withStopRow(toBytes("b02")),
        new Scan().setFilter(new PrefixFilter(toBytes("d"))))) {
      scan.addColumn(F, toBytes(qualifier));
      String what = qualifier + " " + Printed.text(scan.getStartRow()) + (scan.getFilter() == null ? "" : " filtered");
      Printed.run(what + " max", () -> client.max(name, interpreter, scan));
      Printed.run(what + " min", () -> client.min(name, interpreter, scan));
      Printed.run(what + " sum", () -> client.sum(name, interpreter, scan));
      if (scan.getFilter() != null) continue;
      Printed.run(what + " avg", () -> client.avg(name, interpreter, scan));
      Printed.run(what + " std", () -> client.std(name, interpreter, scan));
      Printed.run(what + " rows", () -> client.rowCount(name, interpreter, scan));
    }
    Scan all = new Scan().addColumn(F, toBytes(qualifier));
    Printed.run(qualifier + " median", () -> client.median(name, interpreter, all));
  }

  private void counts() {
    LongColumnInterpreter numbers = new LongColumnInterpreter();
    Printed.run("rows", () -> client.rowCount(name, numbers, new Scan()));
    Printed.run("rows of a family", () -> client.rowCount(name, numbers, new Scan().addFamily(toBytes("g"))));
    Printed.run("rows of a prefix", () -> client.rowCount(name, numbers, new Scan().setFilter(new PrefixFilter(toBytes("c")))));
    Printed.run("sum of a family", () -> client.sum(name, numbers, new Scan().addFamily(toBytes("g"))));
    Printed.run("max of nothing", () -> client.max(name, numbers, new Scan().withStartRow(toBytes("zz")).addFamily(F)));
  }

  private void faults() {
    LongColumnInterpreter numbers = new LongColumnInterpreter();
    Printed.run("no family", () -> client.sum(name, numbers, new Scan().addFamily(toBytes("nope"))));
    // A table has AuthenticationService of a server that checks tokens only.
    Printed.run("no service", () -> {
      try (Table table = connection.getTable(name)) {
        return table.coprocessorService(toBytes("a")).callBlockingMethod(
            AuthenticationProtos.AuthenticationService.getDescriptor().findMethodByName("WhoAmI"),
            null,
            AuthenticationProtos.WhoAmIRequest.getDefaultInstance(),
            AuthenticationProtos.WhoAmIResponse.getDefaultInstance());
      }
    });
  }
}
