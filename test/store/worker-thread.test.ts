/** A store in another thread, behind a MessagePort, passes the whole suite: nothing but messages crosses the seam. */

import { fileURLToPath } from 'node:url'
import { type MessagePort, Worker } from 'node:worker_threads'
import { packageRoot } from '../../src/package-root.ts'
import { connectStore } from '../harness/store-port/port-store.ts'
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

describeStore('memory in a worker thread', async () => {
  const memory = new SharedArrayBuffer(8)
  const clock = sharedClock(memory)
  const worker = new Worker(WORKER, { workerData: memory })
  const store = await connectStore(worker as unknown as MessagePort)
  const close = async (): Promise<void> => {
    await store.close()
    await worker.terminate()
  }
  return { store, clock, close }
}, ['as written'])
