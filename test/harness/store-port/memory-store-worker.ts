/** A worker thread with a memory store in it. Its clock is a number that both threads share. */

import { parentPort, workerData } from 'node:worker_threads'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { serveStore } from './serve-store.ts'

const time = new Float64Array(workerData as SharedArrayBuffer)
serveStore(openMemoryStore({ clock: { now: () => time[0]! } }), parentPort!)
