import { Worker } from 'node:worker_threads'
import type { FromCheckWorker, ToCheckWorker } from './check-worker.ts'
import type { Finding } from './finding.ts'
import type { FileToCheck } from './named-file-check.ts'

export interface CheckThreadsParts {
  /** At least 1. */
  readonly threads: number
  /** Of all threads together; Infinity: no limit. */
  readonly bytesPerSecond: number
  readonly onBytes: (bytes: number) => void
}

/** Checks store files in threads, some side by side. Calls `found` with the findings in each. Throws what ends a thread. */
export async function checkInThreads(
  files: readonly FileToCheck[],
  { threads, bytesPerSecond, onBytes }: CheckThreadsParts,
  found: (findings: readonly Finding[]) => void,
): Promise<void> {
  const count = Math.min(threads, files.length)
  const rate = bytesPerSecond / count
  let next = 0
  await Promise.all(
    Array.from({ length: count }, async () => {
      const worker = new Worker(new URL('check-worker.js', import.meta.url))
      try {
        while (next < files.length)
          found(await checked(worker, { file: files[next++]!, bytesPerSecond: rate }, onBytes))
      } finally {
        await worker.terminate()
      }
    }),
  )
}

function checked(
  worker: Worker,
  order: NonNullable<ToCheckWorker>,
  onBytes: (bytes: number) => void,
): Promise<readonly Finding[]> {
  return new Promise((resolve, reject) => {
    const heard = (message: FromCheckWorker): void => {
      if (message.kind === 'bytes') {
        onBytes(message.bytes)
        return
      }
      worker.off('message', heard)
      worker.off('error', reject)
      resolve(message.findings)
    }
    worker.on('message', heard)
    worker.once('error', reject)
    worker.postMessage(order satisfies ToCheckWorker)
  })
}
