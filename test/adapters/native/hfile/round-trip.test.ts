import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LruBlockCache } from '../../../../adapters/native/hfile/block-cache.ts'
import { GZ_COMPRESSION } from '../../../../adapters/native/hfile/compression.ts'
import { HFileWriter } from '../../../../adapters/native/hfile/hfile-writer.ts'
import { compareKeys } from '../../../../adapters/native/hfile/key-order.ts'
import { compareBytes, EMPTY } from '../../../../src/model/bytes.ts'
import { CellType, compareCells } from '../../../../src/model/cell.ts'
import { TimeRange } from '../../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../../src/model/timestamp.ts'
import {
  allCells,
  inOrder,
  keyValue,
  layouts,
  NEWEST,
  open,
  presentText,
  rest,
  rows,
  sortedCells,
  stored,
  text,
  writeFile,
} from './cells.ts'
import { MemoryFile } from './memory-file.ts'

function rowOf(cell: Buffer): Buffer {
  return cell.subarray(10, 10 + cell.readUInt16BE(8))
}

describe('round trip', () => {
  test('every cell comes back with its sequence id and tags, whatever the layout', () => {
    fc.assert(
      fc.property(sortedCells, layouts, fc.boolean(), (cells, layout, gz) => {
        const codec = gz ? { codec: GZ_COMPRESSION } : {}
        const hfile = open(writeFile(cells, { ...layout, ...codec, includeTags: true }))
        expect(allCells(hfile).map(text)).toEqual(cells.map(text))
        expect(hfile.entryCount).toBe(cells.length)
      }),
      { numRuns: 30 },
    )
  })

  test('a read point hides later cells, forwards and backwards', () => {
    fc.assert(
      fc.property(
        sortedCells,
        layouts,
        fc.constantFrom(0, 1, 127, 65535),
        rows,
        (cells, layout, readPoint, row) => {
          const hfile = open(writeFile(cells, { ...layout, includeTags: true }))
          const visible = cells.filter(({ sequenceId }) => sequenceId <= readPoint)
          expect(allCells(hfile, readPoint).map(text)).toEqual(visible.map(text))
          const at = hfile.iterator(readPoint)
          at.seekBeforeRow(row)
          const before = visible.filter(({ keyValue }) => compareBytes(rowOf(keyValue), row) < 0)
          expect(presentText(at)).toBe(text(before.at(-1)))
        },
      ),
      { numRuns: 30 },
    )
  })

  test('seek finds what a search of the sorted cells finds, from anywhere', () => {
    fc.assert(
      fc.property(sortedCells, layouts, fc.array(sortedCells, { maxLength: 3 }), (cells, layout, probes) => {
        const hfile = open(writeFile(cells, { ...layout, includeTags: true }))
        const at = hfile.iterator(NEWEST)
        for (const { keyValue: probe } of [...probes.flat(), ...cells]) {
          at.seek(probe, 0)
          const expected = cells.findIndex(({ keyValue }) => compareCells(keyValue, 0, probe, 0) >= 0)
          expect(presentText(at)).toBe(expected < 0 ? undefined : text(cells[expected]))
          if (at.valid) at.next()
          expect(presentText(at)).toBe(expected < 0 ? undefined : text(cells[expected + 1]))
        }
      }),
      { numRuns: 20 },
    )
  })

  test('the row before any row is found, and the last one for no row', () => {
    fc.assert(
      fc.property(sortedCells, layouts, fc.array(rows), (cells, layout, probes) => {
        const hfile = open(writeFile(cells, { ...layout, includeTags: true }))
        const at = hfile.iterator(NEWEST)
        for (const row of [EMPTY, ...probes, ...cells.map(({ keyValue }) => rowOf(keyValue))]) {
          at.seekBeforeRow(row)
          const before = cells.filter(
            ({ keyValue }) => row.length === 0 || compareBytes(rowOf(keyValue), row) < 0,
          )
          expect(presentText(at)).toBe(text(before.at(-1)))
        }
      }),
      { numRuns: 20 },
    )
  })

  test('no filter and no range denies what is there', () => {
    fc.assert(
      fc.property(sortedCells, layouts, (cells, layout) => {
        const hfile = open(writeFile(cells, { ...layout, includeTags: true }))
        for (const { keyValue } of cells) {
          const row = rowOf(keyValue)
          const qualifier = keyValue.subarray(12 + row.length, 8 + keyValue.readInt32BE(0) - 9)
          expect(hfile.mayHaveRow(row)).toBe(true)
          expect(hfile.mayHaveRows(row, row)).toBe(true)
          expect(hfile.mayHaveColumn(row, Buffer.from(qualifier))).toBe(true)
          const type = keyValue[8 + keyValue.readInt32BE(0) - 1]
          if (type === CellType.DeleteFamily) expect(hfile.mayHaveFamilyDelete(row)).toBe(true)
          const timestamp = keyValue.readBigInt64BE(8 + keyValue.readInt32BE(0) - 9)
          // A range excludes its end, so only the range of all times has the last timestamp.
          if (timestamp >= 0n && timestamp < LATEST_TIMESTAMP)
            expect(hfile.mayHaveTimes(TimeRange.at(timestamp))).toBe(true)
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('pruning', () => {
  const cells = Array.from({ length: 2000 }, (_, i) =>
    stored(keyValue(`row${String(i * 2).padStart(5, '0')}`)),
  )

  test('a ROW filter denies most rows that are not there', () => {
    const hfile = open(writeFile(cells))
    let wrong = 0
    for (let i = 0; i < 2000; i++) {
      if (hfile.mayHaveRow(Buffer.from(`row${String(i * 2 + 1).padStart(5, '0')}`))) wrong++
    }
    expect(wrong).toBeLessThan(2000 * 0.03)
  })

  test('a ROWCOL filter denies most columns that are not there, but never a row', () => {
    const hfile = open(writeFile(cells, { bloomType: 'ROWCOL' }))
    let wrong = 0
    for (let i = 0; i < 2000; i++) {
      const row = Buffer.from(`row${String(i * 2).padStart(5, '0')}`)
      if (hfile.mayHaveColumn(row, Buffer.from('other'))) wrong++
      expect(hfile.mayHaveRow(row)).toBe(true)
    }
    expect(wrong).toBeLessThan(2000 * 0.03)
  })

  test('a tombstone of the family counts for every column and for old times', () => {
    const tombstone = [stored(keyValue('row', '', 500n, CellType.DeleteFamily, ''))]
    const hfile = open(writeFile(tombstone, { bloomType: 'ROWCOL' }))
    expect(hfile.mayHaveColumn(Buffer.from('row'), Buffer.from('any'))).toBe(true)
    expect(hfile.mayHaveTimes(TimeRange.between(0n, 10n))).toBe(true)
    expect(hfile.mayHaveTimes(TimeRange.between(501n, 600n))).toBe(false)
    expect(hfile.deleteFamilyCount).toBe(1)
    const rowFilter = open(writeFile([...tombstone, stored(keyValue('row2'))]))
    expect(rowFilter.mayHaveFamilyDelete(Buffer.from('row'))).toBe(true)
    expect(rowFilter.mayHaveFamilyDelete(Buffer.from('row2'))).toBe(false)
  })

  test('a tombstone of a column counts for old times, one of a version does not', () => {
    const { Put, Delete, DeleteFamilyVersion, DeleteColumn, DeleteFamily } = CellType
    const counting = [Put, Delete, DeleteFamilyVersion, DeleteColumn, DeleteFamily].filter((type) =>
      open(writeFile([stored(keyValue('row', 'q', 500n, type, ''))])).mayHaveTimes(
        TimeRange.between(0n, 10n),
      ),
    )
    expect(counting).toEqual([DeleteColumn, DeleteFamily])
  })

  test('times outside the cells are denied, to the nanosecond', () => {
    const timestamp = 9007199254740993n
    const hfile = open(writeFile([stored(keyValue('row', 'q', timestamp))]))
    expect(hfile.mayHaveTimes(TimeRange.at(timestamp))).toBe(true)
    expect(hfile.mayHaveTimes(TimeRange.at(timestamp - 1n))).toBe(false)
    expect(hfile.mayHaveTimes(TimeRange.at(timestamp + 1n))).toBe(false)
    expect(hfile.mayHaveTimes(TimeRange.ALL)).toBe(true)
  })

  test('rows outside the file are denied', () => {
    const hfile = open(writeFile([stored(keyValue('b')), stored(keyValue('d'))], { bloomType: 'NONE' }))
    const has = (start: string, stop: string): boolean =>
      hfile.mayHaveRows(Buffer.from(start), Buffer.from(stop))
    expect([has('', ''), has('', 'a'), has('', 'b'), has('d', ''), has('e', ''), has('c', 'c')]).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
    ])
    expect(hfile.mayHaveRow(Buffer.from('a'))).toBe(false)
    expect(hfile.mayHaveRow(Buffer.from('c'))).toBe(true)
  })
})

describe('writer', () => {
  test('refuses cells out of order and tags it cannot carry', () => {
    const writer = new HFileWriter(new MemoryFile(), { createTime: 0 })
    writer.append(keyValue('b'), 0, 1)
    expect(() => writer.append(keyValue('a'), 0, 1)).toThrow('sorts before')
    expect(() => writer.append(keyValue('c'), 0, 1, 0, 4)).toThrow('4 bytes of tags')
  })

  test('appends once a block and says so', () => {
    const file = new MemoryFile()
    const writer = new HFileWriter(file, { createTime: 0, blockBytes: 1000, bloomType: 'NONE' })
    let told = 0
    for (let i = 0; i < 500; i++) {
      if (writer.append(keyValue(`row${String(i).padStart(4, '0')}`), 0, 1)) told++
    }
    expect(told).toBeGreaterThan(10)
    expect(file.appends).toBe(told)
    expect(writer.fileBytes).toBe(file.size())
  })

  test('cells of one key are never parted', () => {
    const versions = Array.from({ length: 300 }, (_, i) => stored(keyValue('row', 'q', 1n), 300 - i))
    const cells = inOrder([stored(keyValue('a')), ...versions, stored(keyValue('z'))])
    const hfile = open(writeFile(cells, { blockBytes: 200 }))
    expect(allCells(hfile)).toEqual(cells)
    const at = hfile.iterator(NEWEST)
    at.seek(keyValue('row', 'q', 1n), 0)
    expect(at.sequenceId).toBe(300)
    expect(rest(at)).toHaveLength(301)
  })

  test('a file without cells has none, and an iterator that ended stays so', () => {
    const empty = open(writeFile([]))
    const at = empty.iterator(NEWEST)
    at.seekToFirst()
    expect(at.valid).toBe(false)
    at.seek(keyValue('row'), 0)
    at.seekBeforeRow(EMPTY)
    expect([at.valid, empty.mayHaveRow(Buffer.from('row')), empty.mayHaveRows(EMPTY, EMPTY)]).toEqual([
      false,
      false,
      false,
    ])
    expect(empty.middleKey()).toBeUndefined()
    const one = open(writeFile([stored(keyValue('row'))])).iterator(NEWEST)
    one.seekToFirst()
    one.next()
    one.next()
    expect(one.valid).toBe(false)
    one.seekToFirst()
    expect(one.valid).toBe(true)
  })

  test('the middle key parts the data about evenly', () => {
    const cells = Array.from({ length: 1000 }, (_, i) => stored(keyValue(`row${String(i).padStart(4, '0')}`)))
    for (const indexBlockBytes of [200, 131072]) {
      const middle = open(writeFile(cells, { blockBytes: 500, indexBlockBytes })).middleKey()!
      const half = cells.filter(
        ({ keyValue }) => compareKeys(keyValue, 8, keyValue.readInt32BE(0), middle, 0, middle.length) < 0,
      )
      expect(half.length).toBeGreaterThan(250)
      expect(half.length).toBeLessThan(750)
    }
  })
})

describe('block cache', () => {
  test('blocks are read once, and past the cache where a scan asks for it', () => {
    const cells = Array.from({ length: 300 }, (_, i) => stored(keyValue(`row${String(i).padStart(4, '0')}`)))
    const file = writeFile(cells, { blockBytes: 500 })
    const cache = new LruBlockCache()
    const hfile = open(file, cache)
    const at = hfile.iterator(NEWEST, false)
    at.seekToFirst()
    expect(rest(at)).toHaveLength(300)
    expect(cache.count).toBe(0)
    allCells(hfile)
    const { count } = cache
    expect(count).toBeGreaterThan(10)
    const { misses } = cache
    expect(allCells(hfile)).toHaveLength(300)
    expect([cache.count, cache.misses]).toEqual([count, misses])
    hfile.close()
    expect(cache.count).toBe(0)
  })

  test('a budget too small for a block changes nothing but speed', () => {
    const cells = Array.from({ length: 300 }, (_, i) => stored(keyValue(`row${String(i).padStart(4, '0')}`)))
    const hfile = open(writeFile(cells, { blockBytes: 500, indexBlockBytes: 200 }), new LruBlockCache(10))
    expect(allCells(hfile)).toEqual(cells)
  })
})
