/** A thread that says that it serves, and dies of the first connection that it gets. */

import { parentPort } from 'node:worker_threads'

parentPort!.on('message', () => {
  throw new Error('planted')
})
parentPort!.postMessage({ kind: 'ready' })
