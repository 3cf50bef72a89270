/** The engine's reads by a reader, which has nothing but messages and shared memory of the engine. */

import { openNativeStore } from '../../adapters/native/open-native-store.ts'
import type { StoreReader } from '../../adapters/native/reader/open-reader.ts'
import { readBeside } from '../../adapters/native/reader/read-beside.ts'
import type { Store } from '../../src/store/store.ts'
import { readerOfStore } from '../harness/readers/reader-of-store.ts'
import { CrashableFileSystem } from '../harness/simulation/crashable-file-system.ts'
import { describeStore } from './suite/describe-store.ts'
import { TestClock } from './suite/store-under-test.ts'

const OPTIONS = { scanSliceCells: 100, poisonReleased: true }

describeStore('native, read beside', async () => {
  const clock = new TestClock()
  let fileSystem = new CrashableFileSystem()
  let store: Store
  let reader: StoreReader
  const open = async (): Promise<Store> => {
    const parts = { fileSystem, clock, random: Math.random, options: OPTIONS }
    const engine = await openNativeStore({ directory: '/store', ...parts, readers: 1 })
    reader = readerOfStore(engine, parts)
    store = readBeside(engine, reader)
    return store
  }
  return {
    store: await open(),
    clock,
    async reopen() {
      await store.close()
      return open()
    },
    async recover() {
      reader.close()
      fileSystem = fileSystem.killed()
      return open()
    },
    close: () => store.close(),
  }
}, ['as written', 'flushed', 'reopened', 'recovered'])
