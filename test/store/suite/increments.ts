import { describe, expect, test } from 'vitest'
import { TimeRange } from '../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import { ALL, block, change, hex, increment, long } from './row-operations.ts'
import { columns, failure, type Session } from './store-under-test.ts'

const LONG_MAX = 2n ** 63n - 1n

/** Counters: their first value, width, times and time to live. */
export function describeIncrements(start: () => Promise<Session>): void {
  describe('increments', () => {
    test('a counter begins at the amount and is answered', async () => {
      const session = await start()
      await session.create()
      const now = session.clock.time
      expect(await change(session, 'r', [increment('r', 'f:n', 5n)])).toBe(`r/f:n@${now}=${hex(5n)}`)
      session.clock.time += 10
      expect(await change(session, 'r', [increment('r', 'f:n', -7n)])).toBe(`r/f:n@${now + 10}=${hex(-2n)}`)
      await session.settle()
      expect(await change(session, 'r', [increment('r', 'f:n', 0n)])).toBe(`r/f:n@${now + 11}=${hex(-2n)}`)
      expect(await session.get('r')).toEqual([`r/f:n@${now + 11}=${hex(-2n)}`])
    })

    test('it wraps around at 64 bits', async () => {
      const session = await start()
      await session.create()
      const now = session.clock.time
      await session.put('r', 'f:n', long(LONG_MAX), 5n)
      await session.settle()
      expect(await change(session, 'r', [increment('r', 'f:n', 1n)])).toBe(
        `r/f:n@${now}=${hex(-(2n ** 63n))}`,
      )
      expect(await change(session, 'r', [increment('r', 'f:n', -1n)])).toBe(
        `r/f:n@${now + 1}=${hex(LONG_MAX)}`,
      )
      expect(await change(session, 'r', [increment('r', 'f:n', LONG_MAX)])).toBe(
        `r/f:n@${now + 2}=${hex(-2n)}`,
      )
    })

    test('several columns are answered in their order, each as it was before', async () => {
      const session = await start()
      await session.create(['f', 'g'])
      const now = session.clock.time
      const cells = block('r', [
        ['g:b', long(2n)],
        ['f:z', long(3n)],
        ['f:a', long(4n)],
        ['f:a', long(5n)],
      ])
      expect(await change(session, 'r', [{ kind: 'increment', cells }])).toBe(
        `r/f:a@${now}=${hex(4n)} r/f:a@${now}=${hex(5n)} r/f:z@${now}=${hex(3n)} r/g:b@${now}=${hex(2n)}`,
      )
      await session.settle()
      expect(await session.get('r', columns('f:a'))).toEqual([`r/f:a@${now}=${hex(5n)}`])
    })

    test('a timestamp counts for a new counter only', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      const now = session.clock.time
      expect(await change(session, 'r', [increment('r', 'f:n', 5n, 77n)])).toBe(`r/f:n@77=${hex(5n)}`)
      expect(await change(session, 'r', [increment('r', 'f:n', 5n, 78n)])).toBe(`r/f:n@${now}=${hex(10n)}`)
      await session.settle()
      expect(await session.get('r', ALL)).toEqual([`r/f:n@${now}=${hex(10n)}`, `r/f:n@77=${hex(5n)}`])
    })

    test('a counter of the future is followed by the next millisecond', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      const far = 9_999_999_999_999n
      await session.put('r', 'f:n', long(1n), far)
      await session.settle()
      expect(await change(session, 'r', [increment('r', 'f:n', 1n)])).toBe(`r/f:n@${far + 1n}=${hex(2n)}`)
      await session.put('r', 'f:m', long(1n), LATEST_TIMESTAMP - 11n)
      expect(await change(session, 'r', [increment('r', 'f:m', 1n)])).toBe(
        `r/f:m@${LATEST_TIMESTAMP - 10n}=${hex(2n)}`,
      )
    })

    test('a counter at the last of all times is not found by its name any more', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      const last = LATEST_TIMESTAMP - 1n
      await session.put('r', 'f:n', long(1n), last)
      for (let i = 0; i < 2; i++) {
        expect(await change(session, 'r', [increment('r', 'f:n', 1n)])).toBe(
          `r/f:n@${LATEST_TIMESTAMP}=${hex(2n)}`,
        )
      }
      await session.settle()
      expect(await session.get('r', { ...ALL, ...columns('f:n') })).toEqual([`r/f:n@${last}=${hex(1n)}`])
    })

    test('in a range of time', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      await session.put('r', 'f:n', long(10n), 100n)
      await session.put('r', 'f:n', long(20n), 200n)
      await session.settle()
      const cells = block('r', [['f:n', long(1n)]])
      const timeRange = TimeRange.between(0n, 150n)
      expect(await change(session, 'r', [{ kind: 'increment', cells, timeRange }])).toBe(
        `r/f:n@${session.clock.time}=${hex(11n)}`,
      )
    })

    test('of what is not 8 bytes: nothing is changed', async () => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:text', 'abc', 5n)
      await session.settle()
      const cells = block('r', [
        ['f:n', long(1n)],
        ['f:text', long(1n)],
      ])
      expect(await failure(change(session, 'r', [{ kind: 'increment', cells }]))).toBe(
        "DO_NOT_RETRY: Field is not a long, it's 3 bytes wide",
      )
      expect(
        await failure(change(session, 'r', [{ kind: 'increment', cells: block('r', [['f:n', 'abcd']]) }])),
      ).toBe("DO_NOT_RETRY: Field is not a long, it's 4 bytes wide")
      expect(await session.get('r')).toEqual(['r/f:text@5=abc'])
    })

    test('the TTL of the counter is kept, unless the increment has one', async () => {
      const session = await start()
      await session.create()
      await change(session, 'a', [increment('a', 'f:n', 1n)], undefined, 1000)
      await change(session, 'a', [increment('a', 'f:n', 1n)])
      await change(session, 'b', [increment('b', 'f:n', 1n)], undefined, 1000)
      await change(session, 'b', [increment('b', 'f:n', 1n)], undefined, 5000)
      await session.settle()
      session.clock.time += 2000
      expect(await session.get('a')).toEqual([])
      expect(await session.get('b')).toHaveLength(1)
      session.clock.time += 4000
      expect(await session.get('b')).toEqual([])
    })

    test('increments that overlap lose nothing', async () => {
      const session = await start()
      await session.create()
      await Promise.all(Array.from({ length: 50 }, () => change(session, 'r', [increment('r', 'f:n', 3n)])))
      await session.settle()
      expect((await session.get('r'))[0]).toMatch(/=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x96$/)
    })
  })
}
