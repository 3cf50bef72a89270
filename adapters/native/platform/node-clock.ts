import type { Clock } from './file-system.ts'

export const NODE_CLOCK: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() }
