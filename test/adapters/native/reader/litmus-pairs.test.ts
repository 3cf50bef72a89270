/**
 * A read of another thread and the writer are stopped in pairs of points, while commits, flushes, compactions, splits and merges go by, and memory that is
 * not needed any more is overwritten. The test can fail: litmus-faults.test.ts has planted faults. `TIDEGATE_LITMUS=all` tries twelve times as many pairs,
 * in some ten minutes.
 */

import { describe, expect, test } from 'vitest'
import { Litmus } from '../../../harness/readers/litmus.ts'
import { DISTURBANCES, type Disturbance } from '../../../harness/readers/litmus-changes.ts'

const TIMEOUT_MS = 300_000
/** Times the strides. */
const SPARSE = process.env['TIDEGATE_LITMUS'] === 'all' ? 1 : 20

/** Of the writer's points, one of so many is tried with each of the read's: changes that go to files take long. */
const STRIDES: Readonly<Record<Disturbance, number>> = {
  overwrites: 2,
  'several overwrites a commit': 5,
  'overwrites that the log refuses': 5,
  'a refused write during a flush': 17,
  'a flush and growth': 61,
  'growth and a flush': 17,
  'large changes': 769,
  'a flush': 13,
  'a compaction': 17,
  'a bulk load': 41,
  'a split and a merge': 17,
}

/** Odd, so that the pairs of different reads differ. */
function strideOf(disturbance: Disturbance): number {
  const stride = STRIDES[disturbance] * SPARSE
  return stride % 2 === 0 ? stride + SPARSE - 1 : stride
}

describe.each(['get', 'scan', 'scan in turns'] as const)('a %s', (kind) => {
  test.each(Object.keys(DISTURBANCES) as Disturbance[])(
    'finds one state of its rows beside %s',
    async (disturbance) => {
      const litmus = await Litmus.open()
      try {
        expect(await litmus.firstFault(kind, DISTURBANCES[disturbance], strideOf(disturbance))).toBe(
          undefined,
        )
      } finally {
        await litmus.close()
      }
    },
    TIMEOUT_MS,
  )

  test.each(['overwrites', 'a flush', 'a compaction'] as const)(
    'finds one state of its rows beside %s, though all cells have one time stamp',
    async (disturbance) => {
      const litmus = await Litmus.open({ isStill: true })
      try {
        expect(await litmus.firstFault(kind, DISTURBANCES[disturbance], strideOf(disturbance))).toBe(
          undefined,
        )
      } finally {
        await litmus.close()
      }
    },
    TIMEOUT_MS,
  )
})

/** Points of a scan at which its thread ends: as it begins, between its slices, near its end. */
const ENDS = [1, 7, 10, 25, 40]

test.each(ENDS)(
  'a thread that is ended at point %i of a scan leaves neither pins nor runs behind',
  async (stopAt) => {
    const litmus = await Litmus.open()
    const { store } = litmus
    try {
      await store.flush()
      await store.write()
      expect(await litmus.endWithin('scan in turns', stopAt)).toBe(true)
      await store.write()
      await store.flush()
      await store.compact()
      expect(await store.metric('tidegate_native_held_snapshots')).toBe(0)
      await expect.poll(() => store.fileNames().length).toBe(2)
      const dropped = await store.metric('tidegate_native_dropped_versions_total')
      for (let i = 0; i < 6; i++) await store.write()
      expect(await store.metric('tidegate_native_dropped_versions_total')).toBeGreaterThan(dropped)
    } finally {
      await litmus.close()
    }
  },
  TIMEOUT_MS,
)
