/** Where the data is, and what the process may take for it. */

import { InvalidArgumentError } from 'commander'
import { UsageError } from '../failures/usage-error.ts'
import { parseBytes } from '../flags/byte-size.ts'
import { checkFirst } from '../flags/given-once.ts'
import { parsePath } from '../flags/paths.ts'
import { defaultMemoryMax } from '../machine/memory-shares.ts'
import { DEFAULT_BLOCK_CACHE_BYTES, parseBlockCacheShare } from './block-cache-option.ts'
import { type ClusterStoreSpec, isClusterStore, parseClusterStore } from './cluster-options.ts'
import type { NativeStoreSpec } from './native-options.ts'
import type { SettingsOf } from './setting.ts'

/** The store that `--store` names. */
export type StoreSpec = NativeStoreSpec | { readonly kind: 'memory' } | ClusterStoreSpec

export interface StoreValues {
  readonly store: StoreSpec
  /** The path of an hbase-site.xml; undefined: there is none. */
  readonly config: string | undefined
  /** The settings of `-D` by key; undefined without one. */
  readonly define: ReadonlyMap<string, string> | undefined
  /** Processes that serve the same ports. */
  readonly processes: number
  /** Threads that serve connections beside the main thread. */
  readonly threads: number | 'auto'
  /** Bytes of the whole process. */
  readonly memoryMax: number
  /** Bytes of the embedded engine's block cache. */
  readonly blockCache: number
  /** Bytes of the embedded engine's log that stay for readers of changes. */
  readonly changesKeep: number
}

/** The most processes: with more, each would have too small a part of the connections and of the memory. The most threads likewise. */
const PROCESSES_MAX = 64
const THREADS_MAX = 64

/** A closed file of the log. */
const CHANGES_KEEP_BYTES = 64 * 1024 * 1024

export const STORE_SETTINGS: SettingsOf<StoreValues> = {
  store: {
    group: 'Store',
    takes: '<store>',
    about:
      'where the data is: native:DIRECTORY; hbase:HOST:PORT[,HOST:PORT...][/ZNODE], a cluster, named by its ZooKeeper ' +
      'or its servers; hbase, the cluster of the config file; or memory, which is lost at the end',
    parse: parseStore,
    fallback: { kind: 'native', directory: './data' },
    fallbackText: 'native:./data',
  },
  config: {
    group: 'Store',
    takes: '<file>',
    about: 'an hbase-site.xml, for settings without a flag or variable',
    parse: parsePath,
    fallback: undefined,
  },
  define: {
    group: 'Store',
    letter: 'D',
    takes: '<key=value...>',
    about: 'a setting of the store by its key in hbase-site.xml; it wins over --config (docs/tuning.md)',
    parse: parseDefinition,
    fallback: undefined,
  },
  processes: {
    group: 'Store',
    takes: '<n>',
    about: 'processes that serve the same ports, to use all cores; more than one only in front of a cluster',
    parse: parseProcesses,
    fallback: 1,
  },
  threads: {
    group: 'Store',
    takes: '<n>',
    about:
      'threads that serve connections of REST, Thrift and native RPC beside the main one (Node 24.20 or a newer 24, or 26.7 or newer); auto: by the number of cores',
    parse: parseThreads,
    fallback: 0,
  },
  memoryMax: {
    group: 'Store',
    takes: '<size>',
    about: 'memory of the whole process: bytes, or 512m, 2g',
    parse: parseBytes,
    fallback: defaultMemoryMax(),
    fallbackText: 'three quarters of a container, half of a machine',
  },
  blockCache: {
    group: 'Store',
    takes: '<size>',
    about: "memory for blocks of the native store's files: bytes, or 512m, 2g",
    parse: parseBytes,
    fallback: DEFAULT_BLOCK_CACHE_BYTES,
    fallbackText: 'a fifth of --memory-max less 160m',
    key: { name: 'hfile.block.cache.size', parse: parseBlockCacheShare },
  },
  changesKeep: {
    group: 'Store',
    takes: '<size>',
    about:
      "how much of the native store's log stays for readers of changes that come back, beyond what the store needs: bytes, or 512m, 2g; 0: none",
    parse: parseBytes,
    fallback: CHANGES_KEEP_BYTES,
    fallbackText: '64m',
  },
}

function parseStore(text: string): StoreSpec {
  if (text === 'memory') return { kind: 'memory' }
  if (text.startsWith('native:'))
    return { kind: 'native', directory: parsePath(text.slice('native:'.length)) }
  if (isClusterStore(text)) return parseClusterStore(text)
  throw new InvalidArgumentError(
    'It must be native:DIRECTORY, hbase:HOST:PORT[,HOST:PORT...][/ZNODE], hbase (the cluster of the config file) or memory.',
  )
}

/** Adds a `KEY=VALUE` to the earlier ones, none of which may have its key. */
function parseDefinition(
  text: string,
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const equals = text.indexOf('=')
  const key = text.slice(0, equals).trim()
  if (equals < 0 || key === '') throw new InvalidArgumentError(`"${text}" is not KEY=VALUE.`)
  checkFirst(key, before.has(key))
  return new Map([...before, [key, text.slice(equals + 1).trim()]])
}

function parseProcesses(text: string): number {
  const processes = /^[1-9]\d?$/.test(text) ? Number(text) : Number.NaN
  if (processes <= PROCESSES_MAX) return processes
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${PROCESSES_MAX}.`)
}

function parseThreads(text: string): number | 'auto' {
  if (text === 'auto') return text
  const threads = /^(?:0|[1-9]\d?)$/.test(text) ? Number(text) : Number.NaN
  if (threads <= THREADS_MAX) return threads
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${THREADS_MAX}, or auto.`)
}

const REASONS: Readonly<Record<Exclude<StoreSpec['kind'], 'hbase'>, string>> = {
  native: 'the folder of the embedded engine belongs to one process',
  memory: 'the memory store is the memory of one process',
}

/** Throws UsageError where threads cannot serve beside the other settings. */
export function checkThreads(threads: number | 'auto', processes: number, testMode: boolean): void {
  if (threads === 0 || threads === 'auto') return
  if (processes > 1) {
    throw new UsageError(
      `--threads ${threads} and --processes ${processes} do not go together: leave one of them out. In front of a cluster either uses all cores.`,
    )
  }
  if (testMode) {
    throw new UsageError(
      `--threads ${threads} and --test-mode do not go together: faults cut connections of the main thread only. Leave one of them out.`,
    )
  }
}

/** Throws UsageError where one process only can serve the store. */
export function checkProcesses({ processes, store: { kind } }: StoreValues): void {
  if (processes === 1 || kind === 'hbase') return
  throw new UsageError(
    `--processes ${processes} needs a cluster behind it (--store hbase:...): ${REASONS[kind]}.`,
  )
}
