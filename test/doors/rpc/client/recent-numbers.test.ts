import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RecentNumbers } from '../../../../src/doors/rpc/client/recent-numbers.ts'

const MAX = 8
const MS = 100

it('knows what came within the time, of the last half; and nothing of long ago', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 * MS }), { minLength: 1, maxLength: 60 }), (waits) => {
      const recent = new RecentNumbers<string>(MAX, MS)
      let now = 10 * MS
      const came = waits.map((wait, number) => {
        now += wait
        recent.add(number, `value ${number}`, now)
        return now
      })
      for (const [number, at] of came.entries()) {
        const isAmongLast = came.length - number <= MAX / 2
        if (isAmongLast && now - at < MS) expect(recent.get(number)).toBe(`value ${number}`)
        if (came.length - number > MAX || now - at >= 3 * MS) expect(recent.get(number)).toBeUndefined()
      }
      expect(recent.get(came.length)).toBeUndefined()
    }),
    { numRuns: 500 },
  )
})
