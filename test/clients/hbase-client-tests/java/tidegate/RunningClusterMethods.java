package tidegate;

import java.lang.reflect.Method;
import net.bytebuddy.implementation.bind.annotation.Origin;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import net.bytebuddy.implementation.bind.annotation.This;
import org.apache.hadoop.hbase.HBaseCluster;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Methods of the HBaseCluster that runs already. */
public final class RunningClusterMethods {
  private RunningClusterMethods() {
  }

  @RuntimeType
  public static Object call(@This HBaseCluster cluster, @Origin Method method) throws Exception {
    switch (method.getName()) {
      case "getClusterMetrics":
        try (Connection connection = ConnectionFactory.createConnection(cluster.getConf())) {
          return connection.getAdmin().getClusterMetrics();
        }
      case "isDistributedCluster":
      case "waitForActiveAndReadyMaster":
        return true;
      case "shutdown":
      case "waitUntilShutDown":
      case "close":
        return null;
      default:
        throw new OutOfReach("HBaseCluster." + method.getName());
    }
  }
}
