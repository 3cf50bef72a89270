/** A worker thread that opens a memory store for each message. The store's clock is a number that both threads share. */

import { type MessagePort, parentPort } from 'node:worker_threads'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { serveStore } from '../../../src/store/port/serve-store.ts'

export interface WantedStore {
  /** Where the store's calls come from. */
  readonly port: MessagePort
  /** A float64: milliseconds since 1970. */
  readonly time: SharedArrayBuffer
}

parentPort!.on('message', ({ port, time: shared }: WantedStore) => {
  const time = new Float64Array(shared)
  serveStore(openMemoryStore({ clock: { now: () => time[0]! } }), port)
})
