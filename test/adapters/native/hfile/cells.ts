import fc from 'fast-check'
import type { CellIterator } from '../../../../adapters/native/cells/cell-run.ts'
import type { BlockCache } from '../../../../adapters/native/hfile/block-cache.ts'
import { LruBlockCache } from '../../../../adapters/native/hfile/block-cache.ts'
import { BLOCK_CODECS } from '../../../../adapters/native/hfile/compression.ts'
import { BLOCK_ENCODINGS } from '../../../../adapters/native/hfile/encoding/encodings.ts'
import { type HFile, openHFile } from '../../../../adapters/native/hfile/hfile.ts'
import { HFileWriter, type HFileWriterOptions } from '../../../../adapters/native/hfile/hfile-writer.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { CellType, cellBytes, compareCells, writeCell } from '../../../../src/model/cell.ts'
import { timestampHigh, timestampLow } from '../../../../src/model/timestamp.ts'
import { MemoryFile } from './memory-file.ts'

/** A cell of a store file: its KeyValue with sequence id and tags. */
export interface StoredCell {
  readonly keyValue: Buffer
  readonly sequenceId: number
  readonly tags: Buffer
}

export const NEWEST: number = Number.MAX_SAFE_INTEGER

export function keyValue(
  row: string | Buffer,
  qualifier: string | Buffer = 'q',
  timestamp = 1n,
  type: number = CellType.Put,
  value: string | Buffer = 'value',
): Buffer {
  const [rowBytes, qualifierBytes, valueBytes] = [row, qualifier, value].map(bytesOf) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  const family = Buffer.from('f')
  const bytes = Buffer.alloc(
    cellBytes(rowBytes.length, family.length, qualifierBytes.length, valueBytes.length),
  )
  const [high, low] = [timestampHigh(timestamp), timestampLow(timestamp)]
  writeCell(bytes, 0, rowBytes, family, qualifierBytes, high, low, type, valueBytes)
  return bytes
}

export function stored(keyValue: Buffer, sequenceId = 1, tags: Buffer = EMPTY): StoredCell {
  return { keyValue, sequenceId, tags }
}

/** The order of a run: by key, and of equal keys the greater sequence id first. */
export function inOrder(cells: readonly StoredCell[]): StoredCell[] {
  return [...cells].sort((a, b) => compareCells(a.keyValue, 0, b.keyValue, 0) || b.sequenceId - a.sequenceId)
}

export function writeFile(
  cells: readonly StoredCell[],
  options: Partial<HFileWriterOptions> = {},
): MemoryFile {
  const file = new MemoryFile()
  const writer = new HFileWriter(file, { createTime: 1_700_000_000_000, ...options })
  for (const { keyValue, sequenceId, tags } of cells) {
    const buffer = Buffer.concat([keyValue, tags])
    writer.append(buffer, 0, sequenceId, keyValue.length, tags.length)
  }
  const maxSequenceId = cells.reduce((max, { sequenceId }) => Math.max(max, sequenceId), 0)
  writer.finish({ maxSequenceId, majorCompaction: false })
  return file
}

export function open(file: MemoryFile, blockCache: BlockCache = new LruBlockCache()): HFile {
  return openHFile(file, { fileId: 1, blockCache })
}

/** The cell where an iterator stands, copied. */
export function present(at: CellIterator): StoredCell {
  return {
    keyValue: Buffer.from(at.buffer.subarray(at.cell, at.cell + at.cellBytes)),
    sequenceId: at.sequenceId,
    tags: Buffer.from(at.buffer.subarray(at.tags, at.tags + at.tagsBytes)),
  }
}

/** A cell as text: comparing texts is much faster than comparing objects of Buffers. */
export function text(cell: StoredCell | undefined): string | undefined {
  return cell && `${cell.keyValue.toString('hex')} ${cell.sequenceId} ${cell.tags.toString('hex')}`
}

/** The cell where an iterator stands as text; undefined where it is not valid. */
export function presentText(at: CellIterator): string | undefined {
  return at.valid ? text(present(at)) : undefined
}

/** All cells from where an iterator stands. */
export function rest(at: CellIterator): StoredCell[] {
  const cells: StoredCell[] = []
  for (; at.valid; at.next()) cells.push(present(at))
  return cells
}

export function allCells(hfile: HFile, readPoint: number = NEWEST): StoredCell[] {
  const at = hfile.iterator(readPoint)
  at.seekToFirst()
  return rest(at)
}

function bytesOf(text: string | Buffer): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : text
}

const EXTREMES = [0n, 1n, -1n, 9007199254740993n, 2n ** 63n - 1n, -(2n ** 63n), 1579132800000000000n]
const TYPES = [
  CellType.Put,
  CellType.Delete,
  CellType.DeleteFamilyVersion,
  CellType.DeleteColumn,
  CellType.DeleteFamily,
]

/** Few different bytes, so that rows share prefixes and are prefixes of one another. */
export const rows: fc.Arbitrary<Buffer> = fc
  .array(fc.constantFrom(0x00, 0x01, 0x61, 0x62, 0x7f, 0x80, 0xfe, 0xff), { minLength: 1, maxLength: 9 })
  .map((bytes) => Buffer.from(bytes))

const qualifiers = fc.oneof(
  fc.constant(EMPTY),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
)
const values = fc.oneof(
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(0, 1, 700, 5000).map((bytes) => Buffer.alloc(bytes, 0x76)),
)
export const timestamps: fc.Arbitrary<bigint> = fc.oneof(
  fc.constantFrom(...EXTREMES),
  fc.bigInt({ min: -5n, max: 5n }),
)

const keyValues = fc
  .tuple(rows, qualifiers, timestamps, fc.constantFrom(...TYPES), values)
  .map(([row, qualifier, timestamp, type, value]) => keyValue(row, qualifier, timestamp, type, value))

const sequenceIds = fc.oneof(
  fc.nat(3),
  fc.constantFrom(127, 128, 255, 256, 65535, 2 ** 31, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER),
)

/** A tag: `length i16 | type i8 | value`. */
function tag(type: number, value: Uint8Array): Buffer {
  return Buffer.from([(value.length + 1) >>> 8, (value.length + 1) & 0xff, type, ...value])
}

/** Few different values, so that tags come again; now and then a large one, and an empty one without even a type. */
const someTag = fc.oneof(
  fc
    .tuple(fc.constantFrom(1, 8, 255), fc.uint8Array({ maxLength: 1, max: 3 }))
    .map(([type, value]) => tag(type, value)),
  fc.constantFrom(tag(8, new Uint8Array(700)), Buffer.alloc(2)),
)

const someTags = fc.oneof(
  fc.constant(EMPTY),
  fc.array(someTag, { maxLength: 3 }).map((tags) => Buffer.concat(tags)),
)

/** Cells in order; with the same key only under different sequence ids. */
export const sortedCells: fc.Arbitrary<StoredCell[]> = fc
  .array(
    fc
      .tuple(keyValues, sequenceIds, someTags)
      .map(([keyValue, sequenceId, tags]) => ({ keyValue, sequenceId, tags })),
    { maxLength: 80 },
  )
  .map(inOrder)

/** Files with one level of index and with several, with and without a filter and compression. */
export const layouts: fc.Arbitrary<Partial<HFileWriterOptions>> = fc.record({
  blockBytes: fc.constantFrom(1, 100, 1000, 65536),
  indexBlockBytes: fc.constantFrom(64, 400, 131072),
  bloomType: fc.constantFrom('NONE', 'ROW', 'ROWCOL'),
  codec: fc.constantFrom(...BLOCK_CODECS),
  encoding: fc.constantFrom(undefined, ...BLOCK_ENCODINGS),
  compressTags: fc.boolean(),
})
