/** Reads the request by which another cluster sends entries of its log. HBase: ReplicationProtobufUtil.buildReplicateWALEntryRequest. */

import { EMPTY } from '../../../../model/bytes.ts'
import { type ClusterUuid, consumedClusters } from '../../../../model/consumed-clusters.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { isStepEnd, type Steps } from '../../../../model/steps.ts'
import { parseTableName, type TableName } from '../../../../model/table-name.ts'
import { Field } from '../../../../wire/rpc/field.ts'
import { MalformedMessage, type MessageReader } from '../../../../wire/rpc/message-reader.ts'

/** An entry of the other cluster's log: the cells that one change made in one region. */
export interface LogEntry {
  readonly table: TableName
  /** The attribute of the clusters that have the change. Entries of the same clusters share it. */
  readonly clusters: Buffer
  /** How many of the request's cells belong to it. */
  readonly cells: number
}

export interface ReplicateRequest {
  readonly entries: readonly LogEntry[]
  /** Milliseconds since 1970 at which the last entry was written. */
  readonly lastWrittenMs: number
  /** Where the files of the other cluster's bulk loads lie, as Hadoop writes it; empty where the request does not say. */
  readonly filesFolder: string
  /** Where they lie once the other cluster needs them no more. */
  readonly archiveFolder: string
}

/** Clusters that an entry may name. Each of its rows then has them. */
const CLUSTERS_MAX = 1000
/** ScopeType: local, global and serial. */
const SCOPES = 3

/** Throws MalformedMessage, ILLEGAL_ARGUMENT for the name of no table, DO_NOT_RETRY for what no source sends. */
export function* readReplicateRequest(reader: MessageReader): Steps<ReplicateRequest> {
  const field = Field.ReplicateWALEntryRequest
  const keys = new EntryReader()
  const entries: LogEntry[] = []
  let filesFolder = ''
  let archiveFolder = ''
  while (reader.next()) {
    if (reader.field === field.entry) entries.push(yield* keys.entry(reader.message()))
    else if (reader.field === field.sourceBaseNamespaceDirPath) filesFolder = reader.string()
    else if (reader.field === field.sourceHFileArchiveDirPath) archiveFolder = reader.string()
    else reader.skip()
  }
  return { entries, lastWrittenMs: keys.lastWrittenMs, filesFolder, archiveFolder }
}

class EntryReader {
  lastWrittenMs = 0
  readonly #tables = new Map<string, TableName>()
  readonly #clusters = new Map<string, Buffer>()
  #messages = 0

  #isStepEnd(): boolean {
    return isStepEnd(this.#messages++)
  }

  *entry(reader: MessageReader): Steps<LogEntry> {
    const field = Field.WALEntry
    let key: Omit<LogEntry, 'cells'> | undefined
    let cells = 0
    while (reader.next()) {
      if (reader.field === field.key) key = yield* this.#key(reader.message())
      else if (reader.field === field.associatedCellCount) cells = reader.int32()
      else if (reader.field === field.keyValueBytes) throw unread('has cells within its message')
      else reader.skip()
    }
    if (key === undefined) throw missing('key')
    if (cells < 0) throw unread(`states ${cells} cells`)
    if (this.#isStepEnd()) yield
    return { ...key, cells }
  }

  *#key(reader: MessageReader): Steps<Omit<LogEntry, 'cells'>> {
    const field = Field.WALKey
    let hasRegion = false
    let hasNumber = false
    let table: TableName | undefined
    let writtenMs: number | undefined
    const ids: ClusterUuid[] = []
    while (reader.next()) {
      if (this.#isStepEnd()) yield
      if (reader.field === field.encodedRegionName) hasRegion = reader.passBytes() >= 0
      else if (reader.field === field.tableName) table = this.#table(reader.bytes())
      else if (reader.field === field.logSequenceNumber) hasNumber = reader.uint64() >= 0n
      else if (reader.field === field.writeTime) writtenMs = Number(reader.uint64())
      else if (reader.field === field.scopes) checkScope(reader.message())
      else if (reader.field === field.clusterIds) {
        if (ids.length === CLUSTERS_MAX) throw unread(`names more than ${CLUSTERS_MAX} clusters`)
        ids.push(readUuid(reader.message()))
      } else reader.skip()
    }
    if (!hasRegion) throw missing('encoded_region_name')
    if (table === undefined) throw missing('table_name')
    if (!hasNumber) throw missing('log_sequence_number')
    if (writtenMs === undefined) throw missing('write_time')
    this.lastWrittenMs = writtenMs
    return { table, clusters: this.#clustersOf(ids) }
  }

  #table(name: Buffer): TableName {
    const text = name.toString()
    let table = this.#tables.get(text)
    if (table === undefined) this.#tables.set(text, (table = parseTableName(text)))
    return table
  }

  #clustersOf(ids: readonly ClusterUuid[]): Buffer {
    const made = consumedClusters(ids)
    const key = made.toString('latin1')
    const known = this.#clusters.get(key)
    if (known === undefined) this.#clusters.set(key, made)
    return known ?? made
  }
}

function checkScope(reader: MessageReader): void {
  const field = Field.FamilyScope
  let family = EMPTY
  let scope: number | undefined
  while (reader.next()) {
    if (reader.field === field.family) family = reader.bytes()
    else if (reader.field === field.scopeType) scope = reader.uint32()
    else reader.skip()
  }
  if (family.length === 0) throw missing('family')
  if (scope === undefined) throw missing('scope_type')
  if (scope >= SCOPES) throw unread(`has the scope type ${scope}`)
}

function readUuid(reader: MessageReader): ClusterUuid {
  const field = Field.UUID
  let mostSignificant: bigint | undefined
  let leastSignificant: bigint | undefined
  while (reader.next()) {
    if (reader.field === field.mostSigBits) mostSignificant = reader.uint64()
    else if (reader.field === field.leastSigBits) leastSignificant = reader.uint64()
    else reader.skip()
  }
  if (mostSignificant === undefined) throw missing('most_sig_bits')
  if (leastSignificant === undefined) throw missing('least_sig_bits')
  return { mostSignificant, leastSignificant }
}

function missing(name: string): MalformedMessage {
  return new MalformedMessage(`Message missing required fields: ${name}`)
}

function unread(reason: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `an entry of a log ${reason}`)
}
