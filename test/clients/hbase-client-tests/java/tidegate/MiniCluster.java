package tidegate;

import java.io.IOException;
import java.lang.reflect.Method;
import net.bytebuddy.implementation.bind.annotation.AllArguments;
import net.bytebuddy.implementation.bind.annotation.Origin;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import net.bytebuddy.implementation.bind.annotation.This;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseCluster;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Stands in for the methods of HBaseTestingUtility that boot a cluster in the tests' own process: one runs already. */
public final class MiniCluster {
  /** A compaction that no question has seen by then has ended. */
  private static final int BEGIN_MS_MAX = 2000;

  private MiniCluster() {
  }

  @RuntimeType
  public static Object call(@This HBaseTestingUtility utility, @Origin Method method, @AllArguments Object[] arguments)
    throws Exception {
    switch (method.getName()) {
      case "startMiniCluster":
      case "startMiniHBaseCluster":
        return start(utility);
      case "getMiniHBaseCluster":
        return ServerObjects.cluster(utility.getConfiguration());
      case "invalidateConnection":
        utility.closeConnection();
        return null;
      case "flush":
        for (TableName table : tables(utility, arguments)) utility.getAdmin().flush(table);
        return null;
      case "compact":
        boolean major = (Boolean) arguments[arguments.length - 1];
        for (TableName table : tables(utility, arguments)) compact(utility.getAdmin(), table, major);
        return null;
      default:
        throw new OutOfReach("HBaseTestingUtility." + method.getName());
    }
  }

  /** The table that the first argument names, or all tables. */
  private static TableName[] tables(HBaseTestingUtility utility, Object[] arguments) throws IOException {
    if (arguments.length > 0 && arguments[0] instanceof TableName) return new TableName[] { (TableName) arguments[0] };
    return utility.getAdmin().listTableNames();
  }

  /** Returns when the compaction has ended, as the method that it stands in for does. The server begins it a moment after the request. */
  private static void compact(Admin admin, TableName table, boolean major) throws Exception {
    if (major) admin.majorCompact(table);
    else admin.compact(table);
    long begunBy = System.currentTimeMillis() + BEGIN_MS_MAX;
    while (admin.getCompactionState(table) == CompactionState.NONE && System.currentTimeMillis() < begunBy) Thread.sleep(10);
    while (admin.getCompactionState(table) != CompactionState.NONE) Thread.sleep(50);
  }

  private static MiniHBaseCluster start(HBaseTestingUtility utility) throws Exception {
    Configuration conf = utility.getConfiguration();
    conf.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
    conf.set(HConstants.ZOOKEEPER_CLIENT_PORT, System.getProperty("tidegate.zookeeper"));
    // Tests that name no registry find the cluster by its masters.
    Configuration byZooKeeper = new Configuration(conf);
    byZooKeeper.set(HConstants.CLIENT_CONNECTION_REGISTRY_IMPL_CONF_KEY, HConstants.ZK_CONNECTION_REGISTRY_CLASS);
    try (Connection connection = ConnectionFactory.createConnection(byZooKeeper); Admin admin = connection.getAdmin()) {
      conf.set(HConstants.MASTER_ADDRS_KEY, admin.getMaster().getAddress().toString());
    }
    HBaseCluster cluster =
      (HBaseCluster) Class.forName("tidegate.RunningCluster").getConstructor(Configuration.class).newInstance(conf);
    utility.setHBaseCluster(cluster);
    LeftOvers.drop(utility.getAdmin());
    return null;
  }
}
