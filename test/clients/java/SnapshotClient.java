import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** What becomes of the properties that a client gives a snapshot. */
public final class SnapshotClient {
  private static final TableName NAME = TableName.valueOf("java_snapshot");
  private static final long MAX = 20_000_000;

  public static void main(String[] args) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(Printed.configuration(args[0]));
        Admin admin = connection.getAdmin()) {
      for (long maxFileSize : new long[] {-1, MAX}) {
        if (admin.tableExists(NAME)) drop(admin, NAME);
        TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(toBytes("f")));
        if (maxFileSize > 0) builder.setMaxFileSize(maxFileSize);
        admin.createTable(builder.build());
        String of = maxFileSize > 0 ? " of a limited table" : "";
        asked(admin, "nothing" + of, Map.of());
        for (long ttl : new long[] {0, 100_000, -7, Long.MIN_VALUE, Long.MAX_VALUE / 1000, Long.MAX_VALUE / 1000 + 1}) {
          asked(admin, "ttl " + ttl + of, Map.of("TTL", ttl));
        }
        for (long size : new long[] {0, MAX + 1, 5, -7, Long.MAX_VALUE}) {
          asked(admin, "size " + size + of, Map.of("MAX_FILESIZE", size));
        }
        asked(admin, "both" + of, Map.of("TTL", -1L, "MAX_FILESIZE", MAX + 2));
      }
      drop(admin, NAME);
    }
  }

  private static void drop(Admin admin, TableName name) throws Exception {
    admin.disableTable(name);
    admin.deleteTable(name);
  }

  private static void asked(Admin admin, String what, Map<String, Object> properties) {
    TableName clone = TableName.valueOf("java_snapshot_clone");
    Printed.run(what, () -> {
      admin.snapshot("java_snapshot_1", NAME, SnapshotType.FLUSH, new HashMap<>(properties));
      try {
        List<String> found = new ArrayList<>();
        for (SnapshotDescription each : admin.listSnapshots(Pattern.compile("java_snapshot.*"))) {
          found.add("ttl " + each.getTtl() + " size " + each.getMaxFileSize());
        }
        admin.cloneSnapshot("java_snapshot_1", clone);
        found.add("clone " + admin.getDescriptor(clone).getMaxFileSize());
        return found;
      } finally {
        if (admin.tableExists(clone)) drop(admin, clone);
        admin.deleteSnapshot("java_snapshot_1");
      }
    });
  }
}
