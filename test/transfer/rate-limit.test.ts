import { expect, test } from 'vitest'
import { parseRate } from '../../src/cli/flags/byte-size.ts'
import { RateLimit } from '../../src/transfer/rate-limit.ts'

test('a wait that is longer than a timer can be is kept whole', async () => {
  let time = 0
  const pauses: number[] = []
  const limit = new RateLimit(
    1,
    () => time,
    async (milliseconds) => {
      pauses.push(milliseconds)
      time += milliseconds
    },
  )
  await limit.take(10_000_000)
  expect(time).toBe(10_000_000_000)
  expect(Math.max(...pauses)).toBeLessThan(2 ** 31)
})

test('a rate of nothing is refused', () => {
  expect(() => parseRate('0k')).toThrow('At 0 bytes a second nothing would ever be moved.')
  expect(parseRate('2k')).toBe(2048)
})
