import { describe, expect, test } from 'vitest'
import { CellBlock, CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { ALL, append, block, change, deletion, hex, increment, long, put } from './row-operations.ts'
import { bytes, failure, type Session } from './store-under-test.ts'

/** The columns of cells, as Session.get tells cells. */
const columns = (texts: readonly string[]): string[] => texts.map((text) => text.split('@')[0]!)

/** The parts of one change of a row, and whether they see each other. */
export function describeRowChanges(start: () => Promise<Session>): void {
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
    test('each has a time to live and a durability of its own', async () => {
      const session = await start()
      await session.create()
      const brief = { durability: 'SKIP_WAL', ttlMs: 1000 } as const
      const lasting = { durability: 'USE_DEFAULT' } as const
      await change(session, 'r', [
        { ...put('r', 'f:brief', 'v'), options: brief },
        { ...put('r', 'f:lasting', 'v'), options: lasting },
        { ...append('r', 'f:briefer', 'v'), options: { ...brief, ttlMs: 500 } },
        { ...increment('r', 'f:n', 1n), options: lasting },
      ])
      await change(session, 's', [{ ...put('s', 'f:lasting', 'v'), options: lasting }], undefined, 500)
      await session.settle()
      session.clock.time += 2000
      expect(columns(await session.get('r'))).toEqual(['r/f:lasting', 'r/f:n'])
      expect(columns(await session.get('s'))).toEqual(['s/f:lasting'])
    })

    test('an operation whose answer nobody wants is made, and the others are answered', async () => {
      const session = await start()
      await session.create()
      const now = session.clock.time
      const silent = { returnResults: false }
      const operations = [
        { ...increment('r', 'f:n', 2n), ...silent },
        append('r', 'f:a', 'x'),
        { ...append('r', 'f:b', 'y'), ...silent },
      ]
      expect(await change(session, 'r', operations)).toBe(`r/f:a@${now}=x`)
      expect(await session.get('r')).toEqual([`r/f:a@${now}=x`, `r/f:b@${now}=y`, `r/f:n@${now}=${hex(2n)}`])
    })

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
