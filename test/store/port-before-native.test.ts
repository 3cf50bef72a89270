/**
 * The engine behind a MessagePort, as the threads of `--threads` have it, passes the whole suite. What it lends is copied and given back
 * before the caller has it: a released buffer is overwritten here.
 */

import { MessageChannel } from 'node:worker_threads'
import { openNativeStore } from '../../adapters/native/open-native-store.ts'
import { connectStore } from '../../src/store/port/port-store.ts'
import { serveStore } from '../../src/store/port/serve-store.ts'
import type { Store } from '../../src/store/store.ts'
import { CrashableFileSystem } from '../harness/simulation/crashable-file-system.ts'
import { describeStore } from './suite/describe-store.ts'
import { TestClock } from './suite/store-under-test.ts'

const OPTIONS = { scanSliceCells: 100, poisonReleased: true }

describeStore('native behind a port', async () => {
  const clock = new TestClock()
  const fileSystem = new CrashableFileSystem()
  const { port1, port2 } = new MessageChannel()
  const open = async (): Promise<Store> =>
    openNativeStore({ directory: '/store', fileSystem, clock, random: Math.random, options: OPTIONS })
  serveStore(await open(), port2)
  const store = await connectStore(port1)
  const close = async (): Promise<void> => {
    await store.close()
    port1.close()
  }
  return { store, clock, close }
}, ['as written', 'flushed'])
