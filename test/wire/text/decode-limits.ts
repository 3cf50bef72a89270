import type { DecodeLimits } from '../../../src/wire/text/decode-limits.ts'

/** The gateway's usual limits. */
export const LIMITS: DecodeLimits = { depthMax: 64, batchMax: 100_000, elementsMax: 1_000_000 }

export function toDepth(depthMax: number): DecodeLimits {
  return { ...LIMITS, depthMax }
}
