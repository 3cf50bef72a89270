import type { Limits } from '../limits/limits.ts'

/** The longest time of a timer of Node. */
const EVER_MS = 0x7fffffff

/** The limits for connections of siblings, which keep theirs: a client's own connection has kept its limits before. */
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
