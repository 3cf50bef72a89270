import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LruBlockCache } from '../../../../adapters/native/hfile/block-cache.ts'
import { openHFile } from '../../../../adapters/native/hfile/hfile.ts'
import type { HFileWriterOptions } from '../../../../adapters/native/hfile/hfile-writer.ts'
import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import { RowReader } from '../../../../adapters/native/read/row-reader.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import { type Get, get } from '../../../../src/model/query.ts'
import { allCells, inOrder, keyValue, NEWEST, open, type StoredCell, stored, writeFile } from './cells.ts'
import { MemoryFile } from './memory-file.ts'

/** Counts the bytes that are read. */
class CountedFile extends MemoryFile {
  bytesRead = 0

  override read(target: Buffer, offset: number, length: number, position: number): number {
    this.bytesRead += length
    return super.read(target, offset, length, position)
  }
}

const RULES = familyRules(familyDescriptor('f', [['VERSIONS', '3']]))

/** Reads rows as gets do. */
function getsOf(file: MemoryFile, cache: LruBlockCache): (query: Get, readPoint?: number) => unknown[] {
  const runs = [openHFile(file, { fileId: 1, blockCache: cache })]
  const reader = new RowReader(() => 0.5)
  return (query, readPoint = NEWEST) => {
    const target = new CellBlockBuilder()
    reader.read([{ rules: RULES, runs }], query, { readPoint, now: 1000 }, target)
    return [...cellsOf(target.block())]
  }
}

function counted({ bytes }: MemoryFile): CountedFile {
  return new CountedFile('/memory/file', bytes)
}

/** 300 KB of narrow rows, in blocks of 64 KB. */
const NARROW = Array.from({ length: 2000 }, (_, i) =>
  stored(keyValue(`row${String(i).padStart(5, '0')}`, 'q', 1n, CellType.Put, Buffer.alloc(100, i))),
)
const NARROW_ROWS = NARROW.map(({ keyValue: { buffer, byteOffset } }) =>
  Buffer.from(buffer, byteOffset + 10, 8),
)

/** Gets every row once, in an order in which neighbours stand far apart. */
function getAll(read: (query: Get) => unknown[]): void {
  for (let i = 0; i < NARROW.length; i++) {
    const at = (i * 769) % NARROW.length
    expect(read(get(NARROW_ROWS[at]!))).toHaveLength(1)
  }
}

test('gets over more data than the cache takes read pieces of blocks', () => {
  const file = counted(writeFile(NARROW))
  const cache = new LruBlockCache(150_000, true)
  const read = getsOf(file, cache)
  getAll(read)
  const { bytesRead } = file
  getAll(read)
  expect(file.bytesRead - bytesRead).toBeLessThanOrEqual(NARROW.length * 4096)
  expect(cache.area('outlines').count).toBeGreaterThan(1)
  // A named column, which the matcher reads.
  const before = file.bytesRead
  const columns = [{ family: Buffer.from('f'), qualifiers: [Buffer.from('q')] }]
  getAll((query) => read({ ...query, columns }))
  expect(file.bytesRead - before).toBeLessThanOrEqual(NARROW.length * 4096)
})

test('scans leave no outlines, and whole blocks take their place', () => {
  const cache = new LruBlockCache(150_000, true)
  const file = writeFile(NARROW)
  const hfile = open(file, cache)
  for (let i = 0; i < 3; i++) expect(allCells(hfile)).toHaveLength(NARROW.length)
  expect(cache.area('outlines').count).toBe(0)
  getAll(getsOf(file, cache))
  expect(cache.area('outlines').count).toBeGreaterThan(1)
  expect(allCells(hfile)).toHaveLength(NARROW.length)
  expect(cache.bytes).toBeLessThanOrEqual(150_000)
  hfile.close()
  expect([cache.bytes, cache.area('outlines').count]).toEqual([0, 0])
})

test('no flipped bit of a block whose outline is known is read', () => {
  const file = writeFile(NARROW)
  const sound = Buffer.from(file.bytes)
  const cache = new LruBlockCache(150_000, true)
  const read = getsOf(file, cache)
  const expected = NARROW_ROWS.map((row) => read(get(row)))
  fc.assert(
    fc.property(fc.nat(260_000), fc.nat(7), (at, bit) => {
      file.bytes[at]! ^= 1 << bit
      let damaged = 0
      for (let i = at % 7; i < NARROW.length; i += 7) {
        try {
          expect(read(get(NARROW_ROWS[i]!))).toEqual(expected[i])
        } catch (error) {
          if (!isHBaseError(error)) throw error
          expect(error.code).toBe('CORRUPTION')
          damaged++
        }
      }
      file.bytes[at] = sound[at]!
      return damaged < NARROW.length / 7
    }),
    { numRuns: 60 },
  )
  // The cell that the bit is of is found damaged, once its block has left the cache.
  file.bytes[33 + 200 * 132 + 60]! ^= 1
  getAllBut(read, 200)
  expect(() => read(get(NARROW_ROWS[200]!))).toThrow(/checksum/)
  file.bytes.set(sound)
  expect(read(get(NARROW_ROWS[200]!))).toEqual(expected[200])
})

/** Gets rows that are not near one of them. */
function getAllBut(read: (query: Get) => unknown[], row: number): void {
  for (let round = 0; round < 2; round++)
    for (let i = row + 400; i < NARROW.length; i += 3) read(get(NARROW_ROWS[i]!))
}

interface DrawnRow {
  readonly columns: number
  readonly versions: number
  readonly valueBytes: number
  readonly type: CellType
  readonly tagBytes: number
  /** Whether the next row begins with this one. */
  readonly isPrefix: boolean
}

const drawnRow: fc.Arbitrary<DrawnRow> = fc.record({
  columns: fc.constantFrom(1, 1, 2, 7, 60),
  versions: fc.constantFrom(1, 1, 1, 3),
  valueBytes: fc.constantFrom(0, 20, 100, 700, 5000),
  type: fc.constantFrom(
    CellType.Put,
    CellType.Put,
    CellType.Put,
    CellType.Delete,
    CellType.DeleteColumn,
    CellType.DeleteFamily,
  ),
  tagBytes: fc.constantFrom(0, 0, 0, 5),
  isPrefix: fc.boolean(),
})

function rowNames(drawn: readonly DrawnRow[]): Buffer[] {
  let name = 'r'
  return drawn.map(({ isPrefix }, i) => {
    name = isPrefix && name.length < 12 ? `${name}\0` : `r${String(i * 2).padStart(4, '0')}`
    return Buffer.from(name)
  })
}

function cellsOfRows(drawn: readonly DrawnRow[], rows: readonly Buffer[]): StoredCell[] {
  let id = 0
  const cells = drawn.flatMap(({ columns, versions, valueBytes, type, tagBytes }, i) =>
    Array.from({ length: columns * versions }, (_, j) => {
      const isMarker = type !== CellType.Put && j === 0
      const qualifier = isMarker && type === CellType.DeleteFamily ? '' : `q${j % columns}`
      const value = isMarker ? '' : Buffer.alloc(valueBytes, i)
      const time = BigInt(1 + Math.floor(j / columns))
      const cell = keyValue(rows[i]!, qualifier, time, isMarker ? type : CellType.Put, value)
      const tag = Buffer.alloc(tagBytes, 7)
      if (tagBytes > 0) tag.writeUInt16BE(tagBytes - 2)
      return stored(cell, ++id % 50, tag)
    }),
  )
  return inOrder(cells)
}

const layout: fc.Arbitrary<Partial<HFileWriterOptions>> = fc.record({
  blockBytes: fc.constantFrom(20_000, 65_536, 200_000),
  indexBlockBytes: fc.constantFrom(100, 131_072),
  bloomType: fc.constantFrom('NONE' as const, 'ROW' as const),
  includeTags: fc.constant(true),
})

const step = fc.record({
  row: fc.nat(),
  absent: fc.boolean(),
  named: fc.boolean(),
  maxVersions: fc.constantFrom(1, 3),
  cacheBlocks: fc.constantFrom(true, true, true, false),
  readPoint: fc.constantFrom(NEWEST, NEWEST, 25),
  scans: fc.integer({ min: 0, max: 30 }).map((of) => of === 0),
})

test('gets find the same with pieces as with blocks that were never evicted', () => {
  let outlines = 0
  fc.assert(
    fc.property(
      fc.array(drawnRow, { minLength: 30, maxLength: 90 }),
      layout,
      fc.array(step, { minLength: 40, maxLength: 150 }),
      (drawn, options, steps) => {
        const rows = rowNames(drawn)
        const file = writeFile(cellsOfRows(drawn, rows), options)
        const cache = new LruBlockCache(100_000, true)
        const [small, large] = [getsOf(file, cache), getsOf(file, new LruBlockCache(1 << 28))]
        const scanned = open(file, cache)
        for (const { row, absent, named, maxVersions, cacheBlocks, readPoint, scans } of steps) {
          if (scans) allCells(scanned)
          const known = rows[row % rows.length]!
          const wanted = absent ? Buffer.concat([known, Buffer.of(row & 1)]) : known
          const query = get(wanted, {
            maxVersions,
            cacheBlocks,
            columns: named
              ? [{ family: Buffer.from('f'), qualifiers: [Buffer.from('q0'), Buffer.from('q5')] }]
              : [],
          })
          expect(small(query, readPoint)).toEqual(large(query, readPoint))
        }
        outlines += cache.area('outlines').count
      },
    ),
    { numRuns: 25 },
  )
  expect(outlines).toBeGreaterThan(25)
})
