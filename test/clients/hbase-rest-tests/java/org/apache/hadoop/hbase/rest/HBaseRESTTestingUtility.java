package org.apache.hadoop.hbase.rest;

import org.apache.hadoop.conf.Configuration;

/** Stands in for HBase's class of the same name: its REST server is the one that runs already. */
public final class HBaseRESTTestingUtility {
  public int getServletPort() {
    return Integer.getInteger("tidegate.rest");
  }

  public void startServletContainer(Configuration conf) {
  }

  public void shutdownServletContainer() {
  }
}
