/** HBase's classes of tests that ask a cluster through its client; those that start servers of their own, or load coprocessors, are left out. */

/** Below org.apache.hadoop.hbase.client. */
const CLIENT = `
  Admin Admin1 Admin2 Admin3 Admin4 AppendFromClientSide AsyncAdminModifyStoreFileTracker
  AsyncAdminWithRegionReplicas AsyncBufferMutator AsyncClusterAdminApi AsyncMetaRegionLocator
  AsyncNamespaceAdminApi AsyncNonMetaRegionLocator AsyncProcedureAdminApi AsyncQuotaAdminApi
  AsyncRegionAdminApi AsyncRegionAdminApi2 AsyncReplicationAdminApi AsyncResultScannerCursor
  AsyncSingleRequestRpcRetryingCaller AsyncSnapshotAdminApi AsyncTable AsyncTableAdminApi AsyncTableAdminApi2
  AsyncTableAdminApi3 AsyncTableBatch AsyncTableBatchRetryImmediately AsyncTableGetMultiThreaded
  AsyncTableLocatePrefetch AsyncTableLocateRegionForDeletedTable AsyncTableRegionLocator AsyncTableScan
  AsyncTableScanAll AsyncTableScanMetrics AsyncTableScanRenewLease AsyncTableScanner
  AsyncTableScannerCloseWhileSuspending AsyncToolAdminApi CheckAndMutate ClientSideRegionScanner
  ClientTableMetrics ClientTimeouts CloneSnapshotFromClientAfterSplittingRegion
  CloneSnapshotFromClientCloneLinksAfterDelete CloneSnapshotFromClientCustomSFT CloneSnapshotFromClientError
  CloneSnapshotFromClientNormal ConnectionImplementation FlushFromClient FromClientSide FromClientSide3
  FromClientSide4 FromClientSide5 FromClientSideNoCodec GetScanColumnsWithNewVersionBehavior
  GetScanPartialResult HTableMultiplexer HTableMultiplexerFlushCache IllegalTableDescriptor
  IncrementsFromClientSide IntraRowPagination LeaseRenewal LimitedScanWithFilter MalformedCellFromClient
  MetaCache MobCloneSnapshotFromClientAfterSplittingRegion MobCloneSnapshotFromClientError
  MobCloneSnapshotFromClientNormal MobRestoreSnapshotFromClientAfterTruncate
  MobRestoreSnapshotFromClientClone MobRestoreSnapshotFromClientGetCompactionState
  MobRestoreSnapshotFromClientSchemaChange MobRestoreSnapshotFromClientSimple MobSnapshotCloneIndependence
  MobSnapshotFromClient MultiParallel MultiRespectsLimits MultipleTimestamps MvccConsistentScanner
  PutWithDelete RawAsyncScanCursor RawAsyncTableLimitedScanWithFilter RawAsyncTablePartialScan
  RawAsyncTableScan RegionLocationCaching RegionLocator RequestTooBigException
  RestoreSnapshotFromClientAfterSplittingRegions RestoreSnapshotFromClientAfterTruncate
  RestoreSnapshotFromClientClone RestoreSnapshotFromClientGetCompactionState
  RestoreSnapshotFromClientSchemaChange RestoreSnapshotFromClientSimple ResultScannerCursor
  ResultSizeEstimation ScanWithoutFetchingData ScannerTimeout ScannersFromClientSide ScannersFromClientSide2
  ServerLoadDurability SizeFailures SmallReversedScanner SnapshotCloneIndependence SnapshotFromClient
  SnapshotFromClientWithRegionReplicas SnapshotMetadata SnapshotWithTTLFromClient SplitOrMergeAtTableLevel
  SplitOrMergeStatus TimestampsFilter UpdateConfiguration ZKConnectionRegistry
`

/** Below org.apache.hadoop.hbase. */
const OTHERS = ['PartialResultsFromClientSide', 'ServerSideScanMetricsFromClientSide']

/** Names without `org.apache.hadoop.hbase.` */
export const CLIENT_TEST_CLASSES: readonly string[] = CLIENT.trim()
  .split(/\s+/)
  .map((name) => `client.Test${name}`)
  .concat(OTHERS.map((name) => `Test${name}`))
