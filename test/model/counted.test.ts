import { expect, test } from 'vitest'
import { counted } from '../../src/model/counted.ts'

test('a number of things takes the singular for one only', () => {
  expect([0, 1, 2].map((count) => counted(count, 'error'))).toEqual(['0 errors', '1 error', '2 errors'])
  expect([1, 2].map((count) => counted(count, 'life', 'lives'))).toEqual(['1 life', '2 lives'])
})
