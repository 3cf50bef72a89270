/** The rows of hbase:replication: one for each peer, under its id, with its config as HBase's ReplicationPeer and its state as ReplicationState. */

import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../model/descriptor.ts'
import type { TableName } from '../../../model/table-name.ts'

export const PEERS_TABLE: TableName = 'hbase:replication' as TableName

/** PERSISTED: the family and qualifiers of peers. */
export const PEER_FAMILY: Buffer = Buffer.from('peer')
export const CONFIG: Buffer = Buffer.from('config')
export const STATE: Buffer = Buffer.from('state')

export const PEERS_DESCRIPTOR: TableDescriptor = tableDescriptor(PEERS_TABLE, [
  familyDescriptor(PEER_FAMILY.toString()),
])
