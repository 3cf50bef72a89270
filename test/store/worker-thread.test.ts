/** A store in another thread, behind a MessagePort, passes the whole suite: nothing but messages crosses the seam. */

import { fileURLToPath } from 'node:url'
import { MessageChannel, Worker } from 'node:worker_threads'
import { afterAll, beforeAll } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { connectStore } from '../../src/store/port/port-store.ts'
import type { WantedStore } from '../harness/store-port/memory-store-worker.ts'
import { describeStore } from './suite/describe-store.ts'
import { TestClock } from './suite/store-under-test.ts'

const WORKER = fileURLToPath(new URL('dist/test/harness/store-port/memory-store-worker.js', packageRoot()))

/** Moves the time of both threads. */
function sharedClock(memory: SharedArrayBuffer): TestClock {
  const time = new Float64Array(memory)
  const clock = new TestClock()
  time[0] = clock.time
  return Object.defineProperty(clock, 'time', {
    get: () => time[0]!,
    set: (now: number) => {
      time[0] = now
    },
  })
}

let worker: Worker

beforeAll(() => {
  worker = new Worker(WORKER)
})

afterAll(async () => {
  await worker.terminate()
})

describeStore('memory in a worker thread', async () => {
  const time = new SharedArrayBuffer(8)
  const clock = sharedClock(time)
  const { port1, port2 } = new MessageChannel()
  const wanted: WantedStore = { port: port2, time }
  worker.postMessage(wanted, [port2])
  const store = await connectStore(port1)
  const close = async (): Promise<void> => {
    await store.close()
    port1.close()
  }
  return { store, clock, close }
}, ['as written'])
