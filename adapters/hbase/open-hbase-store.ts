/** A real HBase cluster as the store. */

import { HBaseError } from '../../src/model/errors.ts'
import type { Store } from '../../src/store.ts'
import { Cluster, type ClusterConfig } from './locate/cluster.ts'

export type HBaseLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void

export interface HBaseStoreConfig extends ClusterConfig {
  readonly log: HBaseLog
}

export async function openHBaseStore(config: HBaseStoreConfig): Promise<Store> {
  const cluster = new Cluster(config)
  await cluster.close()
  throw new HBaseError('UNAVAILABLE', `No store for ${config.cluster.servers.length} servers`)
}
