/** Few names and times, so that drawn cells often meet. */

import fc from 'fast-check'
import { tag } from '../../../src/model/cell-tags.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'

export const row: fc.Arbitrary<string> = fc.constantFrom(
  'a',
  'a\x00',
  'ab',
  'b',
  'm',
  '\x00',
  '\xff',
  '\xff\xff',
)
export const family: fc.Arbitrary<string> = fc.constantFrom('f', 'g')
export const qualifier: fc.Arbitrary<string> = fc.constantFrom('', 'q', 'q\x00', 'qq', '\xff')
/** Some near each other, some near the present of the test clock, and the ends. */
export const timestamp: fc.Arbitrary<bigint> = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(0n, 7n) },
  { weight: 4, arbitrary: fc.constant(LATEST_TIMESTAMP) },
  { weight: 2, arbitrary: fc.bigInt(1_700_000_000_000n - 5000n, 1_700_000_000_000n + 5000n) },
  { weight: 1, arbitrary: fc.constantFrom(2n ** 53n + 1n, LATEST_TIMESTAMP - 1_000_000n) },
)
export const value: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'a', 'm', 'z'),
  fc.integer({ min: 0, max: 40 }).map((length) => 'x'.repeat(length)),
)
/** Of types that no store knows, so that they only come back. Most cells have none. */
export const tags: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(65, 66), fc.constantFrom('', 'a', 'zz')), {
        minLength: 1,
        maxLength: 2,
      })
      .map((all) => all.map(([type, text]) => tag(type, Buffer.from(text)).toString('latin1')).join('')),
  },
)
export const timeRange: fc.Arbitrary<TimeRange> = fc
  .tuple(
    fc.oneof(fc.bigInt(0n, 7n), fc.constant(1_700_000_000_000n)),
    fc.oneof(fc.bigInt(0n, 7n), fc.constant(LATEST_TIMESTAMP)),
  )
  .map(([min, length]) =>
    TimeRange.between(min, min + length > LATEST_TIMESTAMP ? LATEST_TIMESTAMP : min + length),
  )
export const maybeTimeRange: fc.Arbitrary<TimeRange | undefined> = fc.option(timeRange, {
  nil: undefined,
  freq: 3,
})
