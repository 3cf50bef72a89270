import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { rowAfterPrefix } from '../../../src/model/bytes.ts'
import { type Scan, scan } from '../../../src/model/query.ts'
import type { ScanBatch } from '../../../src/model/results.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import { bytes, columns, failure, NO_LIMITS, resultTexts, type Session } from './store-under-test.ts'

/** Rows a, c, v (three cells) and w (seven cells). */
async function fourRows(session: Session): Promise<void> {
  await session.create()
  await session.put('a', 'f:q', 'x', 5n)
  await session.put('c', 'f:q', 'x', 5n)
  for (let i = 0; i < 3; i++) await session.put('v', `f:q${i}`, 'x', 5n)
  for (let i = 0; i < 7; i++) await session.put('w', `f:q${i}`, 'x', 5n)
  await session.settle()
}

/** `v0-2` for the cells q0 to q2 of row v. */
function outline(texts: string[]): string[] {
  return texts.map((text) => {
    const row = text[0]!
    const qualifiers = [...text.matchAll(/:q(\d?)@/g)].map((match) => match[1]!)
    const [first, last] = [qualifiers[0]!, qualifiers.at(-1)!]
    return first === last ? row + first : `${row}${first}-${last}`
  })
}

function rowsFrom(startRow: string, stopRow = ''): Partial<Scan> {
  return { startRow: bytes(startRow), stopRow: bytes(stopRow) }
}

async function batches(session: Session, wanted: Partial<Scan>, limits: ScanLimits): Promise<ScanBatch[]> {
  const scanner = await openScanner(session.store, session.table, scan(wanted), OWN_CALL)
  const all: ScanBatch[] = []
  do all.push(await scanner.next(limits, OWN_CALL))
  while (all.at(-1)!.ended !== 'scan')
  await scanner.close()
  return all.filter((batch) => batch.results.counts.length > 0)
}

/** The rows that a scan visits, and its portions. */
export function describeScans(start: () => Promise<Session>): void {
  const cases: [string, Partial<Scan>, string[]][] = [
    ['everything', {}, ['a', 'c', 'v0-2', 'w0-6']],
    ['from a row', rowsFrom('c'), ['c', 'v0-2', 'w0-6']],
    ['from a row that is not there', rowsFrom('b'), ['c', 'v0-2', 'w0-6']],
    ['up to a row', rowsFrom('', 'v'), ['a', 'c']],
    [
      'after a row and up to one',
      { ...rowsFrom('a', 'c'), includeStartRow: false, includeStopRow: true },
      ['c'],
    ],
    ['a range of no rows', rowsFrom('c', 'c'), []],
    ['a range of one row', { ...rowsFrom('c', 'c'), includeStopRow: true }, ['c']],
    ['a start after the stop', rowsFrom('v', 'a'), []],
    ['reversed', { reversed: true }, ['w0-6', 'v0-2', 'c', 'a']],
    ['reversed from a row', { ...rowsFrom('v'), reversed: true }, ['v0-2', 'c', 'a']],
    ['reversed from a row that is not there', { ...rowsFrom('uu'), reversed: true }, ['c', 'a']],
    ['reversed up to a row', { ...rowsFrom('v', 'a'), reversed: true }, ['v0-2', 'c']],
    [
      'reversed after a row and up to one',
      { ...rowsFrom('v', 'a'), reversed: true, includeStartRow: false, includeStopRow: true },
      ['c', 'a'],
    ],
    ['reversed with the lesser row first', { ...rowsFrom('a', 'v'), reversed: true }, []],
    ['a limit of rows', { limit: 2 }, ['a', 'c']],
    ['a limit of rows, reversed', { limit: 2, reversed: true }, ['w0-6', 'v0-2']],
    ['a batch', { batch: 3 }, ['a', 'c', 'v0-2', 'w0-2', 'w3-5', 'w6']],
    [
      'a batch and a limit of rows, which are whole',
      { batch: 3, limit: 4 },
      ['a', 'c', 'v0-2', 'w0-2', 'w3-5', 'w6'],
    ],
    [
      'a batch, a limit, reversed',
      { batch: 2, limit: 2, reversed: true },
      ['w0-1', 'w2-3', 'w4-5', 'w6', 'v0-1', 'v2'],
    ],
    ['a batch, raw', { batch: 2, raw: true }, ['a', 'c', 'v0-1', 'v2', 'w0-1', 'w2-3', 'w4-5', 'w6']],
    ['a limit and an offset of cells in a family', { familyLimit: 3, familyOffset: 2 }, ['v2', 'w2-4']],
    [
      'a limit and an offset of cells in a family, with a batch',
      { familyLimit: 3, familyOffset: 2, batch: 2 },
      ['v2', 'w2-3', 'w4'],
    ],
    ['an offset of cells in a family', { familyOffset: 1 }, ['v1-2', 'w1-6']],
    ['a limit of no cells in a family, which lets one through', { familyLimit: 0 }, ['a', 'c', 'v0', 'w0']],
    ['a limit of no cells in a family after an offset', { familyLimit: 0, familyOffset: 2 }, ['v2', 'w2']],
    ['a column', columns('f:q2'), ['v2', 'w2']],
    ['columns, reversed', { ...columns('f:q2', 'f:q5'), reversed: true }, ['w2-5', 'v2']],
    ['a prefix of bytes 0xff', rowsFrom('w', rowAfterPrefix(bytes('\xff')).toString('latin1')), ['w0-6']],
  ]

  describe('scans', () => {
    test.each(cases)('%s', async (_, wanted, seen) => {
      const session = await start()
      await fourRows(session)
      expect(outline(await session.scan(wanted))).toEqual(seen)
      // The same in the smallest portions.
      const single = { rows: 1, bytes: Number.MAX_SAFE_INTEGER, allowPartial: false }
      expect(outline(await session.scan(wanted, single))).toEqual(seen)
      expect(outline(await session.scan(wanted, { ...single, rows: 100, bytes: 1 }))).toEqual(seen)
    })

    test('a limit of cells holds for each family', async () => {
      const session = await start()
      await session.create(['f', 'g'])
      for (const family of ['f', 'g']) {
        for (let i = 0; i < 4; i++) await session.put('r', `${family}:q${i}`, 'x', 5n)
      }
      await session.settle()
      expect(await session.get('r', { familyLimit: 2, familyOffset: 1 })).toEqual([
        'r/f:q1@5=x',
        'r/f:q2@5=x',
        'r/g:q1@5=x',
        'r/g:q2@5=x',
      ])
      expect(await session.scan({ familyLimit: 1, familyOffset: 3, reversed: true })).toEqual([
        'r/f:q3@5=x r/g:q3@5=x',
      ])
    })

    test('a row of which nothing is visible does not appear', async () => {
      const session = await start()
      await session.create(['f', 'g'])
      await session.put('a', 'g:q', 'x', 5n)
      await session.put('b', 'f:q', 'x', 5n)
      await session.put('c', 'f:q', 'x', 5n)
      await session.change((batch) => batch.deleteRow(bytes('b')))
      await session.settle()
      expect(await session.scan(columns('f'))).toEqual(['c/f:q@5=x'])
      expect(await session.scan({ ...columns('f'), limit: 1 })).toEqual(['c/f:q@5=x'])
      expect(await session.scan({ ...columns('g'), reversed: true })).toEqual(['a/g:q@5=x'])
    })

    test('a scan of an empty table', async () => {
      const session = await start()
      await session.create()
      await session.settle()
      expect(await session.scan()).toEqual([])
      expect(await session.scan({ reversed: true, limit: 1, batch: 1 })).toEqual([])
    })

    test('columns of several families in one row', async () => {
      const session = await start()
      await session.create(['a', 'b', 'c'])
      for (const column of ['a:1', 'a:2', 'b:1', 'b:2', 'c:1']) await session.put('r', column, 'x', 5n)
      await session.settle()
      expect(await session.scan(columns('c', 'a:2', 'b'))).toEqual([
        'r/a:2@5=x r/b:1@5=x r/b:2@5=x r/c:1@5=x',
      ])
    })
  })

  describe('portions', () => {
    test('rows: so many results at a time, and the scan goes on where it was', async () => {
      const session = await start()
      await fourRows(session)
      const three = await batches(session, { batch: 2 }, { ...NO_LIMITS, rows: 3 })
      expect(three.map((batch) => outline(resultTexts(batch.results)))).toEqual([
        ['a', 'c', 'v0-1'],
        ['v2', 'w0-1', 'w2-3'],
        ['w4-5', 'w6'],
      ])
      expect(three.map((batch) => batch.partial)).toEqual([
        [false, false, true],
        [false, true, true],
        [true, false],
      ])
    })

    test('bytes: the portion ends after the row that reaches them', async () => {
      const session = await start()
      await fourRows(session)
      const portions = await batches(session, {}, { rows: 100, bytes: 45, allowPartial: false })
      expect(portions.map((batch) => outline(resultTexts(batch.results)))).toEqual([
        ['a', 'c'],
        ['v0-2'],
        ['w0-6'],
      ])
      expect(portions.map((batch) => batch.partial)).toEqual([undefined, undefined, undefined])
    })

    test('bytes: within the row, where parts are allowed', async () => {
      const session = await start()
      await fourRows(session)
      const portions = await batches(session, rowsFrom('v'), { rows: 100, bytes: 45, allowPartial: true })
      expect(portions.map((batch) => outline(resultTexts(batch.results)))).toEqual([
        ['v0-1'],
        ['v2', 'w0'],
        ['w1-2'],
        ['w3-4'],
        ['w5-6'],
      ])
      expect(portions.map((batch) => batch.partial)).toEqual([
        [true],
        [false, true],
        [true],
        [true],
        undefined,
      ])
    })

    test('a batch of cells beside a limit of bytes', async () => {
      const session = await start()
      await fourRows(session)
      const portions = await batches(
        session,
        { ...rowsFrom('w'), batch: 3 },
        { ...NO_LIMITS, bytes: 45, allowPartial: true },
      )
      expect(portions.map((batch) => outline(resultTexts(batch.results)))).toEqual([
        ['w0-1'],
        ['w2-3'],
        ['w4-5'],
        ['w6'],
      ])
      expect(portions.map((batch) => batch.partial)).toEqual([[true], [true], [true], undefined])
    })

    test('a wide row of several families comes whole', async () => {
      const session = await start()
      await session.create(['f', 'g'])
      await session.change((batch) => {
        for (let i = 0; i < 3000; i++) {
          const column = bytes(String(i).padStart(5, '0'))
          batch.put(bytes('wide'), bytes(i % 2 === 0 ? 'f' : 'g'), column, bytes('x'), 5n)
        }
      })
      await session.settle()
      expect(await session.get('wide')).toHaveLength(3000)
      const whole = await session.scan({}, { rows: 1, bytes: 1, allowPartial: false })
      expect(whole[0]!.split(' ')).toHaveLength(3000)
      for (const limits of [
        { ...NO_LIMITS, rows: 1 },
        { rows: 7, bytes: 500, allowPartial: true },
      ]) {
        const parts = await session.scan({ batch: 70 }, limits)
        expect(parts.join(' ')).toBe(whole[0])
        expect(Math.max(...parts.map((part) => part.split(' ').length))).toBeLessThanOrEqual(70)
      }
    })
  })

  describe('what cannot be read', () => {
    test('a family that the table does not have', async () => {
      const session = await start()
      await fourRows(session)
      const code = /^NO_SUCH_COLUMN_FAMILY: Column family nope does not exist/
      expect(await failure(session.get('a', columns('nope')))).toMatch(code)
      expect(await failure(session.scan(columns('f', 'nope:q')))).toMatch(code)
    })

    test('named columns in a raw scan', async () => {
      const session = await start()
      await fourRows(session)
      expect(await failure(session.scan({ raw: true, ...columns('f:q') }))).toBe(
        'DO_NOT_RETRY: Cannot specify any column for a raw scan',
      )
      expect(await session.scan({ raw: true, ...columns('f'), limit: 1 })).toEqual(['a/f:q@5=x'])
    })
  })
}
