/** A thread that checks store files: `tidegate check` has one for each core. */

import { setTimeout as pause } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { NODE_FILE_SYSTEM } from '../platform/node-file-system.ts'
import type { Finding } from './finding.ts'
import { type FileToCheck, findingsOf } from './named-file-check.ts'

/** Undefined ends the thread. */
export type ToCheckWorker = { readonly file: FileToCheck; readonly bytesPerSecond: number } | undefined

export type FromCheckWorker =
  | { readonly kind: 'bytes'; readonly bytes: number }
  | { readonly kind: 'done'; readonly findings: readonly Finding[] }

/** Bytes that are checked before the others hear of it, and the clock is looked at. */
const STRETCH_BYTES = 4 * 1024 * 1024

/** Buffers come as plain arrays of bytes from another thread. */
function withBuffers({ expected, ...rest }: FileToCheck): FileToCheck {
  const { family, startKey, endKey } = expected
  return {
    ...rest,
    expected: {
      ...expected,
      family: Buffer.from(family),
      startKey: Buffer.from(startKey),
      endKey: Buffer.from(endKey),
    },
  }
}

async function check({ file, bytesPerSecond }: NonNullable<ToCheckWorker>): Promise<void> {
  const begun = performance.now()
  let [checked, reported] = [0, 0]
  const report = (): void => {
    send({ kind: 'bytes', bytes: checked - reported })
    reported = checked
  }
  const steps = findingsOf(NODE_FILE_SYSTEM, withBuffers(file), (bytes) => {
    checked += bytes
  })
  for (;;) {
    const step = steps.next()
    if (checked - reported >= STRETCH_BYTES || step.done === true) report()
    const early = (checked / bytesPerSecond) * 1000 - (performance.now() - begun)
    if (early > 1) await pause(early)
    if (step.done !== true) continue
    send({ kind: 'done', findings: step.value })
    return
  }
}

function send(message: FromCheckWorker): void {
  parentPort!.postMessage(message)
}

parentPort!.on('message', (message: ToCheckWorker) => {
  if (message === undefined) process.exit(0)
  else void check(message)
})
