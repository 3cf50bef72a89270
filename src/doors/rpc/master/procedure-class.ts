/** HBase's classes of the procedures that carry out requests of MasterService. */

const PACKAGE = 'org.apache.hadoop.hbase.master.'
/** By the request without its last word; others are named after the request. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['AddColumn', 'procedure.ModifyTableProcedure'],
  ['DeleteColumn', 'procedure.ModifyTableProcedure'],
  ['ModifyColumn', 'procedure.ModifyTableProcedure'],
  ['ModifyTableStoreFileTracker', 'procedure.ModifyTableStoreFileTrackerProcedure'],
  ['ModifyColumnStoreFileTracker', 'procedure.ModifyColumnFamilyStoreFileTrackerProcedure'],
  ['SplitTableRegion', 'assignment.SplitTableRegionProcedure'],
  ['MergeTableRegions', 'assignment.MergeTableRegionsProcedure'],
  ['AddReplicationPeer', 'replication.AddPeerProcedure'],
  ['RemoveReplicationPeer', 'replication.RemovePeerProcedure'],
  ['EnableReplicationPeer', 'replication.EnablePeerProcedure'],
  ['DisableReplicationPeer', 'replication.DisablePeerProcedure'],
  ['UpdateReplicationPeerConfig', 'replication.UpdatePeerConfigProcedure'],
])

/** `$typeName`: of the request, as `hbase.pb.CreateTableRequest`; undefined: it is no message. */
export function procedureClass({ $typeName: type }: { readonly $typeName?: string }): string {
  const kind = type === undefined ? undefined : /^hbase\.pb\.(\w+)Request$/.exec(type)?.[1]
  if (kind === undefined) return 'org.apache.hadoop.hbase.procedure2.Procedure'
  return PACKAGE + (CLASSES.get(kind) ?? `procedure.${kind}Procedure`)
}
