/**
 * Random changes of a small table, and crashes at random moments. After each restart the store must hold the same cells as
 * the plain memory store after all changes up to some point: at least those that were acknowledged, each whole, each once.
 * As HBase does, the store splits a batch of rows of several regions into one change for each region.
 */

import fc from 'fast-check'
import { describe, it } from 'vitest'
import { DEFAULT_NATIVE_OPTIONS } from '../../../adapters/native/options/native-options.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { simulate } from './crash-simulation.ts'
import { anyLife } from './simulated-life.ts'

/** A failure prints its seed, which SIMULATION_SEED takes. */
const SEED = process.env['SIMULATION_SEED']
const PARAMETERS: { numRuns: number; seed?: number } = {
  numRuns: testRuns(20),
  ...(SEED === undefined ? {} : { seed: Number(SEED) }),
}

describe('a store that crashes', () => {
  it('keeps what it acknowledged, after kills, full disks and closes, while it flushes by itself', async () => {
    const lives = fc.array(
      anyLife(['kill', 'kill', 'full disk', 'close'], ['USE_DEFAULT', 'ASYNC_WAL', 'FSYNC_WAL']),
      { minLength: 1, maxLength: 4 },
    )
    const options = { flushBytes: 4000, wal: { logBytesMax: 700, syncEveryBytes: 200 } }
    await fc.assert(
      fc.asyncProperty(lives, (drawn) => simulate(drawn, options)),
      PARAMETERS,
    )
  })

  it('keeps it while it flushes and compacts by the clock, by the time of cells, into several files', async () => {
    const lives = fc.array(anyLife(['kill', 'power', 'full disk', 'close'], ['FSYNC_WAL']), {
      minLength: 1,
      maxLength: 4,
    })
    // The clock stands still: cells are old enough at the second look, and some files' periods are over at once.
    const upkeep = {
      ...DEFAULT_NATIVE_OPTIONS.upkeep,
      wakesACheck: 1,
      flushAgeMs: Number.MIN_VALUE,
      flushSpreadSeconds: 0,
    }
    const compaction = {
      ...DEFAULT_NATIVE_OPTIONS.compaction,
      choice: 'by time' as const,
      majorPeriodMs: 1000,
      majorJitter: 3,
      purgeDeletesMs: 1e15,
    }
    await fc.assert(
      fc.asyncProperty(lives, (drawn) => simulate(drawn, { upkeep, compaction })),
      PARAMETERS,
    )
  })

  it('keeps what it said is on disk, after power losses', async () => {
    const lives = fc.array(anyLife(['power', 'power', 'kill'], ['SYNC_WAL', 'FSYNC_WAL']), {
      minLength: 1,
      maxLength: 4,
    })
    const options = { wal: { logBytesMax: 900, syncEveryBytes: 400 } }
    await fc.assert(
      fc.asyncProperty(lives, (drawn) => simulate(drawn, options)),
      PARAMETERS,
    )
  })
})
