/**
 * A read of another thread and the writer are stopped in pairs of points, while commits, flushes, compactions, splits and merges go by, and memory that is
 * not needed any more is overwritten. The test can fail: each planted fault is found.
 */

import { describe, expect, test } from 'vitest'
import { DISTURBANCES, type Disturbance, Litmus, type LitmusFaults } from '../../../harness/readers/litmus.ts'
import { FAULTS } from '../../../harness/readers/stopped-words.ts'

const TIMEOUT_MS = 120_000

/** Of the writer's points, one of so many is tried with each of the read's: what goes to files takes long. */
const STRIDES: Readonly<Record<Disturbance, number>> = {
  overwrites: 1,
  growth: 29,
  'a flush': 13,
  'a compaction': 13,
  'a split and a merge': 17,
}

describe.each(['get', 'scan', 'scan in turns'] as const)('a %s', (kind) => {
  test.each(Object.keys(DISTURBANCES) as Disturbance[])(
    'finds one state of its rows beside %s',
    async (disturbance) => {
      const litmus = await Litmus.open()
      try {
        expect(await litmus.firstFault(kind, disturbance, STRIDES[disturbance])).toBe(undefined)
      } finally {
        await litmus.close()
      }
    },
    TIMEOUT_MS,
  )
})

describe('a planted fault is found', () => {
  test.each(FAULTS)(
    '%s',
    async (fault) => {
      const isOfReader = fault.startsWith('a read')
      const faults: LitmusFaults = isOfReader ? { reader: fault } : { writer: fault }
      const found = await foundIn(faults, 'overwrites', 1).then(
        (first) => first ?? foundIn(faults, 'growth', 1),
      )
      expect(found).not.toBe(undefined)
    },
    TIMEOUT_MS,
  )
})

/** A reader that dies, or is stuck, has shown the fault, too. */
async function foundIn(
  faults: LitmusFaults,
  disturbance: Disturbance,
  stride: number,
): Promise<string | undefined> {
  const litmus = await Litmus.open(faults)
  try {
    return await litmus.firstFault('scan', disturbance, stride)
  } catch (error) {
    return String(error)
  } finally {
    await litmus.close()
  }
}
