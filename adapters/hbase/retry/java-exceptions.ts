/** The exception classes of HBase that a client distinguishes. */

export const JAVA_CLASS = {
  notServingRegion: 'org.apache.hadoop.hbase.NotServingRegionException',
  regionMoved: 'org.apache.hadoop.hbase.exceptions.RegionMovedException',
  regionOpening: 'org.apache.hadoop.hbase.exceptions.RegionOpeningException',
  regionOffline: 'org.apache.hadoop.hbase.client.RegionOfflineException',
  regionTooBusy: 'org.apache.hadoop.hbase.RegionTooBusyException',
  retryImmediately: 'org.apache.hadoop.hbase.RetryImmediatelyException',
  /** A RetryImmediatelyException: the answer to a Multi is full, so the client resends the other actions. */
  multiActionResultTooLarge: 'org.apache.hadoop.hbase.MultiActionResultTooLarge',
  rpcThrottling: 'org.apache.hadoop.hbase.quotas.RpcThrottlingException',
  callQueueTooBig: 'org.apache.hadoop.hbase.CallQueueTooBigException',
  callDropped: 'org.apache.hadoop.hbase.CallDroppedException',
  regionServerStopped: 'org.apache.hadoop.hbase.regionserver.RegionServerStoppedException',
  regionServerAborted: 'org.apache.hadoop.hbase.regionserver.RegionServerAbortedException',
  serverNotRunningYet: 'org.apache.hadoop.hbase.ipc.ServerNotRunningYetException',
  masterNotRunning: 'org.apache.hadoop.hbase.MasterNotRunningException',
  masterStopped: 'org.apache.hadoop.hbase.exceptions.MasterStoppedException',
  pleaseHold: 'org.apache.hadoop.hbase.PleaseHoldException',
  unknownScanner: 'org.apache.hadoop.hbase.UnknownScannerException',
  lease: 'org.apache.hadoop.hbase.regionserver.LeaseException',
  scannerReset: 'org.apache.hadoop.hbase.exceptions.ScannerResetException',
  outOfOrderScannerNext: 'org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException',
  wrongRegion: 'org.apache.hadoop.hbase.regionserver.WrongRegionException',
  callTimeout: 'org.apache.hadoop.hbase.ipc.CallTimeoutException',
  socketTimeout: 'java.net.SocketTimeoutException',
  doNotRetry: 'org.apache.hadoop.hbase.DoNotRetryIOException',
} as const
