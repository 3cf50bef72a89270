/**
 * The engine against the memory store: both answer the same bytes to any history of calls. fast-check prints the seed and
 * the shortest history that tells them apart.
 */

import fc from 'fast-check'
import { test } from 'vitest'
import { testRuns } from '../harness/test-runs.ts'
import { arbitraryHistory } from './differential/arbitrary-step.ts'
import { compareStores, TIMEOUT_MS, VARIATIONS } from './differential/compare-stores.ts'

test.each(VARIATIONS)(
  'the same history gives the same answers: %s',
  async (_, sizes, vary) => {
    await fc.assert(
      fc.asyncProperty(arbitraryHistory, (steps) => compareStores(vary(steps), sizes)),
      { numRuns: testRuns(25) },
    )
  },
  TIMEOUT_MS,
)
