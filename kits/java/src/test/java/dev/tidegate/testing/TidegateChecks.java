package dev.tidegate.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.testing.FaultRule.Call;
import dev.tidegate.testing.FaultRule.Failure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Checks that every server for tests must pass, asked by HBase's own client. */
abstract class TidegateChecks {
  static final String SEED =
      "{\"tables\":[{\"name\":\"orders\",\"families\":[\"d\"],\"rows\":{\"order-1\":{\"d:total\":\"12\"}}}]}";
  private static final TableName ORDERS = TableName.valueOf("orders");
  private static final byte[] ROW = Bytes.toBytes("order-1");
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] TOTAL = Bytes.toBytes("total");

  abstract Tidegate tidegate();

  private static Connection connect(Map<String, String> settings, int retries) throws IOException {
    Configuration configuration = HBaseConfiguration.create();
    settings.forEach(configuration::set);
    configuration.setInt("hbase.client.retries.number", retries);
    return ConnectionFactory.createConnection(configuration);
  }

  private static String total(Table table) throws IOException {
    return Bytes.toString(table.get(new Get(ROW)).getValue(FAMILY, TOTAL));
  }

  private static void putTotal(Table table, String total) throws IOException {
    table.put(new Put(ROW).addColumn(FAMILY, TOTAL, Bytes.toBytes(total)));
  }

  @Test
  void hasTheSeedAndHasItAgainAfterAReset() throws IOException {
    tidegate().reset();
    try (Connection connection = connect(tidegate().settings(), 3); Table table = connection.getTable(ORDERS)) {
      assertEquals("12", total(table));
      putTotal(table, "13");
      assertEquals("13", total(table));
      tidegate().reset();
      assertEquals("12", total(table));
    }
  }

  @Test
  void isFoundWithoutZooKeeper() throws IOException {
    tidegate().reset();
    try (Connection connection = connect(tidegate().bootstrapSettings(), 3); Table table = connection.getTable(ORDERS)) {
      assertEquals("12", total(table));
    }
  }

  @Test
  void canBeResetWithAnotherSeed() throws IOException {
    tidegate().reset("{\"tables\":[{\"name\":\"others\",\"families\":[\"f\"]}]}");
    try (Connection connection = connect(tidegate().settings(), 3)) {
      assertFalse(connection.getAdmin().tableExists(ORDERS));
      assertTrue(connection.getAdmin().tableExists(TableName.valueOf("others")));
    }
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> tidegate().reset("{\"tables\":7}"));
    assertTrue(refused.getMessage().contains("400"), refused.getMessage());
  }

  @Test
  void makesFaultsThatTheClientOvercomes() throws IOException {
    tidegate().reset();
    try (Connection connection = connect(tidegate().settings(), 5); Table table = connection.getTable(ORDERS)) {
      tidegate().fault(FaultRule.on(Call.WRITE).table("orders").times(2).error(Failure.REGION_TOO_BUSY));
      putTotal(table, "14");
      assertEquals(List.of(2), tidegate().faultsMade());
      assertEquals("14", total(table));
    }
  }

  @Test
  void makesFaultsThatTheProgramSees() throws IOException {
    tidegate().reset();
    try (Connection connection = connect(tidegate().settings(), 1); Table table = connection.getTable(ORDERS)) {
      assertEquals("12", total(table));
      tidegate().fault(FaultRule.on(Call.GET).error(Failure.REGION_TOO_BUSY));
      assertThrows(RetriesExhaustedException.class, () -> total(table));
      tidegate().fault();
      assertArrayEquals(Bytes.toBytes("12"), table.get(new Get(ROW)).getValue(FAMILY, TOTAL));
      assertNull(table.get(new Get(Bytes.toBytes("missing"))).getRow());
    }
  }
}
