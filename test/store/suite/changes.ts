import { describe, expect, test } from 'vitest'
import { EMPTY } from '../../../src/model/bytes.ts'
import { CellBlock, CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import {
  type CompareOperator,
  type Condition,
  DEFAULT_MUTATION_OPTIONS,
  MutationBatch,
  type RowOperation,
} from '../../../src/model/mutation.ts'
import { ALL_VERSIONS } from '../../../src/model/query.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import {
  bytes,
  columns,
  failure,
  failureTexts,
  familyOf,
  qualifierOf,
  resultTexts,
  type Session,
} from './store-under-test.ts'

const ALL = { maxVersions: ALL_VERSIONS }
const LONG_MAX = 2n ** 63n - 1n

function long(value: bigint): string {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(value)
  return buffer.toString('latin1')
}

function hex(value: bigint): string {
  return [...bytes(long(value))]
    .map((byte) =>
      byte >= 0x20 && byte <= 0x7e && byte !== 0x5c
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')
}

function block(
  row: string,
  cells: readonly (readonly [column: string, value: string, timestamp?: bigint | undefined])[],
): CellBlock {
  const batch = new MutationBatch()
  for (const [column, value, timestamp] of cells) {
    batch.put(bytes(row), familyOf(column), qualifierOf(column), bytes(value), timestamp)
  }
  return batch.cells.block()
}

function deletion(build: (batch: MutationBatch) => void): RowOperation {
  const batch = new MutationBatch()
  build(batch)
  return { kind: 'mutate', cells: batch.cells.block() }
}

function put(row: string, column: string, value: string, timestamp?: bigint): RowOperation {
  return { kind: 'mutate', cells: block(row, [[column, value, timestamp]]) }
}

function increment(row: string, column: string, amount: bigint, timestamp?: bigint): RowOperation {
  return { kind: 'increment', cells: block(row, [[column, long(amount), timestamp]]) }
}

function append(row: string, column: string, value: string, timestamp?: bigint): RowOperation {
  return { kind: 'append', cells: block(row, [[column, value, timestamp]]) }
}

/** The answered cells, or `not applied`. */
async function change(
  session: Session,
  row: string,
  operations: readonly RowOperation[],
  condition?: Condition,
  ttlMs?: number,
): Promise<string> {
  const { applied, results } = await session.store.mutateRow(session.table, {
    row: bytes(row),
    operations,
    options: { durability: 'USE_DEFAULT', ...(ttlMs === undefined ? {} : { ttlMs }) },
    ...(condition === undefined ? {} : { condition }),
  })
  const texts = resultTexts(results)
  expect(texts).toHaveLength(1)
  return applied ? texts[0]! : 'not applied'
}

/** Increments, appends, conditions, and mutations of several rows and of one. */
export function describeChanges(start: () => Promise<Session>): void {
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

  describe('appends', () => {
    test('what is there comes first', async () => {
      const session = await start()
      await session.create()
      const now = session.clock.time
      await session.put('r', 'f:q', 'abc', 5n)
      await session.settle()
      const cells = block('r', [
        ['f:q', 'def'],
        ['f:new', 'x'],
      ])
      expect(await change(session, 'r', [{ kind: 'append', cells }])).toBe(
        `r/f:new@${now}=x r/f:q@${now}=abcdef`,
      )
      expect(await change(session, 'r', [append('r', 'f:q', '')])).toBe(`r/f:q@${now + 1}=abcdef`)
      expect(await change(session, 'e', [append('e', 'f:q', '')])).toBe(`e/f:q@${now}=`)
    })

    test('twice to one column: the second wins, as each sees what was there before', async () => {
      const session = await start()
      await session.create()
      const now = session.clock.time
      const cells = block('r', [
        ['f:q', 'x'],
        ['f:q', 'y'],
      ])
      expect(await change(session, 'r', [{ kind: 'append', cells }])).toBe(`r/f:q@${now}=x r/f:q@${now}=y`)
      await session.settle()
      expect(await session.get('r')).toEqual([`r/f:q@${now}=y`])
    })
  })

  describe('deltas of one column with several times', () => {
    test('the latest is first in the answer, and each sees what was there before', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      const cells = block('r', [
        ['f:q', 'x', 0n],
        ['f:q', 'y', 1_699_999_995_000n],
      ])
      const now = session.clock.time
      expect(await change(session, 'r', [{ kind: 'append', cells }])).toBe('r/f:q@1699999995000=y r/f:q@0=x')
      await session.settle()
      expect(await change(session, 'r', [{ kind: 'append', cells }])).toBe(`r/f:q@${now}=yy r/f:q@${now}=yx`)
      expect(await session.get('r', ALL)).toEqual([`r/f:q@${now}=yx`, 'r/f:q@1699999995000=y', 'r/f:q@0=x'])
    })

    test('of increments at one time, stated and present, the last in that order wins', async () => {
      const session = await start()
      await session.create()
      const now = session.clock.time
      const cells = block('r', [
        ['f:n', long(1n), 5n],
        ['f:n', long(2n)],
        ['f:n', long(3n), 5n],
      ])
      await session.put('r', 'f:n', long(40n), 4n)
      expect(await change(session, 'r', [{ kind: 'increment', cells }])).toBe(
        [42n, 41n, 43n].map((sum) => `r/f:n@${now}=${hex(sum)}`).join(' '),
      )
      await session.settle()
      expect(await session.get('r')).toEqual([`r/f:n@${now}=${hex(43n)}`])
    })
  })

  describe('several operations on a row', () => {
    test('none sees another, and increments and appends are answered', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      const now = session.clock.time
      const operations = [
        put('r', 'f:n', long(40n), 5n),
        increment('r', 'f:n', 2n),
        append('r', 'f:a', 'x'),
        increment('r', 'f:n', 3n),
      ]
      expect(await change(session, 'r', operations)).toBe(
        `r/f:n@${now}=${hex(2n)} r/f:a@${now}=x r/f:n@${now}=${hex(3n)}`,
      )
      await session.settle()
      expect(await session.get('r', ALL)).toEqual([
        `r/f:a@${now}=x`,
        `r/f:n@${now}=${hex(3n)}`,
        `r/f:n@5=${hex(40n)}`,
      ])
    })

    test('puts and deletes together', async () => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:old', 'v', 5n)
      const old = deletion((batch) => batch.deleteColumn(bytes('r'), bytes('f'), bytes('old')))
      expect(await change(session, 'r', [old, put('r', 'f:new', 'v', 6n)])).toBe('')
      await session.settle()
      expect(await session.get('r')).toEqual(['r/f:new@6=v'])
    })

    test('one that fails keeps all from happening', async () => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:text', 'abc', 5n)
      const put1 = put('r', 'f:q', 'v')
      expect(await failure(change(session, 'r', [put1, increment('r', 'f:text', 1n)]))).toMatch(
        /^DO_NOT_RETRY/,
      )
      expect(await failure(change(session, 'r', [put1, put('r', 'nope:q', 'v')]))).toMatch(
        /^NO_SUCH_COLUMN_FAMILY/,
      )
      expect(await failure(change(session, 'r', [put1, append('r', 'nope:q', 'v')]))).toMatch(
        /^NO_SUCH_COLUMN_FAMILY/,
      )
      expect(await failure(change(session, 'r', [put1, increment('r', 'f:n', 1n, -1n)]))).toBe(
        'ILLEGAL_ARGUMENT: Timestamp cannot be negative. ts=-1',
      )
      await session.settle()
      expect(await session.get('r')).toEqual(['r/f:text@5=abc'])
    })
  })

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
          const condition = {
            family: familyOf(column),
            qualifier: qualifierOf(column),
            operator,
            value: bytes(value),
          }
          const answer = await change(session, 'r', [put('r', 'f:x', 'x', 1n)], condition)
          if (value === '') {
            const without = await change(session, 'r', [], { ...condition, value: undefined })
            expect(without).toBe(answer)
          }
          got += answer === '' ? 'y' : 'n'
        }
        got += ' '
      }
      expect(got.trim()).toBe(expected.replaceAll('.', 'n'))
    })

    const isM: Condition = { family: bytes('f'), qualifier: bytes('q'), operator: 'EQUAL', value: bytes('m') }

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
      expect(await change(session, 'r', [column], { ...isM, value: bytes('new') })).toBe('')
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

  describe('batches', () => {
    test('mutations that fail do not stop the others', async () => {
      const session = await start()
      await session.create()
      const batch = new MutationBatch()
      const [f, q, v] = [bytes('f'), bytes('q'), bytes('v')]
      batch.put(bytes('a'), f, q, v, 5n).endMutation()
      batch.put(bytes('b'), bytes('nope'), q, v, 5n).endMutation()
      batch.put(bytes('b'), f, q, v, 5n).put(bytes('b'), bytes('none'), q, v, 5n).endMutation()
      batch.put(bytes('c'), f, q, v, 5n).endMutation()
      batch.deleteFamily(bytes('a'), bytes('zip')).endMutation()
      batch.put(bytes('d'), f, q, v, -3n).endMutation()
      const failures = await session.store.mutate(session.table, batch)
      expect(failureTexts(failures)).toEqual([
        expect.stringMatching(/^1 NO_SUCH_COLUMN_FAMILY: Column family nope does not exist/),
        expect.stringMatching(/^2 NO_SUCH_COLUMN_FAMILY: Column family none does not exist/),
        expect.stringMatching(/^4 NO_SUCH_COLUMN_FAMILY: Column family zip does not exist/),
        '5 ILLEGAL_ARGUMENT: Timestamp cannot be negative. ts=-3',
      ])
      await session.settle()
      expect(await session.scan()).toEqual(['a/f:q@5=v', 'c/f:q@5=v'])
    })

    test('of several families that are not there the first in byte order is named', async () => {
      const session = await start()
      await session.create(['f'])
      const cells = block('r', [
        ['zip:q', long(1n)],
        ['f:q', long(1n)],
        ['nope:q', long(1n)],
        ['none:q', long(1n)],
      ])
      const none = /^NO_SUCH_COLUMN_FAMILY: Column family none does not exist/
      for (const kind of ['mutate', 'increment', 'append'] as const) {
        expect(await failure(change(session, 'r', [{ kind, cells }]))).toMatch(none)
      }
      const batch = new MutationBatch()
      batch.put(bytes('r'), bytes('zip'), EMPTY, EMPTY).put(bytes('r'), bytes('none'), EMPTY, EMPTY)
      batch.deleteRow(bytes('r')).endMutation()
      expect(failureTexts(await session.store.mutate(session.table, batch))).toEqual([
        expect.stringMatching(/^0 NO_SUCH_COLUMN_FAMILY: Column family none does not exist/),
      ])
    })

    test('a negative timestamp is reported before a family that is not there', async () => {
      const session = await start()
      await session.create(['f'])
      const cells = block('r', [
        ['nope:q', long(1n)],
        ['f:q', long(1n), -7n],
      ])
      for (const kind of ['mutate', 'increment', 'append'] as const) {
        expect(await failure(change(session, 'r', [{ kind, cells }]))).toBe(
          'ILLEGAL_ARGUMENT: Timestamp cannot be negative. ts=-7',
        )
      }
    })

    test('no mutation sees another, whatever their durabilities and times to live', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      const [r, f, q] = [bytes('r'), bytes('f'), bytes('q')]
      const batch = new MutationBatch()
      batch.put(r, f, q, bytes('v'), 0n).endMutation({ durability: 'USE_DEFAULT' })
      batch.deleteVersion(r, f, q).endMutation({ durability: 'FSYNC_WAL' })
      batch.put(bytes('a'), f, q, bytes('v'), 5n).endMutation({ durability: 'SYNC_WAL', ttlMs: 2 ** 42 })
      batch.deleteVersion(bytes('a'), f, q).endMutation({ durability: 'ASYNC_WAL' })
      expect(await session.store.mutate(session.table, batch)).toEqual([])
      await session.settle()
      expect(await session.scan()).toEqual(['a/f:q@5=v', 'r/f:q@0=v'])
    })

    test('nor where the rows of regions alternate; failures stay in order', async () => {
      const session = await start()
      await session.store.createTable(tableDescriptor(session.table, [familyDescriptor('f')]), [bytes('m')])
      const [a, z, f, q] = [bytes('a'), bytes('z'), bytes('f'), bytes('q')]
      const batch = new MutationBatch()
      batch.put(a, f, q, bytes('v'), 5n).endMutation()
      batch.put(z, bytes('nope'), q, bytes('v'), 5n).endMutation()
      batch.put(z, f, q, bytes('v'), 5n).endMutation()
      batch.put(a, bytes('nope'), q, bytes('v'), 5n).endMutation()
      batch.deleteVersion(a, f, q).endMutation({ durability: 'FSYNC_WAL' })
      batch.deleteVersion(z, f, q).endMutation()
      const failures = await session.store.mutate(session.table, batch)
      expect(failures.map(({ index }) => index)).toEqual([1, 3])
      await session.settle()
      expect(await session.scan()).toEqual(['a/f:q@5=v', 'z/f:q@5=v'])
    })

    test('of two puts to one column in one batch the later wins', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      const batch = new MutationBatch()
      for (const value of ['first', 'second']) {
        batch.put(bytes('r'), bytes('f'), bytes('q'), bytes(value)).endMutation()
      }
      expect(await session.store.mutate(session.table, batch)).toEqual([])
      await session.settle()
      expect(await session.get('r', ALL)).toEqual([`r/f:q@${session.clock.time}=second`])
    })

    test('an empty batch and an empty mutation change nothing', async () => {
      const session = await start()
      await session.create()
      expect(await session.store.mutate(session.table, new MutationBatch())).toEqual([])
      const batch = new MutationBatch()
      batch.endMutation()
      expect(await session.store.mutate(session.table, batch)).toEqual([])
      await session.settle()
      expect(await session.scan()).toEqual([])
    })

    test.each(['USE_DEFAULT', 'SKIP_WAL', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL'] as const)(
      'durability %s is read back at once',
      async (durability) => {
        const session = await start()
        await session.create()
        await session.change((batch) => batch.put(bytes('r'), bytes('f'), bytes('q'), bytes('v'), 5n), {
          durability,
        })
        expect(await session.get('r')).toEqual(['r/f:q@5=v'])
      },
    )

    test('a batch of many rows', async () => {
      const session = await start()
      await session.create()
      const batch = new MutationBatch()
      for (let i = 0; i < 5000; i++) {
        const row = bytes(String((i * 7919) % 5000).padStart(4, '0'))
        batch.put(row, bytes('f'), bytes('q'), row, 5n).endMutation(DEFAULT_MUTATION_OPTIONS)
      }
      expect(await session.store.mutate(session.table, batch)).toEqual([])
      await session.settle()
      const rows = await session.scan()
      expect(rows).toHaveLength(5000)
      expect(rows).toEqual([...rows].sort())
    })
  })

  test('a block may be a part of a larger buffer', async () => {
    const session = await start()
    await session.create()
    const padded = new CellBlockBuilder()
    padded.reserve(100)
    padded.length = 100
    padded.append(bytes('r'), bytes('f'), bytes('q'), 0, 5, 4, bytes('v'))
    const cells = new CellBlock(padded.buffer, 100, padded.length)
    expect(await change(session, 'r', [{ kind: 'mutate', cells }])).toBe('')
    await session.settle()
    expect(await session.get('r')).toEqual(['r/f:q@5=v'])
  })
}
