import * as native from '@node-rs/crc32'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { areChecksumsNative, crc32c, loadChecksums } from '../../../src/wire/checksums/checksums.ts'
import { SEED, testRuns } from '../../harness/test-runs.ts'

const seed = SEED === undefined ? {} : { seed: SEED }

function missing(): never {
  throw new Error('Cannot find native binding')
}

test('the sums of native code are taken where it loads', () => {
  expect(areChecksumsNative).toBe(true)
  expect(crc32c).toBe(native.crc32c)
})

test.each([
  ['Node that sums CRC-32 itself', undefined],
  ['Node that does not', {}],
])('without it the sums are the same, on a %s, of one piece and of two', (_name, ofNode) => {
  const plain = loadChecksums(missing, ofNode)
  expect(plain.areNative).toBe(false)
  expect(plain.crc32(Buffer.from('123456789'))).toBe(0xcbf43926)
  expect(plain.crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
  const drawn = fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }))
  fc.assert(
    fc.property(drawn, ([front, back]) => {
      for (const name of ['crc32', 'crc32c'] as const) {
        const sum = native[name](Buffer.concat([front, back]))
        expect(plain[name](back, plain[name](front))).toBe(sum)
      }
    }),
    { numRuns: testRuns(500), ...seed },
  )
})
