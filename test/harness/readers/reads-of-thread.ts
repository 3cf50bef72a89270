/** A guarded store as a thread has it: the main thread's behind it, and reads of its own with the same rights. */

import { pino } from 'pino'
import type { NativeStore } from '../../../adapters/native/native-store.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import { ThreadWords } from '../../../adapters/native/platform/thread-words.ts'
import { type ReadPolicies, readsByPolicies } from '../../../src/cli/stores/reads-by-policies.ts'
import { type RightsChanges, rightsChanges } from '../../../src/cli/stores/rights-changes.ts'
import type { AdvertisedStore } from '../../../src/gateway/catalog/advertised.ts'
import type { Authorization } from '../../../src/gateway/policies/authorization.ts'
import { threadStore } from '../../../src/store/port/thread-store.ts'
import { CrashableFileSystem } from '../simulation/crashable-file-system.ts'
import { type ReaderOfStore, readerOfStore } from './reader-of-store.ts'

export interface EngineOfThreads {
  readonly own: NativeStore
  readonly reader: ReaderOfStore
  /** Those of the main thread. */
  readonly rights: RightsChanges
  readonly close: () => Promise<void>
}

export async function openEngineOfThreads(options: Partial<NativeOptions> = {}): Promise<EngineOfThreads> {
  const words = new ThreadWords(ThreadWords.memoryFor(1))
  const fileSystem = new CrashableFileSystem()
  const config = { directory: '/store', fileSystem, clock: Date, random: Math.random, options, words }
  const own = await openNativeStore(config)
  const reader = readerOfStore(own, config)
  const close = async (): Promise<void> => {
    reader.close()
    await own.close()
  }
  return { own, reader, rights: rightsChanges(), close }
}

/** `main`: the guarded store of the main thread. */
export async function storeOfThread(
  main: AdvertisedStore,
  { reader, rights }: Pick<EngineOfThreads, 'reader' | 'rights'>,
  authorization: Pick<Authorization, 'subjects' | 'labels' | 'hasPermissions'>,
  policies: Partial<ReadPolicies> = {},
): Promise<AdvertisedStore> {
  const reads = await readsByPolicies(reader, {
    authorization: {
      ...authorization,
      trouble: () => undefined,
      reload: () => undefined,
      close: () => undefined,
    },
    rights: rightsChanges(rights.memory),
    tracing: undefined,
    slowLogMs: undefined,
    slow: { add: () => undefined },
    logger: pino({ level: 'silent' }),
    ...policies,
  })
  return threadStore(main, reads) as AdvertisedStore
}
