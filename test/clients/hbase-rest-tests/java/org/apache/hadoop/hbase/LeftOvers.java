package org.apache.hadoop.hbase;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Admin;

/** Each test class starts on an empty cluster: drops the tables and namespaces that HBase's REST tests make, and no others. */
final class LeftOvers {
  private static final String TABLES =
    "Test(?:StatusResource2?|ScanResource|ScannerResource|SchemaResource[12]|RowResource|GzipFilter|TableResource"
      + "|ScannersWithFilters|RemoteTable_-\\.\\W*|NamespacesInstanceResource\\d:table[12])|ScannerResourceDisable";
  private static final List<String> SYSTEM = Arrays.asList("default", "hbase");

  private LeftOvers() {
  }

  static void drop(Admin admin) throws IOException {
    for (TableName table : admin.listTableNames()) {
      if (!isOfTests(table)) continue;
      if (admin.isTableEnabled(table)) admin.disableTable(table);
      admin.deleteTable(table);
    }
    for (NamespaceDescriptor namespace : admin.listNamespaceDescriptors()) {
      String name = namespace.getName();
      if (!SYSTEM.contains(name) && name.startsWith("TestNamespaces")) admin.deleteNamespace(name);
    }
  }

  private static boolean isOfTests(TableName table) {
    return table.getNameAsString().matches(TABLES);
  }
}
