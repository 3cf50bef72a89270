import { crc32c } from '@node-rs/crc32'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc32cOf } from '../../../../adapters/native/wal/short-crc32c.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'

const seed = SEED === undefined ? {} : { seed: SEED }

test('the sum of bytes at any place is that of native code', () => {
  const drawn = fc.record({
    bytes: fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
    before: fc.nat(9),
    behind: fc.nat(9),
  })
  fc.assert(
    fc.property(drawn, ({ bytes, before, behind }) => {
      const whole = Buffer.concat([Buffer.alloc(before, 1), bytes, Buffer.alloc(behind, 2)])
      expect(crc32cOf(whole, before, before + bytes.length)).toBe(crc32c(bytes))
    }),
    { numRuns: testRuns(1000), ...seed },
  )
})

test('so it is at each length about the one from which native code is asked', () => {
  for (let length = 0; length <= 300; length++) {
    const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 7 + length) & 0xff))
    expect(crc32cOf(bytes, 0, length)).toBe(crc32c(bytes))
  }
})
