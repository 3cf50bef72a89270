import { describe, expect, test } from 'vitest'
import type { Comparator, CompareOperator, Filter } from '../../../src/model/filter.ts'
import type { Condition } from '../../../src/model/mutation.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { change, long, put } from './row-operations.ts'
import { bytes, failure, type Session } from './store-under-test.ts'

const OPERATORS: readonly CompareOperator[] = [
  'LESS',
  'LESS_OR_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'GREATER_OR_EQUAL',
  'GREATER',
]

function decimal(scale: number, unscaled: number): string {
  return `\x00\x00\x00${String.fromCharCode(scale, unscaled)}`
}

function regex(pattern: string): Comparator {
  return { kind: 'RegexStringComparator', pattern, flags: 32, charset: 'UTF-8', engine: 'JAVA' }
}

/**
 * The column's value, a comparator, and for each operator from LESS to GREATER whether the condition holds: the
 * comparator is on the left, and a comparator that only matches or not is greater than a value that it does not match.
 */
const COMPARISONS: [string, string, Comparator, string][] = [
  ['bytes that are less', 'm', { kind: 'BinaryComparator', value: bytes('a') }, 'yy.y..'],
  ['bytes that are equal', 'm', { kind: 'BinaryComparator', value: bytes('m') }, '.yy.y.'],
  ['bytes that are greater', 'm', { kind: 'BinaryComparator', value: bytes('mm') }, '...yyy'],
  ['a prefix', 'mnop', { kind: 'BinaryPrefixComparator', value: bytes('mn') }, '.yy.y.'],
  ['a prefix that is less', 'mnop', { kind: 'BinaryPrefixComparator', value: bytes('ma') }, 'yy.y..'],
  ['a component', 'mnop', { kind: 'BinaryComponentComparator', value: bytes('op'), offset: 2 }, '.yy.y.'],
  [
    'a component that is greater',
    'mnop',
    { kind: 'BinaryComponentComparator', value: bytes('oz'), offset: 2 },
    '...yyy',
  ],
  ['bits in common', '\x05', { kind: 'BitComparator', value: bytes('\x04'), operator: 'AND' }, '.yy.y.'],
  ['no bits in common', '\x05', { kind: 'BitComparator', value: bytes('\x02'), operator: 'AND' }, '...yyy'],
  ['a pattern', 'tidegate', regex('g.te$'), '.yy.y.'],
  ['another pattern', 'tidegate', regex('^gate'), '...yyy'],
  [
    'a substring, whatever its case',
    'TideGate',
    { kind: 'SubstringComparator', substring: 'gate' },
    '.yy.y.',
  ],
  ['another substring', 'TideGate', { kind: 'SubstringComparator', substring: 'base' }, '...yyy'],
  ['a number', long(-1n), { kind: 'LongComparator', value: bytes(long(-2n)) }, 'yy.y..'],
  ['a decimal', decimal(1, 50), { kind: 'BigDecimalComparator', value: bytes(decimal(0, 5)) }, '.yy.y.'],
]

/** A comparator without a value asks whether the column has none: with NOT_EQUAL whether it has one. */
const WITHOUT_VALUE: [string, Comparator | undefined][] = [
  ['none', undefined],
  ['NullComparator', { kind: 'NullComparator' }],
  ['BinaryComparator', { kind: 'BinaryComparator', value: bytes('') }],
  ['BinaryPrefixComparator', { kind: 'BinaryPrefixComparator', value: bytes('') }],
  ['RegexStringComparator', regex('')],
  ['SubstringComparator', { kind: 'SubstringComparator', substring: '' }],
]

function column(name: string, operator: CompareOperator, comparator: Comparator | undefined): Condition {
  return { kind: 'column', family: bytes('f'), qualifier: bytes(name), operator, comparator }
}

async function held(session: Session, conditions: readonly Condition[]): Promise<string> {
  let text = ''
  for (const condition of conditions) {
    text += (await change(session, 'r', [], condition)) === '' ? 'y' : '.'
  }
  return text
}

function valueIs(value: string): Filter {
  const comparator: Comparator = { kind: 'BinaryComparator', value: bytes(value) }
  return { kind: 'ValueFilter', operator: 'EQUAL', comparator }
}

/** Conditions with each comparator, and with filters. */
export function describeConditionComparators(start: () => Promise<Session>): void {
  describe('conditions with comparators', () => {
    test.each(COMPARISONS)('%s', async (_, present, comparator, expected) => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:q', present, 5n)
      await session.settle()
      const conditions = OPERATORS.map((operator) => column('q', operator, comparator))
      expect(await held(session, conditions)).toBe(expected)
      // A missing value compares with nothing.
      const without = OPERATORS.map((operator) => column('none', operator, comparator))
      expect(await held(session, without)).toBe('......')
    })

    test.each(WITHOUT_VALUE)('without a value: %s', async (_, comparator) => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:q', 'v', 5n)
      await session.put('r', 'f:empty', '', 5n)
      await session.settle()
      const of = (name: string): Condition[] =>
        OPERATORS.map((operator) => column(name, operator, comparator))
      expect(await held(session, of('q'))).toBe('...y..')
      expect(await held(session, of('empty'))).toBe('yyy.yy')
      expect(await held(session, of('none'))).toBe('yyy.yy')
    })

    test('one that cannot compare the value, or cannot be made', async () => {
      const session = await start()
      session.needs('faultyComparators')
      await session.create()
      await session.put('r', 'f:q', 'v', 5n)
      await session.settle()
      const number = column('q', 'EQUAL', { kind: 'LongComparator', value: bytes(long(1n)) })
      const refused = [number, column('q', 'EQUAL', regex('('))]
      for (const condition of refused) {
        const answer = await failure(change(session, 'r', [put('r', 'f:p', 'v', 5n)], condition))
        expect(answer).toMatch(/^(ILLEGAL_ARGUMENT|DO_NOT_RETRY|IO)/)
      }
      expect(await session.get('r')).toEqual(['r/f:q@5=v'])
    })
  })

  describe('conditions with filters', () => {
    test('hold where something of the row passes', async () => {
      const session = await start()
      await session.create(['f', 'g'], { VERSIONS: '10' })
      await session.put('r', 'f:q', 'old', 4n)
      await session.put('r', 'f:q', 'v', 5n)
      await session.put('r', 'g:p', 'w', 5n)
      await session.settle()
      const filters: [Filter, string][] = [
        [valueIs('v'), 'y'],
        [valueIs('w'), 'y'],
        [valueIs('old'), 'y'],
        [valueIs('x'), '.'],
        [{ kind: 'FilterList', operator: 'MUST_PASS_ALL', filters: [valueIs('v'), valueIs('w')] }, '.'],
        [{ kind: 'PrefixFilter', prefix: bytes('r') }, 'y'],
        [{ kind: 'PrefixFilter', prefix: bytes('s') }, '.'],
        [
          {
            kind: 'SingleColumnValueFilter',
            family: bytes('g'),
            qualifier: bytes('p'),
            operator: 'EQUAL',
            comparator: { kind: 'BinaryComparator', value: bytes('w') },
            filterIfMissing: true,
            latestVersionOnly: true,
          },
          'y',
        ],
      ]
      for (const [filter, expected] of filters) {
        expect(await held(session, [{ kind: 'filter', filter }]), filter.kind).toBe(expected)
      }
    })

    test('in a range of time', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      await session.put('r', 'f:q', 'v', 5n)
      await session.settle()
      const ranges = [TimeRange.between(0n, 5n), TimeRange.between(5n, 6n), TimeRange.between(6n, 9n)]
      const filter = valueIs('v')
      const conditions = ranges.map((timeRange) => ({ kind: 'filter' as const, filter, timeRange }))
      expect(await held(session, conditions)).toBe('.y.')
    })

    test('a row that is not there has nothing that passes', async () => {
      const session = await start()
      await session.create()
      await session.settle()
      const all: Filter = { kind: 'PrefixFilter', prefix: bytes('') }
      expect(await held(session, [{ kind: 'filter', filter: all }])).toBe('.')
    })

    test('a put is not hidden behind the cell of the future that passed', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      const far = 9_999_999_999_999n
      await session.put('r', 'f:q', 'v', far)
      await session.settle()
      const condition: Condition = { kind: 'filter', filter: valueIs('v') }
      expect(await change(session, 'r', [put('r', 'f:q', 'new')], condition)).toBe('')
      expect(await session.get('r')).toEqual([`r/f:q@${far}=new`])
    })
  })
}
