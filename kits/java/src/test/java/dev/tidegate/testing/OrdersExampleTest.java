package dev.tidegate.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An example: a program that uses HBase's client, and its test. With Docker, TidegateContainer takes the place of the process. */
class OrdersExampleTest {
  private static TidegateProcess tidegate;
  private static Connection connection;

  @BeforeAll
  static void start() throws IOException {
    tidegate = new TidegateProcess().start();
    Configuration configuration = HBaseConfiguration.create();
    tidegate.settings().forEach(configuration::set);
    connection = ConnectionFactory.createConnection(configuration);
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    tidegate.close();
  }

  @BeforeEach
  void orders() {
    tidegate.reset("{\"tables\":[{\"name\":\"orders\",\"families\":[\"o\"],"
        + "\"rows\":{\"ann\":{\"o:total\":\"120\"},\"bob\":{\"o:total\":\"7\"}}}]}");
  }

  /** The program. */
  static long sumOfOrders(Connection connection) throws IOException {
    long sum = 0;
    try (Table table = connection.getTable(TableName.valueOf("orders"));
        ResultScanner rows = table.getScanner(new Scan())) {
      for (Result row : rows) sum += Long.parseLong(Bytes.toString(row.getValue(Bytes.toBytes("o"), Bytes.toBytes("total"))));
    }
    return sum;
  }

  @Test
  void addsAllOrders() throws IOException {
    assertEquals(127, sumOfOrders(connection));
  }
}
