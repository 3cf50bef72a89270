/** HBase's classes of the procedures that carry out requests of MasterService. */

import { ERROR_TRAITS, type ErrorCode, type HBaseError } from '../../../model/errors.ts'
import { isNoTrackerClass } from '../../../model/file-trackers.ts'
import { isQuotaExceeded } from '../../../model/namespace-limits.ts'

const PACKAGE = 'org.apache.hadoop.hbase.'
/** Shown in place of a procedure that was refused before it began. */
const REFUSED = `${PACKAGE}procedure2.FailedProcedure`
const TTL_EXPIRED = `${PACKAGE}snapshot.SnapshotTTLExpiredException`
/** By the request without its last word; others are named after the request. */
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

/** Refusals that HBase's procedure finds itself, once it has begun: `ALL`, or some. It finds others before, as for requests not named here. */
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
/** Requests whose other refusals leave no trace: HBase looks at them before it looks for the request's nonce. */
const REFUSED_WITHOUT_TRACE: ReadonlySet<string | undefined> = new Set(['CreateTable', 'FlushTable'])

/** The source of exceptions where it is not named after the request. */
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
  /** Of the request, as `CreateTable` of `hbase.pb.CreateTableRequest`; undefined: it is no message. */
  readonly kind: string | undefined
  readonly hasNonce: boolean
  readonly failure: HBaseError | undefined
}

/** As list_procedures shows it. */
export interface ShownProcedure {
  readonly className: string
  /** Of its failure. */
  readonly source: string
  /** False: HBase shows a failure alone. */
  readonly hasState: boolean
}

/** `$typeName`: of a message, as `hbase.pb.CreateTableRequest`. */
export function requestKind({ $typeName: type }: { readonly $typeName?: string }): string | undefined {
  return type === undefined ? undefined : /^hbase\.pb\.(\w+)Request$/.exec(type)?.[1]
}

/**
 * The class that list_procedures shows, and the source of the failure; undefined: HBase lists none, since it refuses the request before
 * there is a procedure, and the request has no nonce under which the failure would be kept. HBase: MasterProcedureUtil.submitProcedure,
 * ProcedureExecutor.setFailureResultForNonce.
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
 * True for failures that HBase finds once it has begun the procedure, of whatever request: clients hear of them with its result. Exceeded
 * limits of a namespace, snapshots whose time to live is over, and file trackers of clones that are not there. HBase: RestoreSnapshotProcedure.prepareRestore,
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
