import { describe, expect, test } from 'vitest'
import type { CompareOperator } from '../../../src/model/filter.ts'
import { valueCondition } from '../../../src/model/mutation.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { change, deletion, increment, put } from './row-operations.ts'
import { bytes, columns, failure, familyOf, qualifierOf, type Session } from './store-under-test.ts'

/** Changes that happen only where a column has, or has not, some value. */
export function describeConditions(start: () => Promise<Session>): void {
  describe('conditions', () => {
    /** For `a`, `m`, `z` and no value against a cell of `m`, an empty one, and none: as HBase answers. */
    const answers: [CompareOperator, string][] = [
      ['LESS', 'y..n ...y ...y'],
      ['LESS_OR_EQUAL', 'yy.n ...y ...y'],
      ['EQUAL', '.y.n ...y ...y'],
      ['NOT_EQUAL', 'y.yy yyyn ...n'],
      ['GREATER_OR_EQUAL', '.yyn yyyy ...y'],
      ['GREATER', '..yn yyyy ...y'],
    ]

    test.each(answers)('the value is on the left of %s', async (operator, expected) => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:q', 'm', 5n)
      await session.put('r', 'f:e', '', 5n)
      await session.settle()
      let got = ''
      for (const column of ['f:q', 'f:e', 'f:none']) {
        for (const value of ['a', 'm', 'z', '']) {
          const [family, qualifier] = [familyOf(column), qualifierOf(column)]
          const condition = valueCondition(family, qualifier, operator, bytes(value))
          const answer = await change(session, 'r', [put('r', 'f:x', 'x', 1n)], condition)
          if (value === '') {
            const without = valueCondition(family, qualifier, operator, undefined)
            expect(await change(session, 'r', [], without)).toBe(answer)
          }
          got += answer === '' ? 'y' : 'n'
        }
        got += ' '
      }
      expect(got.trim()).toBe(expected.replaceAll('.', 'n'))
    })

    const isM = valueCondition(bytes('f'), bytes('q'), 'EQUAL', bytes('m'))
    const isNew = valueCondition(bytes('f'), bytes('q'), 'EQUAL', bytes('new'))

    test('where it does not hold nothing happens, not even an error of the change', async () => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:q', 'other', 5n)
      await session.settle()
      expect(await change(session, 'r', [put('r', 'f:q', 'v')], isM)).toBe('not applied')
      expect(await change(session, 'r', [increment('r', 'f:n', 1n)], isM)).toBe('not applied')
      expect(await change(session, 'r', [put('r', 'nope:q', 'v')], isM)).toBe('not applied')
      expect(await session.get('r')).toEqual(['r/f:q@5=other'])
    })

    test('the column must be of a family of the table', async () => {
      const session = await start()
      await session.create()
      const unknown = { ...isM, family: bytes('nope') }
      expect(await failure(change(session, 'r', [put('r', 'f:q', 'v')], unknown))).toMatch(
        /^NO_SUCH_COLUMN_FAMILY/,
      )
    })

    test('in a range of time', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      await session.put('r', 'f:q', 'm', 5n)
      await session.put('r', 'f:q', 'n', 9n)
      await session.settle()
      const under = async (min: bigint, max: bigint): Promise<string> =>
        change(session, 'r', [], { ...isM, timeRange: TimeRange.between(min, max) })
      expect([await under(5n, 6n), await under(5n, 10n), await under(6n, 9n)]).toEqual([
        '',
        'not applied',
        'not applied',
      ])
    })

    test('a put is not hidden behind the cell of the future that was checked, a delete is', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      const far = 9_999_999_999_999n
      await session.put('r', 'f:q', 'm', far)
      await session.settle()
      expect(await change(session, 'r', [put('r', 'f:q', 'new'), put('r', 'f:p', 'new')], isM)).toBe('')
      expect(await session.get('r')).toEqual([`r/f:p@${far}=new`, `r/f:q@${far}=new`])
      const column = deletion((batch) => batch.deleteColumn(bytes('r'), bytes('f'), bytes('q')))
      expect(await change(session, 'r', [column], isNew)).toBe('')
      expect(await session.get('r', columns('f:q'))).toEqual([`r/f:q@${far}=new`])
    })

    test('of changes that overlap one finds the value', async () => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:q', 'm', 5n)
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, i) => change(session, 'r', [put('r', 'f:q', `winner ${i}`)], isM)),
      )
      expect(outcomes.filter((outcome) => outcome === '')).toHaveLength(1)
    })
  })
}
