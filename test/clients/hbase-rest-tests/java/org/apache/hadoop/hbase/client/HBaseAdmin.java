package org.apache.hadoop.hbase.client;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;

/** The part of HBase's own class that its REST tests call. */
public final class HBaseAdmin {
  private final Admin admin;

  public HBaseAdmin(Admin admin) {
    this.admin = admin;
  }

  public void disableTable(TableName table) throws IOException {
    admin.disableTable(table);
  }

  public void truncateTable(TableName table, boolean preserveSplits) throws IOException {
    admin.truncateTable(table, preserveSplits);
  }
}
