/**
 * A read of another thread and the writer are stopped in pairs of points, while commits, flushes, compactions, splits and merges go by, and memory that is
 * not needed any more is overwritten. The test can fail: each planted fault is found.
 */

import { describe, expect, test } from 'vitest'
import { DISTURBANCES, type Disturbance, Litmus } from '../../../harness/readers/litmus.ts'
import { FAULTS, type Fault } from '../../../harness/readers/stopped-words.ts'

const TIMEOUT_MS = 120_000

/** Of the writer's points, one of so many is tried with each of the read's: what goes to files takes long. */
const STRIDES: Readonly<Record<Disturbance, number>> = {
  overwrites: 1,
  'a flush and growth': 61,
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

/** Changes beside which a read shows the fault. */
const SHOWN_BY: Readonly<Record<Fault, Disturbance>> = {
  'a read without its pin': 'overwrites',
  'a read without its read point': 'overwrites',
  'a read that does not look for views': 'a flush',
  'an epoch is used again one early': 'overwrites',
  'roots after the read point': 'overwrites',
}

describe('a planted fault is found', () => {
  test.each(FAULTS)(
    '%s',
    async (fault) => {
      const faults = fault.startsWith('a read') ? { reader: fault } : { writer: fault }
      const litmus = await Litmus.open(faults)
      try {
        // A reader that dies has shown the fault, too.
        const found = litmus.firstFault('get', SHOWN_BY[fault], 1).catch(String)
        expect(await found).not.toBe(undefined)
      } finally {
        await litmus.close()
      }
    },
    TIMEOUT_MS,
  )
})
