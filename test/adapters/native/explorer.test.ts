/** A small sample of `npm run explore`, and that the explorer finds bugs: planted ones. */

import { describe, expect, it } from 'vitest'
import { explore } from '../../harness/explorer/explore.ts'
import { exploreCrashes } from '../../harness/explorer/explore-crashes.ts'
import { HISTORIES } from '../../harness/explorer/explored-histories.ts'
import { testRuns } from '../../harness/test-runs.ts'

describe('the explorer', () => {
  it('finds nothing lost, invented, refused, set aside or reported without a reason', async () => {
    for (let seed = 1; seed <= testRuns(1); seed++) {
      const { states, findings } = await explore({ seed, every: 197, losses: 2, nestedEvery: 60 })
      expect(findings).toEqual([])
      expect(states).toBeGreaterThan(20)
    }
  }, 120_000)

  it.each(['skips syncs', 'skips directory syncs', 'drops appends', 'delays appends'] as const)(
    'finds an engine that %s',
    async (bug) => {
      const writes = HISTORIES.find(({ name }) => name === 'writes')!
      const options = { seed: 1, every: 61, losses: 2, nestedEvery: 0, bug, endsAtFirst: true }
      const { findings } = await exploreCrashes(writes, options)
      expect(findings).toHaveLength(1)
    },
    60_000,
  )
})
