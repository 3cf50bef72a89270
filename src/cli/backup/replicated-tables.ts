/** Warnings of tables that a restore has made in a server whose replication peers get them. */

import { hasReplicationScope, type TableDescriptor } from '../../model/descriptor.ts'
import { isHBaseError } from '../../model/errors.ts'
import type { TableName } from '../../model/table-name.ts'
import { OWN_CALL } from '../../store/call.ts'
import { isWanted, type Peer, readPeer } from '../../store/peer-description.ts'
import type { ReplicationPeers } from '../../store/replication-peers.ts'

/** One for each table and peer. Only the operator knows whether the peer has the table. */
export async function replicationWarnings(
  peers: Pick<ReplicationPeers, 'listPeers'> | undefined,
  tables: readonly TableDescriptor[],
): Promise<string[]> {
  const listed = tables.some(({ families }) => families.some(hasReplicationScope)) ? await listOf(peers) : []
  return tables.flatMap(({ name: table, families }) => {
    const sent = families.filter(hasReplicationScope).map(({ name }) => name.toString('latin1'))
    const getting = listed.filter(({ choice }) => sent.some((family) => isWanted(choice, table, family)))
    return getting.map(({ id }) => sentence(id, table))
  })
}

async function listOf(peers: Pick<ReplicationPeers, 'listPeers'> | undefined): Promise<Peer[]> {
  try {
    return ((await peers?.listPeers(OWN_CALL)) ?? []).map(readPeer)
  } catch (error) {
    // The tables are there: a user who may not list peers has restored them all the same.
    if (isHBaseError(error)) return []
    throw error
  }
}

function sentence(peer: string, table: TableName): string {
  return `replication peer ${peer} of the server gets the table ${table}, too: while the peer lacks it, all tables wait for that peer. Make it there with enable_table_replication '${table}' in the shell of the server, or end its replication with disable_table_replication '${table}'`
}
