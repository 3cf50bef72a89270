import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BloomHash } from '../../../../adapters/native/cells/bloom-hash.ts'
import { SeekKey } from '../../../../adapters/native/cells/seek-key.ts'
import { LruBlockCache } from '../../../../adapters/native/hfile/block-cache.ts'
import type { HFile } from '../../../../adapters/native/hfile/hfile.ts'
import { findPlace, NO_PLACE, placeRows } from '../../../../adapters/native/hfile/row-places.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { ViewedBytes } from '../../../../src/model/viewed-bytes.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { allCells, inOrder, keyValue, NEWEST, open, present, stored, text, writeFile } from './cells.ts'

/** Few different bytes, so that rows are often the beginning of others. */
const row = fc
  .array(fc.constantFrom(0, 1, 0x61, 0x62, 0xff), { minLength: 1, maxLength: 4 })
  .map((bytes) => Buffer.from(bytes))

function hashOf(bytes: Buffer): number {
  return new BloomHash().setFirst(bytes, 0, bytes.length)
}

/** A cell of each row, in memory. */
function cellsOfRows(rows: readonly Buffer[]): { cells: Int32Array; bytes: ViewedBytes } {
  const keyValues = rows.map((name) => keyValue(name, 'q', 1n, CellType.Put, ''))
  const cells = Int32Array.from({ length: rows.length + 1 }, (_, i) => i * keyValues[0]!.length)
  return { cells, bytes: new ViewedBytes(Buffer.concat(keyValues)) }
}

/** The first cell of the row, as a get finds it. */
function found(file: HFile, wanted: Buffer, readPoint: number): string | undefined {
  const first = new SeekKey()
  first.firstOfRow(wanted)
  const at = file.findRow(wanted, first, new BloomHash(), readPoint, true)
  if (at === undefined) return undefined
  const cell = text(present(at))
  at.close()
  return cell
}

test('a row is found where a walk comes to it first, once its blocks are in memory, too', () => {
  const layout = fc.record({
    blockBytes: fc.constantFrom(1, 60, 200, 65536),
    indexBlockBytes: fc.constantFrom(60, 200, 131_072),
    bloomType: fc.constantFrom('NONE' as const, 'ROW' as const),
    cacheBytes: fc.constantFrom(0, 5000, 1 << 20),
  })
  const cell = fc.tuple(row, fc.constantFrom('', 'a', 'b'), fc.bigInt(1n, 3n), fc.integer({ min: 1, max: 3 }))
  const cells = fc.array(cell, { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(layout, cells, fc.array(row, { maxLength: 10 }), (options, some, others) => {
      const bytes = writeFile(
        inOrder(some.map(([of, qualifier, time, id]) => stored(keyValue(of, qualifier, time), id))),
        options,
      )
      const file = open(bytes, new LruBlockCache(options.cacheBytes))
      const wanted = [...some.map(([of]) => of), ...others]
      for (const readPoint of [NEWEST, 1]) {
        const walked = allCells(file, readPoint)
        for (let round = 0; round < 4; round++) {
          for (const each of wanted) {
            const expected = walked.find(({ keyValue: at }) =>
              at.subarray(10, 10 + at.readUInt16BE(8)).equals(each),
            )
            expect(found(file, each, readPoint)).toBe(text(expected))
          }
        }
      }
    }),
    { numRuns: testRuns(300) },
  )
})

test('a file that lacks most rows that gets ask for, and then has them', () => {
  const cells = Array.from({ length: 500 }, (_, i) => stored(keyValue(`row${1000 + 2 * i}`)))
  const file = open(writeFile(cells, { blockBytes: 1000 }))
  for (let round = 0; round < 3; round++) {
    for (let i = 1; i < 999; i += 2)
      expect(found(file, Buffer.from(`row${1000 + i}`), NEWEST)).toBeUndefined()
    for (const [i, cell] of cells.entries())
      expect(found(file, Buffer.from(`row${1000 + 2 * i}`), NEWEST)).toBe(text(cell))
  }
})

test('rows whose hashes have the same halves are told apart, and too many of them have no places', () => {
  const names = Array.from({ length: 60_000 }, (_, i) => Buffer.from(`r${String(i).padStart(6, '0')}`))
  const [first] = names
  // The slot comes of the upper half: rows with one upper half are put side by side.
  const alike = names.filter((name) => hashOf(name) >>> 24 === hashOf(first!) >>> 24)
  expect(alike.length).toBeGreaterThan(100)
  const few = alike.slice(0, 20)
  const { cells, bytes } = cellsOfRows(few)
  const placed = placeRows(cells, few.length, bytes.view, bytes.buffer)!
  for (const [i, name] of few.entries())
    expect(findPlace(placed, few.length, bytes.view, name, hashOf(name))).toBe(i)
  for (const name of alike.slice(20, 100))
    expect(findPlace(placed, few.length, bytes.view, name, hashOf(name))).toBe(NO_PLACE)
  const many = cellsOfRows(alike.slice(0, 100))
  expect(placeRows(many.cells, 100, many.bytes.view, many.bytes.buffer)).toBeUndefined()
})
