/** Longest time, of the processor, that the event loop was kept by one turn. */

const PAUSE_TURNS = 2

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Milliseconds of the processor that the longest turn took while the work ran. Time of the processor and not of a clock: others may use
 * the machine too.
 */
export async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = cpuMs()
  const look = (): void => {
    const now = cpuMs()
    longest = Math.max(longest, now - before)
    before = now
  }
  let counting = setImmediate(function count() {
    look()
    counting = setImmediate(count)
  })
  for (let turn = 0; turn < PAUSE_TURNS; turn++) await new Promise(setImmediate)
  longest = 0
  before = cpuMs()
  await work()
  look()
  clearImmediate(counting)
  return longest
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
