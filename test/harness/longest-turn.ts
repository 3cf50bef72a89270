/** Longest time, of the processor, that the event loop was kept by one turn. */

import { closeSync, openSync, readSync } from 'node:fs'

const PAUSE_TURNS = 2

function processMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const TEXT_BYTES = 100

/**
 * Returns a clock of the processor's time, in milliseconds, that this thread has had: threads that decode, collect garbage or compile do not
 * keep the event loop. Where the system does not state it, the clock is of the whole process.
 */
export function threadClock(): { readonly ms: () => number; readonly close: () => void } {
  let file: number
  try {
    file = openSync('/proc/thread-self/schedstat', 'r')
  } catch {
    return { ms: processMs, close: () => undefined }
  }
  const text = Buffer.alloc(TEXT_BYTES)
  return {
    ms: () => Number.parseInt(text.toString('latin1', 0, readSync(file, text, 0, TEXT_BYTES, 0)), 10) / 1e6,
    close: () => closeSync(file),
  }
}

/**
 * Milliseconds of the processor that the longest turn took while the work ran. Time of the processor and not of a clock: others may use
 * the machine too.
 */
export async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  const clock = threadClock()
  let longest = 0
  let before = clock.ms()
  const look = (): void => {
    const now = clock.ms()
    longest = Math.max(longest, now - before)
    before = now
  }
  let counting = setImmediate(function count() {
    look()
    counting = setImmediate(count)
  })
  for (let turn = 0; turn < PAUSE_TURNS; turn++) await new Promise(setImmediate)
  longest = 0
  before = clock.ms()
  try {
    await work()
    look()
    return longest
  } finally {
    clearImmediate(counting)
    clock.close()
  }
}

const TRIES = 4

/**
 * Milliseconds of the longest turn in the best of some tries, at the first that stays below the limit. A busy machine, a collection of garbage or
 * a compilation lengthens a turn now and then; work that keeps the event loop does so in each try.
 */
export async function longestTurnOfBestTry(limitMs: number, work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && best >= limitMs; tries++) {
    best = Math.min(best, await longestTurnOf(work))
  }
  return best
}
