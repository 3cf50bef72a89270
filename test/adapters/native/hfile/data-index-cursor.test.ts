import { expect, test } from 'vitest'
import { LruBlockCache } from '../../../../adapters/native/hfile/block-cache.ts'
import { BlockType } from '../../../../adapters/native/hfile/block-type.ts'
import { DataIndexCursor } from '../../../../adapters/native/hfile/data-index-cursor.ts'
import { IndexBlock } from '../../../../adapters/native/hfile/index-block.ts'
import { CELL_HEADER_BYTES, keyLength } from '../../../../src/model/cell.ts'
import { keyValue } from './cells.ts'

const PATH = '/memory/file'
const CACHE = new LruBlockCache()

/** An index block whose entries have the first keys of these rows, as they are: HBase once wrote no shorter ones. */
function indexOf(rows: readonly string[], levels: number): IndexBlock {
  const entries = rows.map((row, i) => {
    const key = keyValue(row, 'q', 1n, 4, '').subarray(CELL_HEADER_BYTES)
    const entry = Buffer.alloc(13)
    entry.writeBigInt64BE(BigInt(i * 100))
    entry.writeInt32BE(100, 8)
    entry[12] = key.length
    return Buffer.concat([entry, key])
  })
  const buffer = Buffer.concat(entries)
  const type = levels === 1 ? BlockType.RootIndex : BlockType.LeafIndex
  const raw = { type, offset: 0, onDiskBytes: 0, buffer, start: 0, end: buffer.length }
  const block = IndexBlock.parseRoot(raw, 0, rows.length, 0, PATH)
  block.useCellKeys(raw, PATH)
  return block
}

/** Where the cursor comes to for the first place of a row, and whether the row can only be there. */
function sought(cursor: DataIndexCursor, row: string): [number, boolean] {
  const key = keyValue(row, '', 2n ** 63n - 1n, 255, '')
  expect(cursor.seekInCache(key, CELL_HEADER_BYTES, keyLength(key, 0))).toBe(true)
  return [cursor.offset, cursor.isBeforeNext(Buffer.from(row))]
}

test('a row may begin with the next block, whose index key is its own or unknown', () => {
  const root = indexOf(['a', 'cc', 'e'], 1)
  const cursor = new DataIndexCursor(root, 1, () => root, 1, CACHE)
  expect(sought(cursor, 'b')).toEqual([0, true])
  expect(sought(cursor, 'c')).toEqual([0, true])
  expect(sought(cursor, 'cc')).toEqual([0, false])
  expect(sought(cursor, 'cca')).toEqual([100, true])
  expect(sought(cursor, 'f')).toEqual([200, true])
})

test('the first block of the next leaf is unknown', () => {
  const leaf = indexOf(['a', 'c'], 2)
  CACHE.put(1, 0, leaf)
  const key = keyValue('a')
  const cursor = new DataIndexCursor(indexOf(['a'], 1), 2, () => leaf, 1, CACHE)
  expect(cursor.seekInCache(key, CELL_HEADER_BYTES, keyLength(key, 0))).toBe(false)
  cursor.seek(key, CELL_HEADER_BYTES, keyLength(key, 0))
  expect(sought(cursor, 'b')).toEqual([0, true])
  expect(sought(cursor, 'd')).toEqual([100, false])
})
