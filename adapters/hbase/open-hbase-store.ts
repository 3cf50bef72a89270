/** A real HBase cluster as the store. */

import { HBaseError } from '../../src/model/errors.ts'
import type { Store } from '../../src/store.ts'
import type { HBaseOptions } from './hbase-options.ts'
import type { ClusterAddress } from './locate/cluster-address.ts'
import type { Time } from './retry/time.ts'

export type HBaseLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void

export interface HBaseStoreConfig {
  readonly cluster: ClusterAddress
  readonly options: HBaseOptions
  /** Whom the cluster takes the gateway for (SIMPLE authentication). */
  readonly user: string
  readonly time: Time
  /** From 0 to less than 1. */
  readonly random: () => number
  readonly log: HBaseLog
}

export async function openHBaseStore(config: HBaseStoreConfig): Promise<Store> {
  throw new HBaseError('UNAVAILABLE', `No store for ${config.cluster.servers.length} servers`)
}
