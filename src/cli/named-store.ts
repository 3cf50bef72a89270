/** Stores as the commands that move data name them: `native:DIRECTORY`, or a server by its native RPC. */

import { userInfo } from 'node:os'
import { InvalidArgumentError } from 'commander'
import type { ClusterAddress } from '../../adapters/hbase/cluster/cluster-address.ts'
import type { Store } from '../store/store.ts'
import type { CommandLogin } from './login-options.ts'
import { parseServerAddress } from './server-address.ts'

export type NamedStore =
  | { readonly kind: 'native'; readonly directory: string; readonly text: string }
  | { readonly kind: 'server'; readonly cluster: ClusterAddress; readonly text: string }

const NATIVE = 'native:'

/** Throws InvalidArgumentError. */
export function parseNamedStore(text: string): NamedStore {
  if (text === NATIVE) throw new InvalidArgumentError('It must be native:DIRECTORY.')
  if (text.startsWith(NATIVE)) return { kind: 'native', directory: text.slice(NATIVE.length), text }
  try {
    return { kind: 'server', cluster: parseServerAddress(text), text }
  } catch (error) {
    if (!(error instanceof InvalidArgumentError) || /^(?:rest|thrift|rpc|zookeeper|hbase):/.test(text))
      throw error
    throw new InvalidArgumentError('It must be native:DIRECTORY, rpc:HOST:PORT or zookeeper:HOST:PORT.')
  }
}

/** The servers that the stores are. */
export function serversOf(...stores: readonly NamedStore[]): readonly ClusterAddress[] {
  return stores.flatMap((store) => (store.kind === 'server' ? [store.cluster] : []))
}

/** The store of a folder is opened in this process: no server may run on it. */
export async function openNamedStore(
  named: NamedStore,
  log: (message: string) => void,
  { user, login }: CommandLogin,
): Promise<Store> {
  const told = (level: string, message: string): void => {
    if (level === 'warn' || level === 'error') log(`${named.text}: ${message}`)
  }
  if (named.kind === 'server') {
    const { openHBaseStore } = await import('../../adapters/hbase/open-hbase-store.ts')
    const { DEFAULT_HBASE_OPTIONS } = await import('../../adapters/hbase/hbase-options.ts')
    const { COMMAND_TIME } = await import('../../adapters/hbase/retry/node-time.ts')
    return openHBaseStore({
      cluster: named.cluster,
      options: DEFAULT_HBASE_OPTIONS,
      user: user ?? process.env['HADOOP_USER_NAME'] ?? userInfo().username,
      login,
      time: COMMAND_TIME,
      random: Math.random,
      log: told,
    })
  }
  const { openNativeStore } = await import('../../adapters/native/open-native-store.ts')
  const { NODE_FILE_SYSTEM } = await import('../../adapters/native/platform/node-file-system.ts')
  const { NODE_CLOCK } = await import('../../adapters/native/platform/node-clock.ts')
  const { nodeWakeUps } = await import('../../adapters/native/platform/node-wake-ups.ts')
  return openNativeStore({
    directory: named.directory,
    fileSystem: NODE_FILE_SYSTEM,
    clock: NODE_CLOCK,
    random: Math.random,
    log: told,
    wakeUps: nodeWakeUps,
  })
}
