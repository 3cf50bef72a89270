package org.apache.hadoop.hbase.client;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionInfo;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.thrift2.client.ThriftConnection;
import org.apache.hadoop.hbase.thrift2.generated.THBaseService;
import org.apache.hadoop.hbase.thrift2.generated.THRegionInfo;
import org.apache.hadoop.hbase.thrift2.generated.THRegionLocation;
import org.apache.hadoop.hbase.thrift2.generated.TServerName;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;

/** HBase's connection over Thrift 2, which also tells where a table's regions are. */
public final class RemoteConnection extends ThriftConnection {
  public RemoteConnection(Configuration conf, ExecutorService pool, User user, Map<String, byte[]> attributes)
    throws IOException {
    super(conf, pool, user, attributes);
  }

  @Override
  public RegionLocator getRegionLocator(TableName table) throws IOException {
    List<HRegionLocation> locations = locationsOf(table);
    return (RegionLocator) Proxy.newProxyInstance(RegionLocator.class.getClassLoader(),
      new Class<?>[] { RegionLocator.class }, (proxy, method, arguments) -> {
        switch (method.getName()) {
          case "getAllRegionLocations":
            return locations;
          case "close":
            return null;
          default:
            throw new UnsupportedOperationException(method.getName());
        }
      });
  }

  private List<HRegionLocation> locationsOf(TableName table) throws IOException {
    List<HRegionLocation> locations = new ArrayList<>();
    try (TTransport transport = new TSocket(getHost(), getPort())) {
      transport.open();
      THBaseService.Client client = new THBaseService.Client(new TBinaryProtocol(transport));
      for (THRegionLocation each : client.getAllRegionLocations(ByteBuffer.wrap(table.getName()))) {
        THRegionInfo region = each.getRegionInfo();
        TServerName server = each.getServerName();
        locations.add(new HRegionLocation(
          new HRegionInfo(table, region.getStartKey(), region.getEndKey(), false, region.getRegionId()),
          ServerName.valueOf(server.getHostName(), server.getPort(), server.getStartCode())));
      }
    } catch (TException e) {
      throw new IOException(e);
    }
    return locations;
  }
}
