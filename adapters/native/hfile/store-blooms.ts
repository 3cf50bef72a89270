import { EMPTY, equalRange } from '../../../src/model/bytes.ts'
import {
  CellType,
  cellType,
  familyLengthOffset,
  rowLength,
  timestampOffset,
} from '../../../src/model/cell.ts'
import type { BloomType } from '../../../src/model/descriptor.ts'
import { BlockType } from './block-type.ts'
import type { BlockWriter } from './block-writer.ts'
import { columnKeyBytes, writeColumnKey } from './bloom-key.ts'
import { BloomWriter } from './bloom-writer.ts'
import { type FileInfo, InfoKey } from './file-info.ts'

/** The last key added to a filter. Cells come in order, so a comparison with it keeps keys unique. */
class LastKey {
  buffer: Buffer = Buffer.allocUnsafe(64)
  /** -1: none yet. */
  bytes = -1

  take(key: Buffer, offset: number, bytes: number): boolean {
    if (this.bytes >= 0 && equalRange(key, offset, bytes, this.buffer, 0, this.bytes)) return false
    if (bytes > this.buffer.length) this.buffer = Buffer.allocUnsafe(bytes * 2)
    key.copy(this.buffer, 0, offset, offset + bytes)
    this.bytes = bytes
    return true
  }
}

/**
 * A store file's filters: the general one by the family's BLOOMFILTER, and one of the rows that have a tombstone of the
 * whole family. A file with a ROWCOL filter needs only that: it has such tombstones under their empty qualifier.
 */
export class StoreBlooms {
  readonly #type: BloomType
  readonly #general: BloomWriter | undefined
  readonly #deleteFamily: BloomWriter | undefined
  readonly #lastKey = new LastKey()
  readonly #lastDeleteRow = new LastKey()
  #columnKey: Buffer = EMPTY

  constructor(type: BloomType, blocks: BlockWriter) {
    this.#type = type
    this.#general = type === 'NONE' ? undefined : new BloomWriter(type, blocks)
    this.#deleteFamily = type === 'ROWCOL' ? undefined : new BloomWriter('ROW', blocks)
  }

  add(buffer: Buffer, cell: number): void {
    const row = cell + 10
    const rowBytes = rowLength(buffer, cell)
    if (this.#type === 'ROW' && this.#lastKey.take(buffer, row, rowBytes)) {
      this.#general?.add(buffer, row, rowBytes)
    } else if (this.#type === 'ROWCOL') {
      const bytes = this.#writeColumnKey(buffer, cell, rowBytes)
      if (this.#lastKey.take(this.#columnKey, 0, bytes)) this.#general?.add(this.#columnKey, 0, bytes)
    }
    if (this.#deleteFamily === undefined) return
    const type = cellType(buffer, cell)
    if (type !== CellType.DeleteFamily && type !== CellType.DeleteFamilyVersion) return
    if (this.#lastDeleteRow.take(buffer, row, rowBytes)) this.#deleteFamily.add(buffer, row, rowBytes)
  }

  #writeColumnKey(buffer: Buffer, cell: number, rowBytes: number): number {
    const family = familyLengthOffset(buffer, cell)
    const qualifier = family + 1 + buffer[family]!
    const qualifierBytes = timestampOffset(buffer, cell) - qualifier
    const bytes = columnKeyBytes(rowBytes, qualifierBytes)
    if (bytes > this.#columnKey.length) this.#columnKey = Buffer.allocUnsafe(bytes * 2)
    return writeColumnKey(this.#columnKey, buffer, cell + 10, rowBytes, buffer, qualifier, qualifierBytes)
  }

  writeFullChunks(): void {
    this.#general?.writeFullChunks()
    this.#deleteFamily?.writeFullChunks()
  }

  finishChunks(): void {
    this.#general?.finishChunks()
    this.#deleteFamily?.finishChunks()
  }

  describe(info: FileInfo): void {
    if (this.#general === undefined || this.#general.keyCount === 0) return
    info.set(InfoKey.BloomFilterType, Buffer.from(this.#type))
    info.set(InfoKey.LastBloomKey, Buffer.from(this.#lastKey.buffer.subarray(0, this.#lastKey.bytes)))
  }

  writeMetas(): void {
    if (this.#general !== undefined && this.#general.keyCount > 0) {
      this.#general.writeMeta(BlockType.GeneralBloomMeta)
    }
    if (this.#deleteFamily !== undefined && this.#deleteFamily.keyCount > 0) {
      this.#deleteFamily.writeMeta(BlockType.DeleteFamilyBloomMeta)
    }
  }
}
