/** Pauses before another attempt, from HBase's table, so that gateways load a cluster as its own clients do. */

/** Factors of the pause by the number of retries; the last one repeats. HBase: HConstants.RETRY_BACKOFF. */
const FACTORS: readonly number[] = [1, 2, 3, 5, 10, 20, 40, 100, 100, 100, 100, 200, 200]

/** Spreads the retries of clients that failed at one moment. HBase: ConnectionUtils.getPauseTime. */
const JITTER = 0.01

/** Milliseconds before the attempt that follows `retries` retries (0: after the first attempt). */
export function backOffMs(pauseMs: number, retries: number, random: () => number): number {
  const normalMs = pauseMs * FACTORS[Math.min(Math.max(retries, 0), FACTORS.length - 1)]!
  return normalMs + Math.floor(normalMs * random() * JITTER)
}
