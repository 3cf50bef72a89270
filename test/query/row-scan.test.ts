import { expect, test } from 'vitest'
import { CellType } from '../../src/model/cell.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { type Scan, scan } from '../../src/model/query.ts'
import type { ScanBatch } from '../../src/model/results.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { readColumns } from '../../src/query/read-columns.ts'
import { isInKeyRange, rowsOfScan } from '../../src/query/row-range.ts'
import { RowScan } from '../../src/query/row-scan.ts'
import type { StoredRow } from '../../src/query/stored-cell.ts'
import { bytes, NO_LIMITS, resultTexts } from '../store/suite/store-under-test.ts'

const TABLE = tableDescriptor(parseTableName('t'), [familyDescriptor('f')])

function row(key: string): StoredRow {
  const cell = {
    row: bytes(key),
    family: bytes('f'),
    qualifier: bytes('q'),
    timestamp: 5n,
    value: bytes('v'),
  }
  return { key: bytes(key), cells: [{ ...cell, type: CellType.Put }] }
}

const ROWS = ['a', 'b', 'm', 'z'].map(row)

function scanned(
  rows: Iterator<StoredRow> | AsyncIterator<StoredRow>,
  wanted: Scan,
  startKeys: readonly string[] = [''],
): RowScan {
  const columns = readColumns(wanted, TABLE, bytes('t,,1.'))
  return new RowScan(
    wanted,
    { rows, startKeys: startKeys.map(bytes), columns },
    { now: 0n, random: Math.random },
  )
}

function rowsOf({ results, ended }: ScanBatch): string {
  return [...resultTexts(results).map((text) => text[0]), ended].join(' ')
}

test('rows of an array, in the scan’s range and order', async () => {
  const wanted = scan({ startRow: bytes('m'), stopRow: bytes('a'), reversed: true })
  const of = scanned(rowsOfScan(ROWS, wanted).values(), wanted)
  expect(rowsOf(await of.next(NO_LIMITS))).toBe('m b scan')
  expect(rowsOf(await of.next(NO_LIMITS))).toBe('scan')
})

test('rows that are fetched as they are needed', async () => {
  let fetched = 0
  async function* fetch(): AsyncGenerator<StoredRow> {
    for (const each of ROWS) {
      await Promise.resolve()
      fetched++
      yield each
    }
  }
  const of = scanned(fetch(), scan())
  expect(rowsOf(await of.next({ ...NO_LIMITS, rows: 2 }))).toBe('a b batch')
  expect(fetched).toBe(2)
  expect(rowsOf(await of.next(NO_LIMITS))).toBe('m z scan')
})

test('a batch ends with each region, and a filter starts anew in the next', async () => {
  const wanted = scan({ filter: { kind: 'PageFilter', pageSize: 1n } })
  const of = scanned(ROWS.values(), wanted, ['n', '', 'b'])
  expect(rowsOf(await of.next(NO_LIMITS))).toBe('a region')
  expect(rowsOf(await of.next(NO_LIMITS))).toBe('b region')
  expect(rowsOf(await of.next(NO_LIMITS))).toBe('z scan')
})

test('a filter that is at its end before anything has passed ends the scan', async () => {
  const wanted = scan({ filter: { kind: 'PrefixFilter', prefix: bytes('Z') } })
  const of = scanned(ROWS.values(), wanted, ['', 'm'])
  expect(rowsOf(await of.next(NO_LIMITS))).toBe('scan')
})

test('the caller is asked before each row but the first, and may end the batch', async () => {
  const of = scanned(ROWS.values(), scan())
  let asked = 0
  const batch = await of.next(NO_LIMITS, () => ++asked < 2)
  expect(rowsOf(batch)).toBe('a b batch')
  expect([asked, String(batch.position), batch.cellsSeen]).toEqual([2, 'b', 2])
  expect(rowsOf(await of.next(NO_LIMITS, async () => false))).toBe('m batch')
  const failing = of.next(NO_LIMITS, () => {
    throw new Error('gone')
  })
  await expect(failing).rejects.toThrow('gone')
})

test('a family that the table does not have names the region', () => {
  const wanted = scan({ columns: [{ family: bytes('g'), qualifiers: undefined }] })
  expect(() => readColumns(wanted, TABLE, bytes('t,,1.'))).toThrow(
    /^Column family g does not exist in region t,,1\./,
  )
})

test('keys of a range', () => {
  const range = { startKey: bytes('b'), endKey: bytes('m') }
  expect(ROWS.map(({ key }) => isInKeyRange(key, range))).toEqual([false, true, false, false])
  const open = { startKey: bytes(''), endKey: bytes('') }
  expect(ROWS.every(({ key }) => isInKeyRange(key, open))).toBe(true)
})
