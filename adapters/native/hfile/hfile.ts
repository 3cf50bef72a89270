/**
 * Reads a store file: an HFile of version 3, ours or HBase's. Opening reads the root index, the info and the places of the bloom filters.
 * Data, lower index levels and bloom chunks come through the block cache, synchronously. Each read from the file verifies their checksums.
 */

import { compareBytes, EMPTY, readInt32, toStringBinary } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { missingCodecAdvice } from '../../../src/model/family-checks.ts'
import type { TimeRange } from '../../../src/model/time-range.ts'
import { BloomHash } from '../cells/bloom-hash.ts'
import type { CellIterator } from '../cells/cell-run.ts'
import type { SeekKey } from '../cells/seek-key.ts'
import type { StoreRun } from '../cells/store-run.ts'
import type { ReadableFile } from '../platform/file-system.ts'
import type { BlockCache } from './block-cache.ts'
import { BlockReader, type FaultListener, type IsOver, type RawBlock } from './block-reader.ts'
import { BloomReader } from './bloom-reader.ts'
import { readLong } from './byte-output.ts'
import { type CachePolicy, USUAL_CACHE_POLICY } from './cache-policy.ts'
import { algorithmName, codecByOrdinal } from './compression.ts'
import { corruptFile } from './corruption.ts'
import type { CellLayout } from './data-block.ts'
import { DataBlockSource } from './data-block-source.ts'
import { DataIndexCursor } from './data-index-cursor.ts'
import { FileBlocks } from './file-blocks.ts'
import { type FileInfo, InfoKey } from './file-info.ts'
import { HFileIterator } from './hfile-iterator.ts'
import { IndexBlock } from './index-block.ts'
import { MIDDLE_ENTRY_BYTES } from './index-writer.ts'
import { keyFault } from './key-order.ts'
import { type OnOpen, readOnOpen } from './load-on-open.ts'
import { TimeRangeTracker } from './time-range-tracker.ts'
import { decodeTrailer, TRAILER_BYTES, type Trailer } from './trailer.ts'

/** No file has more levels of index. HBase: HFileBlockIndex has the same limit. */
const INDEX_LEVELS_MAX = 16

/** So many rows found or not found change what `findRow` asks first. */
const LACKED_ROWS_MAX = 8

export interface HFileOptions {
  /** Identifies this file's blocks in the cache; never used again for another file. */
  readonly fileId: number
  readonly blockCache: BlockCache
  readonly onFault?: FaultListener
  /** Asked for each block that is read from the file. Undefined: the usual one. */
  readonly cachePolicy?: () => CachePolicy
}

/** Throws CORRUPTION for a damaged HFile, IO for one with encryption or with an unknown encoding or compression. */
export function openHFile(file: ReadableFile, options: HFileOptions, Kind: typeof HFile = HFile): HFile {
  const size = file.size()
  const trailerOffset = size - TRAILER_BYTES
  if (trailerOffset < 0) throw corruptFile(file.path, 0, 'file size', `at least ${TRAILER_BYTES}`, size)
  const bytes = Buffer.alloc(TRAILER_BYTES)
  const read = file.read(bytes, 0, TRAILER_BYTES, trailerOffset)
  if (read !== TRAILER_BYTES) throw corruptFile(file.path, trailerOffset, 'trailer', TRAILER_BYTES, read)
  const trailer = decodeTrailer(bytes, file.path, trailerOffset)
  const codec = codecByOrdinal(trailer.codecOrdinal)
  if (codec === undefined) {
    const name = algorithmName(trailer.codecOrdinal)
    throw new HBaseError(
      'IO',
      `${file.path} is compressed by ${name}, for which there is no codec${missingCodecAdvice(name)}`,
    )
  }
  const blocks = new BlockReader(file, codec, trailerOffset, options.onFault)
  return new Kind(
    file,
    blocks,
    trailer,
    readOnOpen(file.path, blocks, trailer.loadOnOpenOffset, trailerOffset),
    options,
  )
}

export class HFile implements StoreRun {
  readonly path: string
  readonly fileId: number
  readonly info: FileInfo
  readonly trailer: Trailer
  readonly fileBytes: number
  readonly maxSequenceId: number
  /** The greatest sequence id of a cell; 0 once a compaction has cleared the ids. */
  readonly maxCellSequenceId: number
  readonly majorCompaction: boolean
  readonly deleteFamilyCount: number
  /** Rows outside [firstRow, lastRow] are not in the file; both are EMPTY in a file without cells. */
  readonly firstRow: Buffer
  readonly lastRow: Buffer
  readonly layout: CellLayout
  readonly #file: ReadableFile
  readonly #onFault: FaultListener | undefined
  readonly #cache: BlockCache
  readonly blocks: FileBlocks
  readonly #root: IndexBlock
  readonly #times: TimeRangeTracker | undefined
  readonly #rowBloom: BloomReader | undefined
  readonly #columnBloom: BloomReader | undefined
  readonly #deleteFamilyBloom: BloomReader | undefined
  #point: HFileIterator | undefined
  /**
   * Rows that `findRow` has not found of late, less those that it has. The bloom filter denies a row in less time than a block does, and takes
   * time in vain for the rows that there are.
   */
  #lackedRows = 0

  /** Called by openHFile only. */
  constructor(
    file: ReadableFile,
    blocks: BlockReader,
    trailer: Trailer,
    onOpen: OnOpen,
    options: HFileOptions,
  ) {
    const { info, root } = onOpen
    const { path } = file
    this.path = path
    this.fileId = options.fileId
    this.info = info
    this.trailer = trailer
    this.fileBytes = file.size()
    this.#file = file
    this.#onFault = options.onFault
    this.#cache = options.blockCache
    checkReadable(path, trailer)
    const rest = trailer.dataIndexLevels > 1 ? MIDDLE_ENTRY_BYTES : 0
    this.#root = IndexBlock.parseRoot(root, root.start, trailer.dataIndexCount, rest, path)
    this.#root.useCellKeys(root, path)
    this.maxSequenceId = info.getLong(InfoKey.MaxSequenceId) ?? 0
    this.maxCellSequenceId = info.getLong(InfoKey.MaxMemstoreTimestamp) ?? 0
    this.majorCompaction = info.getBoolean(InfoKey.MajorCompaction)
    this.deleteFamilyCount = info.getLong(InfoKey.DeleteFamilyCount) ?? 0
    const { fileId, blockCache, cachePolicy = (): CachePolicy => USUAL_CACHE_POLICY } = options
    const dataBlocks = new DataBlockSource(path, blocks, info, blockCache.frames)
    this.blocks = new FileBlocks(path, fileId, blocks, dataBlocks, blockCache, cachePolicy)
    this.layout = dataBlocks.layout
    this.#times = TimeRangeTracker.decode(info.get(InfoKey.TimeRange) ?? EMPTY)
    this.firstRow = this.#root.count === 0 ? EMPTY : rowOfIndexKey(this.#root.key(0))
    this.lastRow = this.#root.count === 0 ? EMPTY : lastRowOfFile(path, info)
    const type = info.get(InfoKey.BloomFilterType)?.toString('latin1')
    const open = (meta: RawBlock | undefined, form: 'ROW' | 'ROWCOL'): BloomReader | undefined =>
      meta === undefined ? undefined : BloomReader.open(meta, form, this.blocks.bloomChunk, path)
    this.#rowBloom = type === 'ROW' ? open(onOpen.generalBloom, 'ROW') : undefined
    this.#columnBloom = type === 'ROWCOL' ? open(onOpen.generalBloom, 'ROWCOL') : undefined
    this.#deleteFamilyBloom = open(onOpen.deleteFamilyBloom, 'ROW')
  }

  get hasTags(): boolean {
    return this.layout.tags
  }

  /** Memory of the index's root and of the places of bloom chunks, which an open file keeps outside of the block cache. */
  get keptBytes(): number {
    return this.#blooms.reduce((sum, { heapBytes }) => sum + heapBytes, this.#root.heapBytes)
  }

  /** Bytes of the index and of the bloom filters before compression, loaded or not. */
  get indexBytes(): number {
    return this.#blooms.reduce((sum, { chunkBytes }) => sum + chunkBytes, this.trailer.dataIndexBytes)
  }

  /** Memory of the index's root. */
  get rootIndexBytes(): number {
    return this.#root.heapBytes
  }

  /** Bytes of the family's bloom filter, in all its chunks. HBase: StoreFileReader.getTotalBloomSize, without the filter of deleted rows. */
  get bloomBytes(): number {
    return this.#rowBloom?.byteSize ?? this.#columnBloom?.byteSize ?? 0
  }

  /** Bytes of all blocks before compression, and of the trailer. */
  get uncompressedBytes(): number {
    return this.trailer.uncompressedBytes
  }

  get #blooms(): BloomReader[] {
    const blooms = [this.#rowBloom, this.#columnBloom, this.#deleteFamilyBloom]
    return blooms.filter((bloom) => bloom !== undefined)
  }

  get entryCount(): number {
    return this.trailer.entryCount
  }

  /** The same for no other file of a store, so that a file in the place of this one shows. */
  get identity(): string {
    const text = (name: string): string => toStringBinary(this.info.get(name) ?? EMPTY)
    const [region, family] = [text(InfoKey.Region), text(InfoKey.Family)]
    const { entryCount, uncompressedBytes } = this.trailer
    const id = this.info.get(InfoKey.FileId) === undefined ? '' : `file ${text(InfoKey.FileId)}: `
    return `${id}${entryCount} cells of ${region}/${family} up to ${this.maxSequenceId} in ${uncompressedBytes} bytes`
  }

  /** Reports a fault that another reader of the file has found. */
  tellFault(error: HBaseError, isOver: IsOver): void {
    this.#onFault?.(error, isOver)
  }

  /** Reads a byte of the file, whose opener reports a failure. */
  probe(offset: number): void {
    try {
      this.#file.read(Buffer.alloc(1), 0, 1, offset)
    } catch {
      // It is reported.
    }
  }

  mayHaveRow(row: Buffer, hash: BloomHash = new BloomHash()): boolean {
    return this.#coversRow(row) && this.bloomMayHaveRow(row, hash)
  }

  /** As mayHaveRow, for a row within the file's. */
  bloomMayHaveRow(row: Buffer, hash: BloomHash): boolean {
    return this.#rowBloom === undefined || this.#rowBloom.mayContainRow(row, hash)
  }

  mayHaveRows(start: Buffer, stop: Buffer): boolean {
    if (this.#root.count === 0) return false
    if (start.length > 0 && compareBytes(start, this.lastRow) > 0) return false
    return stop.length === 0 || compareBytes(stop, this.firstRow) >= 0
  }

  mayHaveTimes(range: TimeRange): boolean {
    return this.#times === undefined || this.#times.overlaps(range)
  }

  /** False where the file has neither a cell of the column nor a tombstone of the row's whole family. */
  mayHaveColumn(row: Buffer, qualifier: Buffer): boolean {
    if (!this.mayHaveRow(row)) return false
    return this.#columnBloom === undefined || this.#columnBloom.mayContainColumn(row, qualifier)
  }

  /** False where the file has no tombstone of the row's whole family. */
  mayHaveFamilyDelete(row: Buffer): boolean {
    if (this.deleteFamilyCount === 0 || !this.#coversRow(row)) return false
    return (
      this.#deleteFamilyBloom === undefined || this.#deleteFamilyBloom.mayContainRow(row, new BloomHash())
    )
  }

  /** Without `cacheBlocks`, data blocks read from the file stay out of the cache, as a long scan wants. */
  iterator(readPoint: number, cacheBlocks = true): CellIterator {
    return new HFileIterator(this, this.#indexCursor(), readPoint, cacheBlocks)
  }

  pointIterator(readPoint: number, cacheBlocks = true): CellIterator {
    return this.#pointAt(readPoint, cacheBlocks)
  }

  findRow(
    row: Buffer,
    first: SeekKey,
    hash: BloomHash,
    readPoint: number,
    cacheBlocks: boolean,
  ): CellIterator | undefined {
    if (!this.#coversRow(row)) return undefined
    const point = this.#pointAt(readPoint, cacheBlocks)
    let isFound = false
    try {
      isFound = point.seekRow(row, first.buffer, hash, this.#lackedRows > 0)
    } finally {
      if (!isFound) point.close()
    }
    this.#lackedRows = isFound
      ? Math.max(this.#lackedRows - 1, -LACKED_ROWS_MAX)
      : Math.min(this.#lackedRows + 1, LACKED_ROWS_MAX)
    return isFound ? point : undefined
  }

  #pointAt(readPoint: number, cacheBlocks: boolean): HFileIterator {
    this.#point ??= new HFileIterator(this, this.#indexCursor(), readPoint, cacheBlocks, true)
    this.#point.readAt(readPoint, cacheBlocks)
    return this.#point
  }

  /** The key of the middle data block, at which a region may be split; undefined in a file without cells. */
  middleKey(): Buffer | undefined {
    const root = this.#root
    if (root.count === 0) return undefined
    if (this.trailer.dataIndexLevels === 1) return Buffer.from(root.key(root.count >>> 1))
    const { buffer } = root
    const at = root.keyEnds[root.count - 1]!
    const leaf = this.blocks.index(readLong(buffer, at), readInt32(buffer, at + 8), true)
    const entry = readInt32(buffer, at + 12)
    if (entry < 0 || entry >= leaf.count) {
      throw corruptFile(
        this.path,
        this.trailer.loadOnOpenOffset,
        'middle index entry',
        `0 to ${leaf.count - 1}`,
        entry,
      )
    }
    return Buffer.from(leaf.key(entry))
  }

  /**
   * The rows of the data block that a byte of the file belongs to: its first, and the next block's first or the least row behind the
   * file's; undefined outside of all data blocks.
   */
  rowsAt(offset: number): { readonly from: Buffer; readonly to: Buffer } | undefined {
    if (this.#root.count === 0) return undefined
    const cursor = this.#indexCursor()
    cursor.first()
    let hasBlock = true
    while (hasBlock) {
      const isHere = offset >= cursor.offset && offset < cursor.offset + cursor.onDiskBytes
      const from = isHere ? Buffer.from(cursor.row) : undefined
      hasBlock = cursor.next()
      if (from === undefined) continue
      const to = hasBlock ? Buffer.from(cursor.row) : Buffer.concat([this.lastRow, Buffer.alloc(1)])
      return { from, to }
    }
    return undefined
  }

  /** Evicts the file's blocks and closes it. Iterators keep their present block and can go no further. */
  close(): void {
    this.#cache.evictFile(this.fileId)
    this.#file.close()
  }

  #indexCursor(): DataIndexCursor {
    return new DataIndexCursor(
      this.#root,
      this.trailer.dataIndexLevels,
      this.blocks.index,
      this.fileId,
      this.#cache,
    )
  }

  #coversRow(row: Buffer): boolean {
    return (
      this.#root.count > 0 && compareBytes(row, this.firstRow) >= 0 && compareBytes(row, this.lastRow) <= 0
    )
  }
}

function checkReadable(path: string, trailer: Trailer): void {
  const levels = trailer.dataIndexLevels
  if (levels < 1 || levels > INDEX_LEVELS_MAX) {
    throw corruptFile(path, trailer.loadOnOpenOffset, 'index levels', `1 to ${INDEX_LEVELS_MAX}`, levels)
  }
  if (trailer.dataIndexCount === 0 && levels > 1) {
    throw corruptFile(path, trailer.loadOnOpenOffset, 'root index entries', 'at least 1', 0)
  }
}

function rowOfIndexKey(key: Buffer): Buffer {
  return key.subarray(2, 2 + ((key[0]! << 8) | key[1]!))
}

function lastRowOfFile(path: string, info: FileInfo): Buffer {
  const key = info.get(InfoKey.LastKey) ?? EMPTY
  const fault = keyFault(key, 0, key.length)
  if (fault !== undefined) throw corruptFile(path, 0, InfoKey.LastKey, 'a cell key', fault)
  return rowOfIndexKey(key)
}
