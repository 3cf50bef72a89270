package org.apache.hadoop.hbase;

import java.io.IOException;
import org.apache.hadoop.hbase.rest.client.Client;
import org.apache.hadoop.hbase.rest.client.Cluster;
import org.apache.hadoop.hbase.rest.client.RemoteAdmin;

/** The cluster that runs already. */
public final class MiniHBaseCluster {
  private final RemoteAdmin admin;

  MiniHBaseCluster(HBaseTestingUtility utility) {
    Cluster cluster = new Cluster().add("localhost", Integer.getInteger("tidegate.rest"));
    admin = new RemoteAdmin(new Client(cluster), utility.getConfiguration());
  }

  /** Only the average load is asked for. */
  public ClusterStatus getClusterStatus() throws IOException {
    double load = admin.getClusterStatus().getAverageLoad();
    return new ClusterStatus(ClusterMetricsBuilder.newBuilder().build()) {
      @Override
      public double getAverageLoad() {
        return load;
      }
    };
  }
}
