/** The engine's reads by a reader, which has nothing but messages and shared memory of the engine. */

import type { Store } from '../../src/store/store.ts'
import { openReadBeside } from '../harness/readers/reader-of-store.ts'
import { CrashableFileSystem } from '../harness/simulation/crashable-file-system.ts'
import { describeStore } from './suite/describe-store.ts'
import { TestClock } from './suite/store-under-test.ts'

/** Other calls have their turn every few cells, and a read of released memory shows. */
const OPTIONS = { scanSliceCells: 100, poisonReleased: true }

describeStore('native, read beside', async () => {
  const clock = new TestClock()
  let fileSystem = new CrashableFileSystem()
  const open = async (): Promise<Store> =>
    openReadBeside({ directory: '/store', fileSystem, clock, random: Math.random, options: OPTIONS })
  let store = await open()
  return {
    store,
    clock,
    async reopen() {
      await store.close()
      store = await open()
      return store
    },
    async recover() {
      fileSystem = fileSystem.killed()
      store = await open()
      return store
    },
    close: () => store.close(),
  }
}, ['as written', 'flushed', 'reopened', 'recovered'])
