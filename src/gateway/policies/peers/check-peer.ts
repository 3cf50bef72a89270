/** Checks of a peer before it is taken. HBase: ReplicationPeerManager. */

import { HBaseError } from '../../../model/errors.ts'
import { namespaceOf } from '../../../model/table-name.ts'
import type { TableCF } from '../../../wire/rpc/gen/replication_pb.ts'
import { tableNameFromMessage } from '../../../wire/rpc/table-name-message.ts'
import { checkClusterKey } from './cluster-key.ts'
import type { PeerConfig } from './peer-table.ts'

/** The endpoint that sends to another cluster: the default, which a peer may name. */
const ENDPOINT = 'org.apache.hadoop.hbase.replication.regionserver.HBaseInterClusterReplicationEndpoint'
const FILTERS_KEY = 'hbase.replication.source.custom.walentryfilters'

export function checkPeerId(id: string): void {
  if (id.includes('-')) throw refused(`Found invalid peer name: ${id}`)
  // ZooKeeper's paths, where the peer is shown, and names of holds end at these.
  if (id === '' || id.includes('/')) throw refused(`Found invalid peer name: ${id}`)
}

export function checkPeerConfig(config: PeerConfig): void {
  const { replicationEndpointImpl: endpoint, replicateAll, namespaces, tableCfs } = config
  const { excludeNamespaces, excludeTableCfs } = config
  if (endpoint.trim() !== '' && endpoint !== ENDPOINT) {
    throw refused(
      `Can not instantiate configured replication endpoint class=${endpoint}: Tidegate has no classes of Java`,
    )
  }
  checkClusterKey(config.clusterkey)
  if (replicateAll) {
    if (namespaces.length > 0 || tableCfs.length > 0) {
      throw refused('Need clean namespaces or table-cfs config firstly when you want replicate all cluster')
    }
    checkConflict(excludeNamespaces, excludeTableCfs)
  } else {
    if (excludeNamespaces.length > 0 || excludeTableCfs.length > 0) {
      throw refused(
        'Need clean exclude-namespaces or exclude-table-cfs config firstly when replicate_all flag is false',
      )
    }
    checkConflict(namespaces, tableCfs)
  }
  if (config.remoteWALDir.trim() !== '') {
    throw refused(
      'Tidegate does not replicate synchronously: a peer with a remote WAL directory would not hold each write before its client is answered',
    )
  }
  checkFilters(config)
}

function checkConflict(namespaces: readonly Uint8Array[], tables: readonly TableCF[]): void {
  const names = new Set(namespaces.map((name) => Buffer.from(name).toString()))
  for (const { tableName } of tables) {
    const table = tableNameFromMessage(tableName!)
    const namespace = namespaceOf(table)
    if (names.has(namespace)) {
      throw refused(`Table-cfs ${table} is conflict with namespaces ${namespace} in peer config`)
    }
  }
}

function checkFilters({ configuration }: PeerConfig): void {
  const filters = configuration.find(({ name }) => name === FILTERS_KEY)?.value ?? ''
  if (filters === '') return
  const [first] = filters.split(',')
  throw refused(`Configured WALEntryFilter ${first} could not be created. Failing add/update peer operation.`)
}

/** The new config with the settings of the old one that it does not state. Throws where it changes what a peer keeps for ever. */
export function updatedConfig(id: string, old: PeerConfig, config: PeerConfig): PeerConfig {
  const unchanging = [
    ['cluster key', 'key', old.clusterkey, config.clusterkey],
    [
      'replication endpoint implementation class',
      'class',
      old.replicationEndpointImpl,
      config.replicationEndpointImpl,
    ],
  ] as const
  for (const [what, word, before, after] of unchanging) {
    if (before.trim() === after.trim()) continue
    throw refused(
      `Changing the ${what} on an existing peer is not allowed. Existing ${word} '${shown(before)}' for peer ${id} does not match new ${word} '${shown(after)}'`,
    )
  }
  const stated = new Set(config.configuration.map(({ name }) => name))
  const kept = old.configuration.filter(({ name }) => !stated.has(name))
  return { ...config, configuration: [...kept, ...config.configuration] }
}

/** As Java prints a field that is not set. */
function shown(text: string): string {
  return text === '' ? 'null' : text
}

export function refused(message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message)
}
