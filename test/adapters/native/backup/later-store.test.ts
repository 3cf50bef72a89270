/** A backup and the entries behind it become the store as it was at any moment. */

import { expect, test } from 'vitest'
import { SimRandom } from '../../../harness/simulation/sim-random.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'
import { ArchivedHistory, dumpOf, inRestored, restoredAt, withoutClosed } from './archived-history.ts'

const STEPS = 120
const RESTORES = 8

test('random histories are restored to random moments as the store was then', async () => {
  const seed = SEED ?? Math.floor(Math.random() * 2 ** 32)
  for (let run = 0; run < testRuns(12); run++) {
    const random = new SimRandom(seed + run)
    const history = await ArchivedHistory.open(random)
    try {
      for (let step = 0; step < STEPS; step++) await history.step()
    } finally {
      await history.close()
    }
    for (let restores = 0; restores < RESTORES; restores++) {
      const backup = random.of(history.backups)
      const { at, dump } = random.of(history.dumps.filter((each) => each.at >= backup.at))
      const restored = await restoredAt(backup, history.entries, at)
      const where = `seed ${seed + run}, from ${backup.at} to ${at}`
      const found = await inRestored(restored, async (store) => {
        expect(withoutClosed(await dumpOf(store), { expected: dump }), where).toEqual(
          withoutClosed(dump, { expected: dump }),
        )
      })
      expect(found, where).toEqual([])
    }
  }
}, 120_000)
