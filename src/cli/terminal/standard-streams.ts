/** Stdout and stderr whose reader goes, or whose disk is full. */

import { once } from 'node:events'
import { reasonOf } from '../../model/error-reason.ts'

type Fault = NodeJS.ErrnoException

/** The first failure of stdout. Node lets a process write on behind it. */
let fault: Fault | undefined

let report = (error: Fault): void => {
  process.stderr.write(`tidegate: the output cannot be written: ${reasonOf(error)}\n`)
}

/**
 * A reader that goes, as `head` does, does not end the work of a tool, and neither does a terminal that goes or a full disk. Node ends the process at an
 * error of a stream that has no listener.
 */
export function watchStandardStreams(): void {
  process.stdout.on('error', (error: Fault) => {
    if (fault !== undefined) return
    fault = error
    if (!isReaderGone(error)) report(error)
  })
  // No stream is left to report it on.
  process.stderr.on('error', () => undefined)
}

/** Has a server report the fault of its stdout by itself. */
export function reportOutputFault(take: (error: Fault) => void): void {
  report = take
}

/** True where a command has written less than its whole answer, though its reader has not gone. */
export async function hasLostOutput(): Promise<boolean> {
  // Node emits the error of the last write after the write.
  await new Promise((resolve) => setImmediate(resolve))
  return fault !== undefined && !isReaderGone(fault)
}

/** Resolves once stdout takes more. Throws an Error where it takes no more: the output would end in the middle. */
export async function writeWhole(bytes: Buffer): Promise<void> {
  const { stdout } = process
  if (fault === undefined && !stdout.write(bytes))
    await once(stdout, 'drain').catch((error: Fault) => (fault ??= error))
  if (fault !== undefined)
    throw new Error(
      isReaderGone(fault) ? 'the output is not whole: its reader has gone' : 'the output is not whole',
    )
}

function isReaderGone({ code }: Fault): boolean {
  return code === 'EPIPE' || code === 'EIO'
}
