/** A few seconds of `npm run sim`, and that it finds bugs: planted ones. */

import { describe, expect, it } from 'vitest'
import type { PlantedBug } from '../../harness/simulation/crashable-file-system.ts'
import { SimFailure, simulateEpisode } from '../../harness/simulation/simulate.ts'
import { testRuns } from '../../harness/test-runs.ts'

const EPISODES_FOR_A_BUG = 40

async function firstFailure(bug: PlantedBug): Promise<string | undefined> {
  for (let seed = 0; seed < EPISODES_FOR_A_BUG; seed++) {
    try {
      await simulateEpisode(seed, bug)
    } catch (error) {
      if (error instanceof SimFailure) return error.message
      throw error
    }
  }
  return undefined
}

describe('the simulation', () => {
  it('passes with fixed seeds', async () => {
    for (let seed = 1000; seed < 1000 + testRuns(6); seed++)
      expect(await simulateEpisode(seed)).toBeGreaterThan(5)
  }, 180_000)

  it.each(['skips syncs', 'drops appends'] as const)(
    'finds a disk that %s, and says how to see it again',
    async (bug) => {
      const told = await firstFailure(bug)
      expect(told).toMatch(/^seed \d+ fails at step \d+ .*\n/)
      expect(told).toMatch(/npm run sim -- --seed \d+ --episodes 1$/)
    },
    180_000,
  )
})
