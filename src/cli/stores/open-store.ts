import { availableParallelism, userInfo } from 'node:os'
import type { Logger } from 'pino'
import type { ClusterKerberos } from '../../../adapters/hbase/config/cluster-kerberos.ts'
import type { TlsTrust } from '../../../adapters/hbase/rpc/open-socket.ts'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import { LOOP_TURNS } from '../../model/loop-turns.ts'
import type { OpeningProgress } from '../../store/opening-progress.ts'
import type { SpanRecorder } from '../../store/span-recorder.ts'
import type { Store } from '../../store/store.ts'
import { storeLog } from '../logs/store-log.ts'

import type { ClusterTlsOptions } from '../settings/cluster-tls-options.ts'
import { storeText } from '../settings/setting-names.ts'
import type { StoreSpec } from '../settings/store-options.ts'
import type { SharedReads } from './shared-reads.ts'
import { openStoreFiles } from './store-descriptors.ts'

/** A flush and two compactions run at a time. */
const FILE_THREADS_MAX = 3

/** A reserve with which tables of some thousand regions can be dropped on a full disk. */
const MANIFEST_RESERVE = { manifestReserveBytes: 1024 * 1024 }

export interface StoreOpening {
  /** True: waits for a cluster keep the process alive, as a command needs and a server's end does not want. */
  readonly keepsProcess?: boolean
  /** Undefined: there are no traces. */
  readonly spans?: SpanRecorder | undefined
  /** See NativeStoreConfig. */
  readonly onOpening?: ((progress: () => OpeningProgress | undefined) => void) | undefined
  /** Gets the embedded engine. */
  readonly reads?: SharedReads | undefined
  /** The login to a cluster whose settings ask for Kerberos. */
  readonly kerberos?: ClusterKerberos | undefined
}

/** Loads only the adapter that the store needs, so that a start pays for no other. `options`: of the embedded engine, for tests. */
export async function openStore(
  spec: StoreSpec,
  logger: Logger,
  options: Partial<NativeOptions> = {},
  { keepsProcess = false, spans, onOpening, reads, kerberos }: StoreOpening = {},
): Promise<Store> {
  switch (spec.kind) {
    case 'memory': {
      const { openMemoryStore } = await import('../../../adapters/memory/memory-store.ts')
      const { visibilityLabels = false } = options
      return openMemoryStore({ clock: { now: () => Date.now() }, visibilityLabels })
    }
    case 'native': {
      const { openNativeStore } = await import('../../../adapters/native/open-native-store.ts')
      const { NODE_FILE_SYSTEM } = await import('../../../adapters/native/platform/node-file-system.ts')
      const { nodeWakeUps } = await import('../../../adapters/native/platform/node-wake-ups.ts')
      const { NODE_CLOCK } = await import('../../../adapters/native/platform/node-clock.ts')
      const store = await openNativeStore({
        directory: spec.directory,
        fileSystem: NODE_FILE_SYSTEM,
        clock: NODE_CLOCK,
        random: Math.random,
        options: { ...openStoreFiles(), ...MANIFEST_RESERVE, ...spec.options, ...options },
        log: storeLog(logger),
        threadsMax: fileThreads(),
        wakeUps: nodeWakeUps,
        turns: LOOP_TURNS,
        spans,
        onOpening,
        ...(reads && { words: reads.words }),
      })
      if (reads !== undefined) reads.engine = store
      return store
    }
    case 'hbase': {
      const { openHBaseStore } = await import('../../../adapters/hbase/open-hbase-store.ts')
      const { COMMAND_TIME, NODE_TIME } = await import('../../../adapters/hbase/retry/time.ts')
      return openHBaseStore({
        cluster: spec.cluster,
        options: spec.options,
        passing: spec.passing,
        kerberos,
        zookeeperLogin: spec.zookeeperLogin,
        rpcTls: spec.tls && (await clusterTrust(spec.tls, logger)),
        user: process.env['HADOOP_USER_NAME'] ?? userInfo().username,
        time: keepsProcess ? COMMAND_TIME : NODE_TIME,
        random: Math.random,
        log: storeLog(logger, { store: storeText(spec) }),
        spans,
      })
    }
  }
}

async function clusterTrust(tls: ClusterTlsOptions, logger: Logger): Promise<TlsTrust> {
  const { ClusterTrust } = await import('./key-stores/cluster-trust.ts')
  return new ClusterTrust(tls, logger)
}

/** Threads that flush and compact: one processor is for the thread that answers clients. */
function fileThreads(): number {
  return Math.min(Math.max(1, availableParallelism() - 1), FILE_THREADS_MAX)
}
