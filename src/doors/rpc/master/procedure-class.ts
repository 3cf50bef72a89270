/** The Java classes of HBase's procedures that carry out requests of MasterService. */

import { ERROR_TRAITS, type ErrorCode, type HBaseError } from '../../../model/errors.ts'
import { isNoTrackerClass } from '../../../model/file-trackers.ts'
import { isQuotaExceeded } from '../../../model/namespace-limits.ts'

const PACKAGE = 'org.apache.hadoop.hbase.'
/** The class that HBase shows for a procedure that it refused before it began. */
const REFUSED = `${PACKAGE}procedure2.FailedProcedure`
const TTL_EXPIRED = `${PACKAGE}snapshot.SnapshotTTLExpiredException`
/** Classes by request kind, such as `CreateTable`. The class of any other request has the request's own name. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['AddColumn', 'master.procedure.ModifyTableProcedure'],
  ['DeleteColumn', 'master.procedure.ModifyTableProcedure'],
  ['ModifyColumn', 'master.procedure.ModifyTableProcedure'],
  ['ModifyTableStoreFileTracker', 'regionserver.storefiletracker.ModifyTableStoreFileTrackerProcedure'],
  [
    'ModifyColumnStoreFileTracker',
    'regionserver.storefiletracker.ModifyColumnFamilyStoreFileTrackerProcedure',
  ],
  ['AssignRegion', 'master.assignment.TransitRegionStateProcedure'],
  ['UnassignRegion', 'master.assignment.TransitRegionStateProcedure'],
  ['SplitTableRegion', 'master.assignment.SplitTableRegionProcedure'],
  ['MergeTableRegions', 'master.assignment.MergeTableRegionsProcedure'],
  ['AddReplicationPeer', 'master.replication.AddPeerProcedure'],
  ['RemoveReplicationPeer', 'master.replication.RemovePeerProcedure'],
  ['EnableReplicationPeer', 'master.replication.EnablePeerProcedure'],
  ['DisableReplicationPeer', 'master.replication.DisablePeerProcedure'],
  ['UpdateReplicationPeerConfig', 'master.replication.UpdatePeerConfigProcedure'],
])

/** For each request kind, the refusals that HBase finds only after the procedure has begun. It finds other refusals, and those of other requests, before. */
const FOUND_BY_PROCEDURE: ReadonlyMap<string, readonly ErrorCode[] | 'ALL'> = new Map<
  string,
  readonly ErrorCode[] | 'ALL'
>([
  ['CreateTable', ['TABLE_EXISTS']],
  ['ModifyTable', ['TABLE_NOT_FOUND']],
  ['DeleteTable', 'ALL'],
  ['EnableTable', 'ALL'],
  ['FlushTable', ['NO_SUCH_COLUMN_FAMILY']],
  ['CreateNamespace', 'ALL'],
  ['DeleteNamespace', 'ALL'],
  ['MergeTableRegions', 'ALL'],
  ['ModifyTableStoreFileTracker', 'ALL'],
  ['ModifyColumnStoreFileTracker', 'ALL'],
  ['AddReplicationPeer', 'ALL'],
  ['RemoveReplicationPeer', 'ALL'],
  ['EnableReplicationPeer', 'ALL'],
  ['DisableReplicationPeer', 'ALL'],
  ['UpdateReplicationPeerConfig', 'ALL'],
])
/** Requests whose other refusals are not listed: HBase finds these before it looks for the request's nonce. */
const REFUSED_WITHOUT_TRACE: ReadonlySet<string | undefined> = new Set(['CreateTable', 'FlushTable'])

/** For each request kind, the source of exceptions where it is not named after the request. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ['AddColumn', 'master-modify-table'],
  ['DeleteColumn', 'master-modify-table'],
  ['ModifyColumn', 'master-modify-table'],
  ['ModifyTableStoreFileTracker', 'master-modify-SFT'],
  ['ModifyColumnStoreFileTracker', 'master-modify-SFT'],
  ['MergeTableRegions', 'MergeTableRegionsProcedure'],
])

/** A procedure's request, and its failure where it has failed. */
export interface ListedProcedure {
  /** The request's kind, such as `CreateTable` for `hbase.pb.CreateTableRequest`; undefined where it is no message. */
  readonly kind: string | undefined
  readonly hasNonce: boolean
  readonly failure: HBaseError | undefined
}

/** A procedure as the shell's list_procedures shows it. */
export interface ShownProcedure {
  readonly className: string
  /** The source of its failure. */
  readonly source: string
  /** False where HBase shows the failure without a state. */
  readonly hasState: boolean
}

/** The kind of a request, such as `CreateTable` for a message of the type `hbase.pb.CreateTableRequest`. */
export function requestKind({ $typeName: type }: { readonly $typeName?: string }): string | undefined {
  return type === undefined ? undefined : /^hbase\.pb\.(\w+)Request$/.exec(type)?.[1]
}

/**
 * The procedure as list_procedures shows it. Undefined where HBase lists none: it refuses the request before there is a procedure, and has
 * no nonce to keep the failure under. HBase: MasterProcedureUtil.submitProcedure, ProcedureExecutor.setFailureResultForNonce.
 */
export function shownProcedure({ kind, hasNonce, failure }: ListedProcedure): ShownProcedure | undefined {
  if (failure !== undefined && isRefusedBefore(kind, failure)) {
    if (!hasNonce || REFUSED_WITHOUT_TRACE.has(kind)) return undefined
    return { className: REFUSED, source: failure.message, hasState: false }
  }
  if (kind === undefined)
    return { className: `${PACKAGE}procedure2.Procedure`, source: 'master', hasState: false }
  const className = PACKAGE + (CLASSES.get(kind) ?? `master.procedure.${kind}Procedure`)
  return { className, source: SOURCES.get(kind) ?? `master-${inDashes(kind)}`, hasState: true }
}

/**
 * True for failures that HBase finds only after the procedure has begun, for any request; clients get them with the procedure's result. They are
 * exceeded limits of a namespace, expired snapshots, and unknown file trackers of clones. HBase: RestoreSnapshotProcedure.prepareRestore,
 * CloneSnapshotProcedure.prepareClone.
 */
export function isFoundByProcedure(failure: HBaseError): boolean {
  return isQuotaExceeded(failure) || failure.javaClass === TTL_EXPIRED || isNoTrackerClass(failure)
}

function isRefusedBefore(kind: string | undefined, failure: HBaseError): boolean {
  if (isFoundByProcedure(failure) || ERROR_TRAITS[failure.code].fault !== 'client') return false
  const found = FOUND_BY_PROCEDURE.get(kind ?? '') ?? []
  return found !== 'ALL' && !found.includes(failure.code)
}

function inDashes(kind: string): string {
  return kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
}
