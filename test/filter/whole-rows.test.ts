import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFilterEvaluator } from '../../src/filter/evaluate/create-evaluator.ts'
import { decidesOnWholeRows } from '../../src/filter/evaluate/whole-rows.ts'
import { testRuns } from '../harness/test-runs.ts'
import { filterArbitrary } from './filter-arbitrary.ts'

test('a filter decides on whole rows where its evaluator does', () => {
  fc.assert(
    fc.property(filterArbitrary(), (filter) => {
      expect(decidesOnWholeRows(filter)).toBe(createFilterEvaluator(filter, Math.random).hasFilterRow)
    }),
    { numRuns: testRuns(300) },
  )
})
