package org.apache.hadoop.hbase.testclassification;

/** A category of HBase's tests, which Maven Central does not have. */
public interface RestTests {
}
