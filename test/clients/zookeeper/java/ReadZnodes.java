package org.apache.hadoop.hbase.client;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.zookeeper.MasterAddressTracker;
import org.apache.hadoop.hbase.zookeeper.MetaTableLocator;
import org.apache.hadoop.hbase.zookeeper.ZKClusterId;
import org.apache.hadoop.hbase.zookeeper.ZKDump;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;

/** Reads HBase's znodes with HBase's own classes: those of clients, of its servers, and the shell's zk_dump. */
public final class ReadZnodes {
  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.set("hbase.zookeeper.property.clientPort", args[0]);
    conf.set("zookeeper.znode.parent", args[1]);
    try (ZKConnectionRegistry registry = new ZKConnectionRegistry(conf, User.getCurrent())) {
      System.out.println("registry cluster id " + registry.getClusterId().get());
      System.out.println("registry master " + registry.getActiveMaster().get());
      System.out.println("registry meta " + registry.getMetaRegionLocations().get());
    }
    try (ZKWatcher zk = new ZKWatcher(conf, "test", null)) {
      System.out.println("cluster id " + ZKClusterId.readClusterIdZNode(zk));
      System.out.println("master " + MasterAddressTracker.getMasterAddress(zk));
      System.out.println("meta " + MetaTableLocator.getMetaRegionLocation(zk));
      System.out.println("meta state " + MetaTableLocator.getMetaRegionState(zk).getState());
      List<String> servers = ZKUtil.listChildrenNoWatch(zk, zk.getZNodePaths().rsZNode);
      System.out.println("region servers " + servers);
      System.out.println(ZKDump.dump(zk));
    }
    System.exit(0);
  }
}
