import fc from 'fast-check'
import { describe, it } from 'vitest'
import { testRuns } from '../../harness/test-runs.ts'
import { anyDamage, simulateDamage } from './damage-simulation.ts'
import { anyLife } from './simulated-life.ts'

/** A failure prints its seed, which SIMULATION_SEED takes. */
const SEED = process.env['SIMULATION_SEED']

describe('a store whose files are damaged', () => {
  it('serves what it acknowledged, or says what is damaged, and removes nothing', async () => {
    const lives = fc.array(anyLife(['kill', 'kill', 'full disk', 'close'], ['USE_DEFAULT', 'FSYNC_WAL']), {
      minLength: 1,
      maxLength: 3,
    })
    const options = { flushBytes: 4000, wal: { logBytesMax: 700, syncEveryBytes: 200 } }
    await fc.assert(
      fc.asyncProperty(lives, anyDamage, (drawn, damage) => simulateDamage(drawn, damage, options)),
      { numRuns: testRuns(40), ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
    )
  }, 60_000)
})
