/** Targets with planted bugs: a fuzzer that misses them would miss real ones. Each bug needs one mutation of its seed. */

import { HBaseError } from '../../src/model/errors.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { requireShortTurns } from '../harness/fuzz/short-turns.ts'

/** A list of 32-bit numbers behind their count. */
const SEED = Buffer.from('00000003000000010000000200000003', 'hex')

function canary(name: string, read: (input: Buffer, count: number) => unknown): FuzzTarget {
  return {
    name,
    seeds: () => [SEED],
    run: (input) => {
      if (input.length < 4) throw new HBaseError('CORRUPTION', 'no count')
      return read(input, input.readUInt32BE(0))
    },
  }
}

/** Of the processor, and not of the clock. */
function spendMs(ms: number): void {
  const begin = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(begin)
    if (user + system >= ms * 1000) return
  }
}

export const CANARIES: readonly FuzzTarget[] = [
  /** Does not look where the list ends. */
  canary('canary-throws', (input, count) => {
    const few = Math.min(count, 100)
    return Array.from({ length: few }, (_, i) => input.readUInt32BE(4 + i * 4))
  }),
  /** Believes the count. */
  canary('canary-hoards', (_, count) => Buffer.alloc(Math.min(count, 1 << 28))),
  /** Makes a buffer of each byte, which garbage collection cannot take back: of none, or far more than it may. */
  canary('canary-keeps', (input) =>
    input.length <= 256 ? [] : [...input.subarray(0, 1000)].map((byte) => Buffer.alloc(16_384, byte)),
  ),
  /** Waits for an end that never comes. */
  canary('canary-hangs', (input, count) => {
    let left = count
    while (left > input.length || left < 0) left = Math.max(left, 1)
    return left
  }),
  /** Compares each byte with each. */
  canary('canary-crawls', (input) => {
    let pairs = 0
    for (const a of input) for (const b of input) if (a === b) pairs++
    return pairs
  }),
  /** Keeps the event loop in one turn, where the count is large. */
  {
    ...canary('canary-blocks', (_, count) =>
      requireShortTurns(async () => {
        await new Promise(setImmediate)
        if (count > 100) spendMs(150)
      }),
    ),
    ms: 60_000,
  },
  /** Ends the process. */
  canary('canary-dies', (_, count) => {
    if (count > 0x7fffffff) process.abort()
  }),
]
