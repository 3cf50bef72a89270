/**
 * The engine against the memory store: both answer the same bytes to any read with a filter, and of the past. fast-check prints the seed and
 * the shortest history that tells them apart.
 */

import fc from 'fast-check'
import { test } from 'vitest'
import { testRuns } from '../harness/test-runs.ts'
import { arbitraryFilteredRead, arbitraryPastRead } from './differential/arbitrary-step.ts'
import { compareStores, TIMEOUT_MS, VARIATIONS } from './differential/compare-stores.ts'

test.each(VARIATIONS)(
  'filters let the same through: %s',
  async (_, sizes, vary) => {
    await fc.assert(
      fc.asyncProperty(arbitraryFilteredRead, (steps) => compareStores(vary(steps), sizes)),
      { numRuns: testRuns(100) },
    )
  },
  TIMEOUT_MS,
)

test.each([
  ['the usual sizes', {}],
  ['pauses every few cells', { scanSliceCells: 3 }],
])(
  'the past looks the same: %s',
  async (_, sizes) => {
    await fc.assert(
      fc.asyncProperty(arbitraryPastRead, (steps) => compareStores(steps, sizes)),
      { numRuns: testRuns(50) },
    )
  },
  TIMEOUT_MS,
)
