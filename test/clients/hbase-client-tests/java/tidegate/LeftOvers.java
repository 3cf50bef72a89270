package tidegate;

import java.io.IOException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.SnapshotDescription;

/** Each class of tests starts on an empty cluster, so the server that they run on must be theirs alone. */
final class LeftOvers {
  private LeftOvers() {
  }

  static void drop(Admin admin) throws IOException {
    for (SnapshotDescription snapshot : admin.listSnapshots()) admin.deleteSnapshot(snapshot.getName());
    for (TableName table : admin.listTableNames()) {
      if (!admin.isTableDisabled(table)) admin.disableTable(table);
      admin.deleteTable(table);
    }
    for (NamespaceDescriptor namespace : admin.listNamespaceDescriptors()) {
      String name = namespace.getName();
      if (!name.equals("default") && !name.equals("hbase")) admin.deleteNamespace(name);
    }
    admin.balancerSwitch(true, true);
    admin.splitSwitch(true, true);
    admin.mergeSwitch(true, true);
  }
}
