/** The version of HBase that Tidegate is: clients choose their requests by it. */
export const HBASE_VERSION = '2.6.1'
