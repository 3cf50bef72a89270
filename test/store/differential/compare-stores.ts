import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../adapters/native/options/compaction-options.ts'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import { DEFAULT_SPLIT_OPTIONS } from '../../../adapters/native/options/split-options.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { Store } from '../../../src/store/store.ts'
import { openReadBeside } from '../../harness/readers/reader-of-store.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { TestClock } from '../suite/store-under-test.ts'
import { Replica } from './replica.ts'
import type { Step } from './step.ts'
import { byNewVersions, flushedOften, keepingAll, withoutRegionChanges } from './varied-steps.ts'

type Sizes = Partial<
  Pick<NativeOptions, 'flushBytes' | 'scanSliceCells' | 'compaction' | 'split' | 'poisonReleased'>
> & {
  /** The engine's reads are a reader's. */
  readonly isReadBeside?: boolean
}

/** A compaction of all files then drops no tombstone, which could hide a later put of an earlier time. */
const KEEPS_TOMBSTONES = { ...DEFAULT_COMPACTION_OPTIONS, purgeDeletesMs: 1e15 }

/** The memory store’s regions do not grow. */
const NEVER_BY_ITSELF = { ...DEFAULT_SPLIT_OPTIONS, regionsMax: 0 }

/**
 * A flush decides what some reads find: raw scans, reads of a time, reads behind a deleted or expired version. So both stores
 * are flushed and compacted at the same steps, and the engine does so by itself only with tables whose families keep all.
 */
export const VARIATIONS: [string, Sizes, (steps: readonly Step[]) => Step[]][] = [
  ['the usual sizes', {}, withoutRegionChanges],
  [
    'a flush after every third write, pauses every few cells',
    { scanSliceCells: 3 },
    (steps) => flushedOften(withoutRegionChanges(steps)),
  ],
  [
    'NEW_VERSION_BEHAVIOR, a flush after every third write',
    { scanSliceCells: 3 },
    (steps) => flushedOften(byNewVersions(withoutRegionChanges(steps))),
  ],
  [
    'flushes and compacts by itself, splits and merges, pauses every few cells',
    { flushBytes: 2000, scanSliceCells: 3, compaction: KEEPS_TOMBSTONES, split: NEVER_BY_ITSELF },
    keepingAll,
  ],
  [
    'read beside, flushes and compacts by itself, splits and merges, pauses every few cells',
    {
      flushBytes: 2000,
      scanSliceCells: 3,
      compaction: KEEPS_TOMBSTONES,
      split: NEVER_BY_ITSELF,
      poisonReleased: true,
      isReadBeside: true,
    },
    keepingAll,
  ],
]

/** On a machine with much other work. */
export const TIMEOUT_MS = 180_000

/** Runs the history on both stores. Throws where an answer differs. */
export async function compareStores(
  steps: readonly Step[],
  { isReadBeside = false, ...options }: Sizes,
): Promise<void> {
  const clock = new TestClock()
  let fileSystem = new CrashableFileSystem()
  const openNative = async (): Promise<Store> =>
    (isReadBeside ? openReadBeside : openNativeStore)({
      directory: '/store',
      fileSystem,
      clock,
      random: () => 0.5,
      options,
    })
  const memory = new Replica(openMemoryStore({ clock }))
  const native = new Replica(await openNative())
  try {
    for (const [index, step] of steps.entries()) {
      clock.time += step.pauseMs
      if (step.kind === 'reopen') {
        await native.closeScanners()
        await memory.closeScanners()
        if (step.killed) fileSystem = fileSystem.killed()
        else await Promise.all([native.store.close(), memory.flushAll()])
        native.store = await openNative()
        native.generation++
        memory.generation++
      } else {
        const [expected, actual] = [await memory.run(step), await native.run(step)]
        // To print each step and to compare by toEqual takes longer than the step.
        if (!isDeepStrictEqual(actual, expected))
          expect(actual, `step ${index}: ${fc.stringify(step)}`).toEqual(expected)
      }
    }
    for (const name of ['t', 'u'].map(parseTableName)) {
      expect(await native.everything(name)).toEqual(await memory.everything(name))
    }
  } finally {
    await native.store.close()
    await memory.store.close()
  }
}
