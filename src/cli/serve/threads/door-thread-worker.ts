/** The program of a thread that serves connections of REST, Thrift and native RPC. Its store is that of the main thread, behind a port. */

import { parentPort, workerData } from 'node:worker_threads'
import { serveInThread } from './serve-in-thread.ts'
import type { ThreadStart } from './thread-messages.ts'

serveInThread(workerData as ThreadStart, parentPort!)
