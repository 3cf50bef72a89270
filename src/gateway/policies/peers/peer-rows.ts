/**
 * The rows of hbase:replication: one for each peer, under its id, with its config as HBase's ReplicationPeer, its state as ReplicationState, and the id of
 * the cluster to which the state belongs.
 */

import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../model/descriptor.ts'
import type { TableName } from '../../../model/table-name.ts'

export const PEERS_TABLE: TableName = 'hbase:replication' as TableName

/** PERSISTED: the family and qualifiers of peers. */
export const PEER_FAMILY: Buffer = Buffer.from('peer')
export const CONFIG: Buffer = Buffer.from('config')
export const STATE: Buffer = Buffer.from('state')
/** A store made from a backup has another cluster id: there no peer is enabled, so that only one of the two stores sends. */
export const CLUSTER: Buffer = Buffer.from('cluster')

export const PEERS_DESCRIPTOR: TableDescriptor = tableDescriptor(PEERS_TABLE, [
  familyDescriptor(PEER_FAMILY.toString()),
])
