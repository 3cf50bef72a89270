package tidegate;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.implementation.bind.annotation.AllArguments;
import net.bytebuddy.implementation.bind.annotation.Origin;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import net.bytebuddy.implementation.bind.annotation.This;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.objenesis.ObjenesisStd;

/**
 * Objects of servers that tests look for in their own process: the cluster, its master, its one region server and the regions. They
 * know what a client can find out about the running server. Each other question is out of reach.
 */
public final class ServerObjects {
  /** Classes that PatchUtility writes a subclass of, whose methods come here. */
  static final Class<?>[] STOOD_IN_FOR =
    { MiniHBaseCluster.class, HMaster.class, HRegionServer.class, HRegion.class, RegionServerThread.class };

  private static Configuration conf;
  /** By identity: regions compare themselves by questions that are out of reach. */
  private static final Map<HRegion, RegionInfo> REGIONS = Collections.synchronizedMap(new IdentityHashMap<>());

  private ServerObjects() {
  }

  /** The cluster that clients with these settings find. */
  static MiniHBaseCluster cluster(Configuration settings) throws Exception {
    conf = settings;
    return make(MiniHBaseCluster.class);
  }

  /** The name of the class that stands in for another. */
  static String nameFor(String stoodInFor) {
    return "tidegate.Running" + stoodInFor.replaceAll(".*[.$]", "");
  }

  @RuntimeType
  public static Object call(@This Object self, @Origin Method method, @AllArguments Object[] arguments) throws Exception {
    String name = method.getName();
    if (self instanceof MiniHBaseCluster) return ofCluster(name, arguments);
    if (self instanceof HMaster) return ofMaster(name);
    if (self instanceof HRegion && name.equals("waitForFlushesAndCompactions")) return null;
    if (self instanceof HRegion && name.equals("getRegionInfo")) return REGIONS.get(self);
    if (self instanceof RegionServerThread && name.equals("getRegionServer")) return make(HRegionServer.class);
    if (self instanceof HRegionServer) return ofRegionServer(name, arguments);
    throw outOfReach(self, name);
  }

  private static Object ofCluster(String name, Object[] arguments) throws Exception {
    switch (name) {
      case "getMaster":
        return make(HMaster.class);
      case "getRegionServer":
        return make(HRegionServer.class);
      case "getRegionServerThreads":
      case "getLiveRegionServerThreads":
        return Collections.singletonList(make(RegionServerThread.class));
      case "getServerWithMeta":
        return 0;
      case "getServerWith":
        return isServed((byte[]) arguments[0]) ? 0 : -1;
      case "getServerHoldingRegion":
        return regionServer();
      case "getConf":
      case "getConfiguration":
        return conf;
      case "getClusterMetrics":
        try (Connection connection = connection()) {
          return connection.getAdmin().getClusterMetrics();
        }
      default:
        throw new OutOfReach("MiniHBaseCluster." + name);
    }
  }

  private static Object ofMaster(String name) throws Exception {
    switch (name) {
      case "getServerName":
        try (Connection connection = connection()) {
          return connection.getAdmin().getMaster();
        }
      case "getClusterId":
        try (Connection connection = connection()) {
          return connection.getAdmin().getClusterMetrics().getClusterId();
        }
      case "getZooKeeper":
        return new ZKWatcher(conf, "tests", null);
      case "getConfiguration":
        return conf;
      default:
        throw new OutOfReach("HMaster." + name);
    }
  }

  private static Object ofRegionServer(String name, Object[] arguments) throws Exception {
    if (name.equals("getServerName")) return regionServer();
    if (name.equals("getConfiguration")) return conf;
    if (!name.equals("getRegions") || arguments.length != 1) throw new OutOfReach("HRegionServer." + name);
    List<HRegion> regions = new ArrayList<>();
    try (Connection connection = connection(); Admin admin = connection.getAdmin()) {
      for (RegionInfo region : admin.getRegions(regionServer())) {
        if (region.getTable().equals(arguments[0])) regions.add(regionOf(region));
      }
    }
    return regions;
  }

  private static HRegion regionOf(RegionInfo region) throws Exception {
    HRegion made = make(HRegion.class);
    REGIONS.put(made, region);
    return made;
  }

  private static OutOfReach outOfReach(Object self, String name) {
    return new OutOfReach(self.getClass().getSuperclass().getSimpleName() + "." + name);
  }

  private static Connection connection() throws IOException {
    return ConnectionFactory.createConnection(conf);
  }

  private static ServerName regionServer() throws IOException {
    try (Connection connection = connection()) {
      return connection.getAdmin().getRegionServers().iterator().next();
    }
  }

  private static boolean isServed(byte[] regionName) throws IOException {
    try (Connection connection = connection()) {
      TableName table = RegionInfo.getTable(regionName);
      for (HRegionLocation each : connection.getRegionLocator(table).getAllRegionLocations()) {
        if (Bytes.equals(each.getRegion().getRegionName(), regionName)) return each.getServerName() != null;
      }
      return false;
    }
  }

  /** Without a constructor: those of servers start them. */
  private static <T> T make(Class<T> stoodInFor) throws Exception {
    return stoodInFor.cast(new ObjenesisStd().newInstance(Class.forName(nameFor(stoodInFor.getName()))));
  }
}
