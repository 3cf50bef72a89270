import { expect, test } from 'vitest'
import { residentBytes } from '../../src/model/resident-bytes.ts'

function refused(): number {
  throw new Error('ENOENT: no such file or directory, uv_resident_set_memory')
}

test('the resident bytes are not a number where the system does not say', () => {
  expect(residentBytes()).toBeGreaterThan(1_000_000)
  expect(residentBytes(refused)).toBeNaN()
})
