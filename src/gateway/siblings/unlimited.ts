import type { Limits } from '../limits/limits.ts'

/** The longest time of Node's timers. */
const EVER_MS = 0x7fffffff

/** The limits of connections from siblings: none, since the sibling enforces those of the client's connection. */
export function unlimitedOf(limits: Limits): Limits {
  return {
    ...limits,
    connectionsMax: Number.POSITIVE_INFINITY,
    connectionIdleMs: EVER_MS,
    headersMs: EVER_MS,
    requestMs: EVER_MS,
    answerMs: EVER_MS,
    scarceAnswerMs: EVER_MS,
  }
}
