/**
 * Random changes of a table's cells, regions and snapshots, and crashes at random moments. After each restart the store has
 * every acknowledged change once, in the regions before a split or a merge or in those after it, and all snapshots.
 */

import fc from 'fast-check'
import { describe, it } from 'vitest'
import { testRuns } from '../../harness/test-runs.ts'
import { anyRegionLife, simulateRegions } from './region-simulation.ts'

/** A failure prints its seed, which SIMULATION_SEED takes. */
const SEED = process.env['SIMULATION_SEED']
const PARAMETERS: { numRuns: number; seed?: number } = {
  numRuns: testRuns(20),
  ...(SEED === undefined ? {} : { seed: Number(SEED) }),
}

describe('a store that crashes while its regions change', () => {
  it('keeps what it acknowledged, after kills, full disks and closes', async () => {
    const lives = fc.array(
      anyRegionLife(['kill', 'kill', 'full disk', 'close'], ['USE_DEFAULT', 'FSYNC_WAL']),
      { minLength: 1, maxLength: 3 },
    )
    const options = { flushBytes: 4000, wal: { logBytesMax: 700, syncEveryBytes: 200 } }
    await fc.assert(
      fc.asyncProperty(lives, fc.boolean(), (drawn, hasLinks) => simulateRegions(drawn, options, hasLinks)),
      PARAMETERS,
    )
  })

  it('keeps what it said is on disk, after power losses', async () => {
    const lives = fc.array(anyRegionLife(['power', 'power', 'kill'], ['SYNC_WAL', 'FSYNC_WAL']), {
      minLength: 1,
      maxLength: 3,
    })
    const options = { wal: { logBytesMax: 900, syncEveryBytes: 400 } }
    await fc.assert(
      fc.asyncProperty(lives, fc.boolean(), (drawn, hasLinks) => simulateRegions(drawn, options, hasLinks)),
      PARAMETERS,
    )
  })
})
