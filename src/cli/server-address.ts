/** Servers as `tidegate shell` and `tidegate copy` name them: `zookeeper:HOST:PORT` or `rpc:HOST:PORT`. */

import { InvalidArgumentError } from 'commander'
import type { ClusterAddress } from '../../adapters/hbase/cluster/cluster-address.ts'
import { parseClusterStore } from './cluster-options.ts'

/** Where HBase's shell looks without a configuration. */
export const DEFAULT_ADDRESS = 'zookeeper:127.0.0.1:2181'

/** Throws InvalidArgumentError. */
export function parseServerAddress(text: string): ClusterAddress {
  const [, kind, rest = ''] = /^(zookeeper|rpc|hbase|rest|thrift):(.*)$/.exec(text) ?? []
  if (kind === 'rest' || kind === 'thrift')
    throw new InvalidArgumentError(`${kind}: is not there yet. Name the native RPC: rpc:HOST:PORT.`)
  if (kind === undefined || rest === '')
    throw new InvalidArgumentError('It must be zookeeper:HOST:PORT or rpc:HOST:PORT.')
  const { cluster } = parseClusterStore(`hbase:${rest}`)
  if (kind === 'zookeeper') return { ...cluster, registry: 'zookeeper' }
  return kind === 'rpc' ? { ...cluster, registry: 'bootstrap' } : cluster
}
