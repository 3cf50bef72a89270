/** Faults that are planted in a reader, in the writer, or between them: each shows in a read that is stopped at one of its points. */

import { expect, test } from 'vitest'
import { Litmus } from '../../../harness/readers/litmus.ts'
import { DISTURBANCES, type Disturbance } from '../../../harness/readers/litmus-changes.ts'
import { FAULTS, type Fault } from '../../../harness/readers/stopped-words.ts'

const TIMEOUT_MS = 120_000

/** Changes beside which a get shows the fault. */
const SHOWN_BY: Readonly<Record<Fault, Disturbance>> = {
  'a read without its pin': 'overwrites',
  'a read without its read point': 'overwrites',
  'a read that does not look for views': 'a flush',
  'a read that takes in no memory after its roots': 'growth and a flush',
  'a read that does not look at its epoch again': 'overwrites',
  'a read by the descriptor of another file': 'a flush',
  'an epoch is used again one early': 'overwrites',
  'roots after the read point': 'overwrites',
  'views are counted after the read point': 'growth and a flush',
  'writes are shown before they are logged': 'overwrites that the log refuses',
  'versions are dropped for writes that are refused': 'overwrites that the log refuses',
  'a file is not kept': 'a compaction',
  'a memstore is not kept': 'a flush',
}

/** Of the writer's points, one of so many is tried with each of the read's. */
const STRIDE = 3

test.each(FAULTS)(
  'a planted fault is found: %s',
  async (fault) => {
    const litmus = await Litmus.open({ fault })
    try {
      // A reader that dies has shown the fault, too.
      const found = litmus.firstFault('get', DISTURBANCES[SHOWN_BY[fault]], STRIDE).catch(String)
      expect(await found).not.toBe(undefined)
    } finally {
      await litmus.close()
    }
  },
  TIMEOUT_MS,
)
