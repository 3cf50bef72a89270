package dev.tidegate.testing;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/** A server in test mode: in a container, in a process, or one that runs already. */
public interface Tidegate {
  /** {@code http://HOST:PORT}, without a slash at its end. */
  String getRestUrl();

  /** Console, /health and /metrics. */
  String getWebUrl();

  /** Thrift 1 and Thrift 2, every transport and protocol. */
  InetSocketAddress getThrift();

  /** Native RPC. */
  InetSocketAddress getRpc();

  InetSocketAddress getZookeeper();

  /** Drops all tables, ends all faults, and makes the tables of the seed that was given before the start. */
  default void reset() {
    TestRequests.reset(getWebUrl(), getSeed());
  }

  /**
   * The same with another seed: JSON as in docs/testing.md of Tidegate, such as
   * {@code {"tables":[{"name":"t","families":["f"],"rows":{"r":{"f:q":"v"}}}]}}.
   */
  default void reset(String seed) {
    TestRequests.reset(getWebUrl(), seed);
  }

  /** From now on the server has these rules and no others. */
  default void fault(FaultRule... rules) {
    TestRequests.fault(getWebUrl(), List.of(rules));
  }

  /** Faults that each rule has made, in the order of the rules. */
  default List<Integer> faultsMade() {
    return TestRequests.faultsMade(getWebUrl());
  }

  /** The tables that the server has at its start and after each {@link #reset()}, as JSON. */
  String getSeed();

  /**
   * The keys of {@code hbase-site.xml} by which HBase's client finds the server: its ZooKeeper. {@code
   * settings().forEach(configuration::set)}.
   */
  default Map<String, String> settings() {
    InetSocketAddress zookeeper = getZookeeper();
    return Map.of(
        "hbase.zookeeper.quorum", zookeeper.getHostString(),
        "hbase.zookeeper.property.clientPort", Integer.toString(zookeeper.getPort()));
  }

  /** The same without ZooKeeper, for clients of HBase 2.5 and newer. */
  default Map<String, String> bootstrapSettings() {
    InetSocketAddress rpc = getRpc();
    return Map.of(
        "hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry",
        "hbase.client.bootstrap.servers", rpc.getHostString() + ":" + rpc.getPort());
  }
}
