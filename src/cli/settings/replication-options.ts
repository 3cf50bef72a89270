/** Replication to other clusters: `--replication-keep`, and HBase's keys. */

import type { SenderSettings } from '../../replication/sender-parts.ts'
import { UsageError } from '../failures/usage-error.ts'
import { parseBytes } from '../flags/byte-size.ts'
import type { SettingsOf } from './setting.ts'
import { parseFlag } from './setting-flag.ts'
import type { StoreSpec } from './store-options.ts'

export interface ReplicationValues {
  /** Bytes of the log that are kept for each peer. */
  readonly replicationKeep: number
}

export interface ReplicationSettings extends SenderSettings {
  /** The part of a peer's region servers that gets its changes, from 0 to 1. HBase: replication.source.ratio. */
  readonly ratio: number
}

const KEEP_BYTES = 10 * 1024 * 1024 * 1024

export const REPLICATION_SETTINGS: SettingsOf<ReplicationValues> = {
  replicationKeep: {
    group: 'Store',
    takes: '<size>',
    about:
      'how much of the log the native store keeps for each replication peer that is away: bytes, or 512m, 10g (docs/replication.md)',
    parse: parseBytes,
    fallback: KEEP_BYTES,
    fallbackText: '10g',
  },
}

const [SIZE, COUNT] = ['replication.source.size.capacity', 'replication.source.nb.capacity']
const [BANDWIDTH, RATIO] = ['replication.source.per.peer.node.bandwidth', 'replication.source.ratio']
const DROP_TABLES = 'hbase.replication.drop.on.deleted.table'
const DROP_FAMILIES = 'hbase.replication.drop.on.deleted.columnfamily'

export const REPLICATION_KEYS: readonly string[] = [SIZE, COUNT, BANDWIDTH, RATIO, DROP_TABLES, DROP_FAMILIES]

/** Undefined for a store whose changes Tidegate does not send. Throws UsageError. */
export function replicationSettings(
  { replicationKeep }: ReplicationValues,
  store: StoreSpec,
  properties: ReadonlyMap<string, string>,
): ReplicationSettings | undefined {
  if (store.kind !== 'native') return undefined
  const isSet = (key: string): boolean => parseFlag(key, properties.get(key))
  const number = (key: string, fallback: number, min: number): number => {
    const text = properties.get(key) ?? ''
    if (text === '') return fallback
    const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (value >= min) return value
    throw new UsageError(`${key} = "${text}" is invalid. It must be a number from ${min} on.`, key)
  }
  return {
    requestBytesMax: number(SIZE, 64 * 1024 * 1024, 1),
    requestChangesMax: Math.floor(number(COUNT, 25_000, 1)),
    bandwidth: number(BANDWIDTH, 0, 0),
    ratio: Math.min(1, number(RATIO, 0.5, 0)),
    dropsDeletedTables: isSet(DROP_TABLES),
    dropsDeletedFamilies: isSet(DROP_FAMILIES),
    keepBytesMax: replicationKeep,
  }
}
