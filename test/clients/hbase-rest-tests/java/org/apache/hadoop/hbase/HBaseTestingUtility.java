package org.apache.hadoop.hbase;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.HBaseAdmin;
import org.apache.hadoop.hbase.client.RemoteConnection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Stands in for HBase's class of the same name, which boots a cluster in the tests' own process. This one knows a running
 * server: tests prepare their tables over its Thrift 2 door, with HBase's own client for Thrift.
 */
public class HBaseTestingUtility {
  private final Configuration conf = HBaseConfiguration.create();
  private Connection connection;

  public HBaseTestingUtility() {
    conf.set("hbase.client.connection.impl", RemoteConnection.class.getName());
    conf.set("hbase.thrift.server.name", "127.0.0.1");
    conf.set("hbase.thrift.server.port", System.getProperty("tidegate.thrift"));
  }

  public Configuration getConfiguration() {
    return conf;
  }

  public MiniHBaseCluster startMiniCluster() throws Exception {
    LeftOvers.drop(getAdmin());
    return getMiniHBaseCluster();
  }

  public MiniHBaseCluster getMiniHBaseCluster() {
    return new MiniHBaseCluster(this);
  }

  public MiniHBaseCluster startMiniCluster(int servers) throws Exception {
    return startMiniCluster();
  }

  public void shutdownMiniCluster() throws Exception {
    LeftOvers.drop(getAdmin());
  }

  public synchronized Connection getConnection() throws IOException {
    if (connection == null) {
      connection = org.apache.hadoop.hbase.client.ConnectionFactory.createConnection(conf);
    }
    return connection;
  }

  public Admin getAdmin() throws IOException {
    return getConnection().getAdmin();
  }

  public HBaseAdmin getHBaseAdmin() throws IOException {
    return new HBaseAdmin(getAdmin());
  }

  public Table createTable(TableName table, byte[] family) throws IOException {
    return createTable(table, family, null);
  }

  private Table createTable(TableName table, byte[] family, byte[][] splitKeys) throws IOException {
    TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(table)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(family).setMaxVersions(3).build());
    getAdmin().createTable(descriptor.build(), splitKeys);
    return getConnection().getTable(table);
  }

  /** With as many regions: the first ends at `bbb`, the last begins at `zzz`. */
  public Table createMultiRegionTable(TableName table, byte[] family, int regions) throws IOException {
    return createTable(table, family, Bytes.split(Bytes.toBytes("bbb"), Bytes.toBytes("zzz"), regions - 3));
  }

  public void deleteTable(TableName table) throws IOException {
    getAdmin().disableTable(table);
    getAdmin().deleteTable(table);
  }

  public void waitTableEnabled(byte[] table, long timeoutMs) {
  }

  public <E extends Exception> long waitFor(long timeoutMs, Waiter.Predicate<E> predicate) throws E {
    return Waiter.waitFor(conf, timeoutMs, predicate);
  }
}
