/** A replication peer as its clients read it. HBase: ReplicationPeerConfig. */

import { fromBinary } from '@bufbuild/protobuf'
import { namespaceOf, type TableName } from '../model/table-name.ts'
import {
  ReplicationPeerDescriptionSchema,
  ReplicationState_State,
  type TableCF,
} from '../wire/rpc/gen/replication_pb.ts'
import { tableNameFromMessage } from '../wire/rpc/table-name-message.ts'

/** The families of tables, as latin1 text; an empty set: all of the table. */
export type TableFamilies = ReadonlyMap<TableName, ReadonlySet<string>>

export interface PeerChoice {
  /** True: all tables but those of the excluding fields; else those of the others alone. */
  readonly replicateAll: boolean
  readonly namespaces: ReadonlySet<string>
  readonly tables: TableFamilies
  readonly excludeNamespaces: ReadonlySet<string>
  readonly excludeTables: TableFamilies
}

export interface Peer {
  readonly id: string
  readonly clusterKey: string
  readonly isEnabled: boolean
  readonly choice: PeerChoice
  /** Bytes a second; 0: no limit. */
  readonly bandwidth: number
  /** The bytes that it was read from: a changed peer has others. */
  readonly bytes: Buffer
}

/** `bytes`: a ReplicationPeerDescription. */
export function readPeer(bytes: Buffer): Peer {
  const { id, state, config } = fromBinary(ReplicationPeerDescriptionSchema, bytes)
  const peer = config!
  return {
    id,
    clusterKey: peer.clusterkey,
    isEnabled: state?.state === ReplicationState_State.ENABLED,
    choice: {
      replicateAll: peer.replicateAll,
      namespaces: names(peer.namespaces),
      tables: families(peer.tableCfs),
      excludeNamespaces: names(peer.excludeNamespaces),
      excludeTables: families(peer.excludeTableCfs),
    },
    bandwidth: Number(peer.bandwidth),
    bytes,
  }
}

function names(bytes: readonly Uint8Array[]): ReadonlySet<string> {
  return new Set(bytes.map((name) => Buffer.from(name).toString()))
}

function families(tables: readonly TableCF[]): TableFamilies {
  return new Map(
    tables.map((table) => [
      tableNameFromMessage(table.tableName!),
      new Set(table.families.map((family) => Buffer.from(family).toString('latin1'))),
    ]),
  )
}

/** Whether the peer gets the family of the table. HBase: ReplicationPeerConfig.needToReplicate. */
export function isWanted(choice: PeerChoice, table: TableName, family: string): boolean {
  const namespace = namespaceOf(table)
  if (choice.replicateAll) {
    if (choice.excludeNamespaces.has(namespace)) return false
    const excluded = choice.excludeTables.get(table)
    return excluded === undefined || (excluded.size > 0 && !excluded.has(family))
  }
  if (choice.namespaces.has(namespace)) return true
  const wanted = choice.tables.get(table)
  return wanted !== undefined && (wanted.size === 0 || wanted.has(family))
}

/** Whether the peer gets any family of the table. */
export function isTableWanted(choice: PeerChoice, table: TableName): boolean {
  const namespace = namespaceOf(table)
  if (!choice.replicateAll) return choice.namespaces.has(namespace) || choice.tables.has(table)
  if (choice.excludeNamespaces.has(namespace)) return false
  return choice.excludeTables.get(table)?.size !== 0
}
