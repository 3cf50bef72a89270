package org.apache.hadoop.minikdc;

/** A type that HBaseTestingUtility names, and that these tests do not use. */
public class MiniKdc {
}
