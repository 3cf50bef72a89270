/** The histories that the explorer stops everywhere. Steps of the catalog come after durable ones: see ExploredStep.isDurable. */

import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { CrashableFileSystem } from '../simulation/crashable-file-system.ts'
import type { ModelRows } from './explored-model.ts'
import {
  alter,
  beginBackup,
  bulkLoad,
  compact,
  create,
  deleteSnapshot,
  disable,
  drop,
  type ExploredStep,
  enable,
  endBackup,
  flush,
  followLog,
  holdLog,
  longEdit,
  merge,
  put,
  readChanges,
  readLog,
  releaseLog,
  remove,
  restore,
  snapshot,
  split,
  truncate,
  truncateRegion,
} from './explored-steps.ts'

export interface ExploredHistory {
  readonly name: string
  readonly steps: readonly ExploredStep[]
}

export const LOADED_PATH = '/in/f/loaded'
const LOADED: ModelRows = { 'l1/f': 'loaded', 'l2/f': 'loaded' }
const LONG = 'v'.repeat(150)
const FSYNC = 'FSYNC_WAL'

export const HISTORIES: readonly ExploredHistory[] = [
  {
    name: 'writes',
    steps: [
      create('t', ['f', 'g'], ['m']),
      put('a', '1'),
      put('n', '2'),
      put('b', '3', FSYNC),
      put('c', LONG),
      remove('a'),
      put('d', LONG),
      put('e', LONG),
      put('n', '4'),
      flush('t'),
      put('a', '5'),
      put('o', LONG, FSYNC),
      flush('t'),
      compact('t'),
      remove('b', FSYNC),
      put('p', LONG),
      put('q', LONG),
      put('r', '6'),
    ],
  },
  {
    name: 'regions',
    steps: [
      create('t', ['f'], ['m']),
      put('a', '1'),
      put('n', '2', FSYNC),
      split('t', 'f'),
      put('g', '3'),
      put('b', '4', FSYNC),
      merge('t'),
      put('c', '5', FSYNC),
      truncateRegion('t', 'm'),
      put('d', '6'),
      put('o', '7', FSYNC),
      disable('t'),
      truncate('t'),
      put('a', '8', FSYNC),
    ],
  },
  {
    name: 'snapshots',
    steps: [
      create('t', ['f']),
      put('a', '1'),
      snapshot('s', 't'),
      put('a', '2', FSYNC),
      restore('s', 'u', 'clone'),
      put('b', '3', FSYNC, 'f', 'u'),
      disable('t'),
      restore('s', 't', 'restore'),
      enable('t'),
      put('c', '4', FSYNC),
      deleteSnapshot('s'),
      compact('t'),
      disable('u'),
      drop('u'),
    ],
  },
  {
    name: 'tables',
    steps: [
      create('t', ['f']),
      put('a', '1', FSYNC),
      alter('t', ['f', 'g']),
      put('a', '2', FSYNC, 'g'),
      alter('t', ['f']),
      alter('t', ['f', 'g']),
      put('b', '3', FSYNC, 'g'),
      bulkLoad('t', LOADED_PATH, LOADED),
      put('c', '4', FSYNC),
      disable('t'),
      drop('t'),
      create('t', ['f']),
      put('d', '5', FSYNC),
      flush('t'),
      put('e', '6'),
    ],
  },
  {
    name: 'backups',
    steps: [
      create('t', ['f']),
      put('a', '1', FSYNC),
      followLog(),
      put('b', LONG),
      put('c', LONG),
      put('d', LONG),
      put('e', LONG, FSYNC),
      flush('t'),
      put('f', '2', FSYNC),
      beginBackup(),
      put('g', LONG, FSYNC),
      split('t', 'c'),
      compact('t'),
      readLog(),
      put('h', '3', FSYNC),
      endBackup(),
      disable('t'),
      truncate('t'),
      readLog(),
      put('i', '4', FSYNC),
    ],
  },
  {
    name: 'changes',
    steps: [
      create('t', ['f']),
      put('a', '1', FSYNC),
      holdLog(),
      put('b', LONG),
      put('c', LONG),
      put('d', LONG, FSYNC),
      flush('t'),
      readChanges(),
      put('e', LONG, FSYNC),
      split('t', 'c'),
      put('f', LONG, FSYNC),
      flush('t'),
      readChanges(),
      readChanges(),
      put('g', '2', FSYNC),
      releaseLog(),
      put('h', '3', FSYNC),
      flush('t'),
      put('i', '4'),
    ],
  },
  {
    name: 'loads that readers see',
    steps: [
      create('t', ['f'], [], '1'),
      put('a', '1', FSYNC),
      holdLog(),
      put('b', LONG, FSYNC),
      bulkLoad('t', LOADED_PATH, LOADED),
      put('a', '2', FSYNC),
      readChanges(),
      bulkLoad('t', LOADED_PATH, LOADED),
      flush('t'),
      put('c', '3', FSYNC),
      readChanges(),
      put('d', '4'),
    ],
  },
  {
    name: 'a long manifest',
    steps: [
      create('t', ['f']),
      put('a', '1', FSYNC),
      ...Array.from({ length: 5 }, () => longEdit(100_000)),
      put('b', '2', FSYNC),
    ],
  },
]

/** An empty disk, but for the file that a history loads. */
export async function newDisk(blockBytes = 64): Promise<CrashableFileSystem> {
  const disk = new CrashableFileSystem()
  disk.blockBytes = blockBytes
  const other = new CrashableFileSystem()
  const clock = { now: (): number => 1000 }
  const store = await openNativeStore({ directory: '/o', fileSystem: other, clock, random: () => 0.5 })
  await create('t', ['f']).run(store)
  for (const at of Object.keys(LOADED)) await put(at.split('/')[0]!, 'loaded').run(store)
  await store.upkeep.flushes!.flushTable('t' as Parameters<typeof store.catalog.table>[0], OWN_CALL)
  disk.replace(LOADED_PATH, other.bytesOf(other.paths().find((path) => path.startsWith('/o/data/'))!))
  await store.close()
  return disk
}
