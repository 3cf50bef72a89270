import { EMPTY } from '../../../src/model/bytes.ts'
import type { BloomHash } from '../cells/bloom-hash.ts'
import type { CellIterator } from '../cells/cell-run.ts'
import type { ReadableFile } from '../platform/file-system.ts'
import { BoundedIterator, boundsOverlap, isWithinBounds, type RowBounds } from './bounded-iterator.ts'
import { HFile, type HFileOptions, openHFile } from './hfile.ts'

/** A store file of which some rows count: the halves of a split region share their parent's files so, until a compaction. */
export class BoundedHFile extends HFile {
  /** HBase counts half a file as half its bytes, too. */
  override readonly fileBytes: number
  #rows: RowBounds = { from: EMPTY, to: EMPTY }

  /** Called by `open` only. */
  constructor(...parts: ConstructorParameters<typeof HFile>) {
    super(...parts)
    this.fileBytes = Math.ceil(parts[0].size() / 2)
  }

  override get uncompressedBytes(): number {
    return Math.ceil(super.uncompressedBytes / 2)
  }

  get rows(): RowBounds {
    return this.#rows
  }

  /** As openHFile. */
  static open(file: ReadableFile, options: HFileOptions, rows: RowBounds): BoundedHFile {
    const hfile = openHFile(file, options, BoundedHFile) as BoundedHFile
    hfile.#rows = rows
    return hfile
  }

  override mayHaveRow(row: Buffer, hash?: BloomHash): boolean {
    return isWithinBounds(this.#rows, row) && super.mayHaveRow(row, hash)
  }

  override mayHaveRows(start: Buffer, stop: Buffer): boolean {
    return boundsOverlap(this.#rows, start, stop) && super.mayHaveRows(start, stop)
  }

  override mayHaveFamilyDelete(row: Buffer): boolean {
    return isWithinBounds(this.#rows, row) && super.mayHaveFamilyDelete(row)
  }

  override iterator(readPoint: number, cacheBlocks = true): CellIterator {
    return new BoundedIterator(super.iterator(readPoint, cacheBlocks), this.#rows)
  }

  override pointIterator(readPoint: number, cacheBlocks = true): CellIterator {
    return new BoundedIterator(super.pointIterator(readPoint, cacheBlocks), this.#rows)
  }

  override findRow(...parts: Parameters<HFile['findRow']>): CellIterator | undefined {
    return isWithinBounds(this.#rows, parts[0]) ? super.findRow(...parts) : undefined
  }

  /** None: HBase splits no region that has halves of files. */
  override middleKey(): undefined {
    return undefined
  }
}
