import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { EMPTY } from '../../../src/model/bytes.ts'
import type { CellParts } from '../../../src/model/cell.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { bytes, columns, failure, NO_GET_LIMITS, NO_LIMITS, type Session } from './store-under-test.ts'

/** Rows, columns and values are bytes; timestamps are 64 bits. */
export function describeRows(start: () => Promise<Session>): void {
  describe('bytes', () => {
    test('a cell comes back as the KeyValue that it is', async () => {
      const session = await start()
      await session.create(['meta'])
      await session.put('advertiser 1', 'meta:status', 'on', 1425447797805n)
      await session.settle()
      const { cells } = await session.store.rows.get(
        session.table,
        [get(bytes('advertiser 1'))],
        NO_GET_LIMITS,
        OWN_CALL,
      )
      expect(cells.buffer.subarray(cells.start, cells.end).toString('hex')).toBe(
        '0000002c' +
          '0000002200000002000c616476657274697365722031046d6574617374617475730000014be34f442d046f6e',
      )
    })

    test('rows, qualifiers and values hold every byte, and rows sort as unsigned bytes', async () => {
      const session = await start()
      await session.create()
      const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
      for (const byte of [...every].reverse()) {
        await session.change((batch) => batch.put(Buffer.of(byte), bytes('f'), every, every, 1n))
      }
      await session.settle()
      const scanner = await openScanner(session.store, session.table, scan(), OWN_CALL)
      const cells: CellParts[] = []
      for (let ended = 'batch'; ended !== 'scan'; ) {
        const batch = await scanner.next(NO_LIMITS, OWN_CALL)
        cells.push(...cellsOf(gathered(batch.results).cells))
        ended = batch.ended
      }
      await scanner.close()
      expect(cells.map((cell) => cell.row[0])).toEqual([...every])
      expect(cells.every((cell) => cell.qualifier.equals(every) && cell.value.equals(every))).toBe(true)
      const all = await session.store.rows.get(
        session.table,
        [...every].map((byte) => get(Buffer.of(byte))),
        NO_GET_LIMITS,
        OWN_CALL,
      )
      expect(all.counts).toEqual(Array(256).fill(1))
    })

    test('a prefix sorts before what it begins, 0x00 and 0xff are bytes like others', async () => {
      const session = await start()
      await session.create()
      for (const row of ['\xff\xff', '\xff', 'a\x00', 'b', 'a', '\x00', 'a\x00\x00', 'a\xff']) {
        await session.put(row, 'f:q', '', 1n)
      }
      await session.settle()
      const rows = (await session.scan()).map((text) => text.slice(0, text.indexOf('/')))
      expect(rows).toEqual(['\\x00', 'a', 'a\\x00', 'a\\x00\\x00', 'a\\xFF', 'b', '\\xFF', '\\xFF\\xFF'])
    })

    test('an empty qualifier is a column like others, and so is an empty value', async () => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:', 'none', 5n)
      await session.put('r', 'f:q', '', 5n)
      await session.settle()
      expect(await session.get('r')).toEqual(['r/f:@5=none', 'r/f:q@5='])
      expect(await session.get('r', columns('f:'))).toEqual(['r/f:@5=none'])
      expect(await session.get('r', columns('f:q'))).toEqual(['r/f:q@5='])
      expect(await session.get('r', columns('f:', 'f:q'))).toEqual(['r/f:@5=none', 'r/f:q@5='])
    })

    test('a row of the greatest length, and values of many sizes', async () => {
      const session = await start()
      await session.create()
      const row = 'r'.repeat(0x7fff)
      await session.put(row, 'f:q', 'v', 5n)
      for (const size of [1, 1000, 70_000, 1_000_000]) {
        await session.put('size', `f:${size}`, 'x'.repeat(size), 5n)
      }
      await session.settle()
      expect(await session.get(row)).toHaveLength(1)
      const { cells } = await session.store.rows.get(
        session.table,
        [get(bytes('size'))],
        NO_GET_LIMITS,
        OWN_CALL,
      )
      expect(cellsOf(cells).map((cell) => cell.value.length)).toEqual([1, 1000, 1_000_000, 70_000])
    })

    test('a get of no row is refused, a get of an unknown one is empty', async () => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:q', 'v', 5n)
      await session.settle()
      expect(() => get(EMPTY)).toThrow('Row length is 0')
      const results = await session.store.rows.get(
        session.table,
        ['a', 'r', 'z', 'r'].map((row) => get(bytes(row))),
        NO_GET_LIMITS,
        OWN_CALL,
      )
      expect(results.counts).toEqual([0, 1, 0, 1])
      expect((await session.store.rows.get(session.table, [], NO_GET_LIMITS, OWN_CALL)).counts).toEqual([])
    })

    test('what is handed in may be overwritten afterwards, and so may what is handed out', async () => {
      const session = await start()
      await session.create()
      const batch = new MutationBatch()
      batch.put(bytes('r'), bytes('f'), bytes('q'), bytes('v'), 5n).endMutation()
      await session.store.rows.mutate(session.table, batch, OWN_CALL)
      batch.cells.buffer.fill(0)
      await session.settle()
      const { cells } = await session.store.rows.get(
        session.table,
        [get(bytes('r'))],
        NO_GET_LIMITS,
        OWN_CALL,
      )
      cells.buffer.fill(0, cells.start, cells.end)
      expect(await session.get('r')).toEqual(['r/f:q@5=v'])
    })
  })

  describe('key order of ids', () => {
    test('ids sort as bytes', async () => {
      const session = await start()
      await session.create(['d'])
      for (const id of ['36578', '999995', '1025301', '914954', '65986', '952259', '1000117']) {
        await session.put(id, 'd:m', '{}', 1n)
      }
      await session.settle()
      expect((await session.scan()).map((text) => text.split('/')[0])).toEqual([
        '1000117',
        '1025301',
        '36578',
        '65986',
        '914954',
        '952259',
        '999995',
      ])
    })

    test('a hierarchy in one table: every id is followed by what is below it', async () => {
      const session = await start()
      await session.create(['d'])
      const order = ['1', '1,3', '1,3,6', '1,3,7', '1,4', '1,4,8', '10', '10,77', '2', '2,5', '2,5,9']
      for (const row of [...order].reverse()) await session.put(row, 'd:m', '{}', 1n)
      await session.settle()
      expect((await session.scan()).map((text) => text.split('/')[0])).toEqual(order)
    })

    test('a bare comma makes a row range over REST: [10, 77)', async () => {
      const session = await start()
      await session.create(['d'])
      for (const row of ['1', '10', '10,77', '100,1', '77', '8']) await session.put(row, 'd:m', '{}', 1n)
      await session.settle()
      const rows = await session.scan({ startRow: bytes('10'), stopRow: bytes('77') })
      expect(rows.map((text) => text.split('/')[0])).toEqual(['10', '10,77', '100,1'])
    })

    test('row-10 to row-20 are twelve rows of a hundred', async () => {
      const session = await start()
      await session.create(['d'])
      for (let id = 1; id <= 100; id++) await session.put(`row-${id}`, 'd:m', '', 1n)
      await session.settle()
      expect(await session.scan({ startRow: bytes('row-10'), stopRow: bytes('row-20') })).toHaveLength(12)
    })
  })

  describe('timestamps', () => {
    const TIMES = [0n, 1n, 2n ** 53n + 1n, 1579132800000000000n, LATEST_TIMESTAMP - 1n]

    test('64 bits are exact', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      await session.putVersions('r', 'f:q', ...TIMES)
      await session.settle()
      const newestFirst = [...TIMES].reverse().map((time) => `r/f:q@${time}=${time}`)
      expect(await session.get('r', { maxVersions: 10 })).toEqual(newestFirst)
      for (const time of TIMES) {
        const timeRange = TimeRange.at(time)
        expect(await session.get('r', { timeRange })).toEqual([`r/f:q@${time}=${time}`])
      }
    })

    test('Long.MAX_VALUE on a put is the present time', async () => {
      const session = await start()
      await session.create()
      session.clock.time = 1_700_000_000_123
      await session.put('r', 'f:explicit', 'v', LATEST_TIMESTAMP)
      await session.put('r', 'f:unstated', 'v')
      await session.settle()
      expect(await session.get('r')).toEqual(['r/f:explicit@1700000000123=v', 'r/f:unstated@1700000000123=v'])
    })

    test('a negative one is refused, as by the cells that HBase builds from a request', async () => {
      const session = await start()
      await session.create()
      const refused = 'ILLEGAL_ARGUMENT: Timestamp cannot be negative. ts=-1'
      expect(await failure(session.put('r', 'f:q', 'v', -1n))).toBe(refused)
      const deletion = session.change((batch) => batch.deleteColumn(bytes('r'), bytes('f'), bytes('q'), -1n))
      expect(await failure(deletion)).toBe(refused)
      expect(await failure(session.put('r', 'f:q', 'v', -(2n ** 63n)))).toBe(
        'ILLEGAL_ARGUMENT: Timestamp cannot be negative. ts=-9223372036854775808',
      )
      await session.settle()
      expect(await session.get('r')).toEqual([])
    })
  })
}
