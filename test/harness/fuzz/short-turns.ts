import { longestTurnOfBestTry } from '../longest-turn.ts'

/** Milliseconds of the processor that one request may hold the event loop. */
const TURN_MS_MAX = 100

/** Throws where the work keeps the event loop longer in each of several tries. */
export async function requireShortTurns(work: () => Promise<unknown>): Promise<void> {
  const longest = await longestTurnOfBestTry(TURN_MS_MAX, work)
  if (longest >= TURN_MS_MAX) throw new Error(`keeps the event loop for ${Math.round(longest)} ms`)
}
