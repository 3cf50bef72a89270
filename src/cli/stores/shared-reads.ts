/** The embedded engine's reads in the threads that serve connections: each reads from memory that it shares with the main thread. */

import type { NativeStore } from '../../../adapters/native/native-store.ts'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import { ThreadWords } from '../../../adapters/native/platform/thread-words.ts'
import type { ServeSettings } from '../settings/serve-options.ts'
import { type RightsChanges, rightsChanges } from './rights-changes.ts'

/** Sizes of each thread that reads, the main one among them. */
export type ReaderSizes = Pick<NativeOptions, 'blockCacheBytes' | 'awakeBytesMax'>

export interface SharedReads {
  readonly words: ThreadWords
  readonly sizes: ReaderSizes
  readonly rights: RightsChanges
  /** Set once the store is open. */
  engine: Pick<NativeStore, 'connectReader'> | undefined
}

type Settings = Pick<ServeSettings, 'store' | 'quotas' | 'testMode'>

/**
 * Undefined where threads must ask the main thread for each read: with another store, and where the main thread has to see reads for quotas or tests.
 * `ofStore`: the sizes that all threads share.
 */
export function sharedReads(
  { store, quotas, testMode }: Settings,
  threads: number,
  ofStore: ReaderSizes | undefined,
): SharedReads | undefined {
  if (threads === 0 || store.kind !== 'native' || ofStore === undefined) return undefined
  if (quotas || testMode !== undefined) return undefined
  const part = (bytes: number): number => Math.floor(bytes / (threads + 1))
  return {
    words: new ThreadWords(ThreadWords.memoryFor(threads)),
    sizes: {
      blockCacheBytes: part(ofStore.blockCacheBytes),
      awakeBytesMax: part(ofStore.awakeBytesMax),
    },
    rights: rightsChanges(),
    engine: undefined,
  }
}
