/** Stores as the commands that move data name them: `native:DIRECTORY`, or a server. */

import { InvalidArgumentError } from 'commander'
import { reasonOf } from '../../model/error-reason.ts'
import type { Store } from '../../store/store.ts'
import type { CommandLogin } from '../remote/login-options.ts'
import { openServer } from '../remote/open-server.ts'
import { OutageReporter } from '../remote/outage-reporter.ts'
import { ADDRESS_FORMS, parseServerAddress, type ServerAddress } from '../remote/server-address.ts'
import { watchedServer } from '../remote/watched-server.ts'
import { openStoreFiles } from '../stores/store-descriptors.ts'

export type NamedStore =
  | { readonly kind: 'native'; readonly directory: string; readonly text: string }
  | { readonly kind: 'server'; readonly address: ServerAddress; readonly text: string }

const NATIVE = 'native:'

/** Throws InvalidArgumentError. */
export function parseNamedStore(text: string): NamedStore {
  if (text === NATIVE) throw new InvalidArgumentError('It must be native:DIRECTORY.')
  if (text.startsWith(NATIVE)) return { kind: 'native', directory: text.slice(NATIVE.length), text }
  try {
    return { kind: 'server', address: parseServerAddress(text), text }
  } catch (error) {
    if (!(error instanceof InvalidArgumentError) || /^(?:rest|thrift|rpc|zookeeper|hbase):/.test(text))
      throw error
    throw new InvalidArgumentError(`It must be native:DIRECTORY, ${ADDRESS_FORMS}.`)
  }
}

/** The servers that the stores are. */
export function serversOf(...stores: readonly NamedStore[]): readonly ServerAddress[] {
  return stores.flatMap((store) => (store.kind === 'server' ? [store.address] : []))
}

/** The store of a folder is opened in this process: no server may run on it. `withTags`: cells of servers have their tags. */
export async function openNamedStore(
  named: NamedStore,
  log: (message: string) => void,
  login: CommandLogin,
  withTags = false,
): Promise<Store> {
  const logSevere = (level: string, message: string, fields?: object): void => {
    if (level !== 'warn' && level !== 'error') return
    const { error } = (fields ?? {}) as { readonly error?: unknown }
    log(`${named.text}: ${message}${error === undefined ? '' : `: ${reasonOf(error)}`}`)
  }
  if (named.kind === 'server') {
    const outage = new OutageReporter(named.text)
    const onRetry = (reason: string): void => outage.failed(reason)
    const demands = { retriesMax: undefined, isImpatient: false, withTags, warn: log, onRetry }
    const { store } = await openServer(named.address, login, demands, logSevere)
    return watchedServer(store, outage)
  }
  const { openNativeStore } = await import('../../../adapters/native/open-native-store.ts')
  const { NODE_FILE_SYSTEM } = await import('../../../adapters/native/platform/node-file-system.ts')
  const { NODE_CLOCK } = await import('../../../adapters/native/platform/node-clock.ts')
  const { nodeWakeUps } = await import('../../../adapters/native/platform/node-wake-ups.ts')
  return openNativeStore({
    directory: named.directory,
    fileSystem: NODE_FILE_SYSTEM,
    clock: NODE_CLOCK,
    random: Math.random,
    // Its server may have labels or not. With them tombstones hide too little rather than too much.
    options: { ...openStoreFiles(), visibilityLabels: true },
    log: logSevere,
    wakeUps: nodeWakeUps,
  })
}
