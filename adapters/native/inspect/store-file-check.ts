/**
 * Checks a store file: checksums of all blocks, order of the cells, index against blocks, bloom filters against rows, info
 * against cells, and what the manifest says of it.
 */

import { compareBytes, EMPTY, readInt32, toStringBinary } from '../../../src/model/bytes.ts'
import { CellType, cellType, timestampOffset } from '../../../src/model/cell.ts'
import { counted } from '../../../src/model/counted.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { atOnce, type Steps } from '../../../src/model/steps.ts'
import { familyOf, keyLine, keyText, qualifierOf, rowOf } from '../cells/cell-text.ts'
import { BlockType } from '../hfile/block-type.ts'
import { InfoKey } from '../hfile/file-info.ts'
import type { HFile } from '../hfile/hfile.ts'
import { TimeRangeTracker } from '../hfile/time-range-tracker.ts'
import { encodeTrailer } from '../hfile/trailer.ts'
import type { FileRecord, RegionRecord } from '../manifest/manifest-edit.ts'
import { compareCellKeys, compareToKey, keptKey } from './cell-order.ts'
import { fileBounds } from './file-bounds.ts'
import { type IndexEntry, indexEntries } from './index-entries.ts'
import type { CellPlace, StoreFileView, ViewedBlock } from './store-file-view.ts'

/** The manifest's record of the file. */
export interface ExpectedFile {
  readonly encodedRegion: string
  readonly family: Buffer
  readonly startKey: Buffer
  readonly endKey: Buffer
  /** Undefined where no record has it. */
  readonly maxSequenceId: number | undefined
  /** As FileRecord.id; undefined where no record has it. */
  readonly id: string | undefined
}

export function expectedOf(region: RegionRecord, encodedRegion: string, file: FileRecord): ExpectedFile {
  const { startKey, endKey, hasEarlierRows, hasLaterRows } = fileBounds(region, file)
  const { family, maxSequenceId, id, owner = encodedRegion } = file
  return {
    encodedRegion: owner,
    family,
    maxSequenceId,
    id,
    startKey: hasEarlierRows ? EMPTY : startKey,
    endKey: hasLaterRows ? EMPTY : endKey,
  }
}

/** `offset`: undefined for the whole file. */
export type ReportFault = (offset: number | undefined, message: string) => void

/** A file with more faults of a kind than this reports the first ones only. */
const FAULTS_MAX = 10

export class StoreFileCheck {
  readonly #view: StoreFileView
  readonly #expected: ExpectedFile | undefined
  readonly #reportFault: ReportFault
  readonly #reported = new Map<string, number>()
  readonly #index: IndexEntry[] = []
  #entry = 0
  #isIndexWhole = false
  #previous: CellPlace | undefined
  readonly #offsets = { first: -1, last: -1, info: -1 }
  #cells = 0
  #familyDeletes = 0
  #maxSequenceId = 0
  readonly #times = new TimeRangeTracker()
  #isBloomReadable = true
  #hasDamage = false

  constructor(view: StoreFileView, expected: ExpectedFile | undefined, reportFault: ReportFault) {
    this.#view = view
    this.#expected = expected
    this.#reportFault = reportFault
  }

  /** `onBytes`: called with the number of bytes checked since its last call. */
  run(onBytes: (bytes: number) => void): void {
    atOnce(this.inSteps(onBytes))
  }

  /** As run; a block is a step. */
  *inSteps(onBytes: (bytes: number) => void): Steps<void> {
    const { hfile, openError } = this.#view
    if (openError !== undefined) this.#fault('open', faultOffset(openError), openError.message)
    if (hfile !== undefined) this.#checkOwner(hfile)
    this.#readIndex()
    let checked = 0
    for (const found of this.#view.walk()) {
      this.#checkFound(found)
      const reached = found.kind === 'damage' ? found.end : found.offset + found.onDiskBytes
      onBytes(reached - checked)
      checked = reached
      yield
    }
    onBytes(this.#view.bytes - checked)
    if (hfile !== undefined && !this.#hasDamage) this.#checkEnd(hfile)
  }

  /** Reports the first faults of a kind. */
  #fault(kind: string, offset: number | undefined, message: string): void {
    this.#hasDamage = true
    const count = (this.#reported.get(kind) ?? 0) + 1
    this.#reported.set(kind, count)
    if (count <= FAULTS_MAX) this.#reportFault(offset, message)
    else if (count === FAULTS_MAX + 1) this.#reportFault(offset, `${message}; more such faults follow`)
  }

  #checkOwner({ info }: HFile): void {
    const expected = this.#expected
    if (expected === undefined) return
    const region = info.get(InfoKey.Region)?.toString('latin1')
    if (region !== undefined && region !== expected.encodedRegion)
      this.#fault('owner', undefined, `it is a file of the region ${region}`)
    const family = info.get(InfoKey.Family)
    if (family !== undefined && !family.equals(expected.family))
      this.#fault('owner', undefined, `it is a file of the family ${toStringBinary(family)}`)
    const id = info.getLong(InfoKey.MaxSequenceId)
    if (id !== undefined && expected.maxSequenceId !== undefined && id !== expected.maxSequenceId) {
      this.#fault('owner', undefined, `its sequence id is ${id}, the manifest's ${expected.maxSequenceId}`)
    }
    const fileId = info.get(InfoKey.FileId)?.toString('latin1')
    if (expected.id !== undefined && fileId !== expected.id)
      this.#fault('owner', undefined, `it is the file ${fileId ?? 'of an older version'}, not ${expected.id}`)
  }

  #readIndex(): void {
    const { trailer, blocks, path, hfile } = this.#view
    if (trailer === undefined || hfile === undefined) return
    try {
      for (const entry of indexEntries(path, blocks, trailer)) this.#index.push(entry)
      this.#isIndexWhole = true
    } catch (error) {
      if (!isHBaseError(error)) throw error
      this.#fault('index', faultOffset(error), error.message)
    }
  }

  #checkFound(found: ViewedBlock): void {
    if (found.kind === 'damage') {
      this.#fault('block', faultOffset(found.error) ?? found.offset, found.error.message)
      // Of the blocks in the stretch the index is right.
      while ((this.#index[this.#entry]?.offset ?? found.end) < found.end) this.#entry++
      return
    }
    if (found.type === BlockType.FileInfo) this.#offsets.info = found.offset
    if (found.cells === undefined) return
    if (this.#offsets.first < 0) this.#offsets.first = found.offset
    this.#offsets.last = found.offset
    this.#checkIndexOf(found.offset, found.onDiskBytes, this.#view.cellAt(found.cells, 0))
    for (let index = 0; index < found.cells.count; index++) {
      this.#checkCell(found.offset, this.#view.cellAt(found.cells, index))
    }
    this.#previous = this.#previous && keptKey(this.#previous)
  }

  #checkIndexOf(offset: number, onDiskBytes: number, first: CellPlace): void {
    if (!this.#isIndexWhole) return
    while ((this.#index[this.#entry]?.offset ?? offset) < offset) {
      const { offset: missing } = this.#index[this.#entry++]!
      this.#fault('index', missing, 'the index names a data block that is not there')
    }
    const entry = this.#index[this.#entry]
    if (entry?.offset !== offset) {
      this.#fault('index', offset, 'the index does not name this data block: its cells are not found')
      return
    }
    this.#entry++
    if (entry.onDiskBytes !== onDiskBytes)
      this.#fault(
        'index',
        offset,
        `the index gives this block ${counted(entry.onDiskBytes, 'byte')}, it has ${onDiskBytes}`,
      )
    const isAfter = compareToKey(first, entry.key) < 0
    const isBefore = this.#previous !== undefined && compareToKey(this.#previous, entry.key) >= 0
    if (isAfter || isBefore) this.#fault('index', offset, 'the index has a wrong key for this data block')
  }

  #checkCell(block: number, place: CellPlace): void {
    const { buffer, cell, sequenceId } = place
    const previous = this.#previous
    const order = previous === undefined ? -1 : compareCellKeys(previous, place)
    if (order > 0) this.#fault('order', block, `${text(place)} comes after ${text(previous!)}`)
    if (order === 0 && sequenceId > previous!.sequenceId)
      this.#fault('order', block, `of ${text(place)} the older version comes first`)
    this.#cells++
    if (sequenceId > this.#maxSequenceId) this.#maxSequenceId = sequenceId
    const type = cellType(buffer, cell)
    const time = timestampOffset(buffer, cell)
    this.#times.include(readInt32(buffer, time), readInt32(buffer, time + 4), type)
    const isFamilyDelete = type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion
    if (isFamilyDelete) this.#familyDeletes++
    const isNewRow =
      previous === undefined || !rowOf(buffer, cell).equals(rowOf(previous.buffer, previous.cell))
    if (isNewRow) this.#checkRow(block, place)
    if (this.#isBloomReadable) this.#checkBlooms(block, place, isNewRow, isFamilyDelete)
    this.#previous = place
  }

  #checkRow(block: number, { buffer, cell }: CellPlace): void {
    const expected = this.#expected
    if (expected === undefined) return
    const row = rowOf(buffer, cell)
    const isWithin =
      compareBytes(row, expected.startKey) >= 0 &&
      (expected.endKey.length === 0 || compareBytes(row, expected.endKey) < 0)
    if (!isWithin) this.#fault('row', block, `row ${toStringBinary(row)} is not of this region`)
    if (!familyOf(buffer, cell).equals(expected.family))
      this.#fault('family', block, `row ${toStringBinary(row)} has a cell of another family`)
  }

  #checkBlooms(block: number, { buffer, cell }: CellPlace, isNewRow: boolean, isFamilyDelete: boolean): void {
    const { hfile } = this.#view
    if (hfile === undefined) return
    const row = rowOf(buffer, cell)
    try {
      if (isNewRow && !hfile.mayHaveRow(row))
        this.#fault('bloom', block, `the bloom filter, or the file's bounds, deny row ${toStringBinary(row)}`)
      else if (!hfile.mayHaveColumn(row, qualifierOf(buffer, cell)))
        this.#fault('bloom', block, `the bloom filter denies the column of ${keyLine(keyText(buffer, cell))}`)
      if (isFamilyDelete && !hfile.mayHaveFamilyDelete(row))
        this.#fault('bloom', block, `the filter of family tombstones denies row ${toStringBinary(row)}`)
    } catch (error) {
      if (!isHBaseError(error)) throw error
      // The walk itself reports the damaged chunk.
      this.#isBloomReadable = false
    }
  }

  #checkEnd(hfile: HFile): void {
    const { info, trailer } = hfile
    for (const { offset } of this.#index.slice(this.#entry))
      this.#fault('index', offset, 'the index names a data block that is not there')
    if (trailer.entryCount !== this.#cells)
      this.#fault(
        'count',
        this.#view.end,
        `the trailer counts ${counted(trailer.entryCount, 'cell')}, it has ${this.#cells}`,
      )
    const last = this.#previous
    if (last !== undefined && compareToKey(last, info.get(InfoKey.LastKey) ?? EMPTY) !== 0)
      this.#fault('info', undefined, `its info does not name its last cell, ${text(last)}`)
    if (info.get(InfoKey.DeleteFamilyCount) !== undefined && hfile.deleteFamilyCount !== this.#familyDeletes)
      this.#fault(
        'info',
        undefined,
        `its info counts ${counted(hfile.deleteFamilyCount, 'family tombstone')}, it has ${this.#familyDeletes}`,
      )
    this.#checkTrailer(hfile)
    this.#checkTimes(info.get(InfoKey.TimeRange))
    if (this.#maxSequenceId > hfile.maxCellSequenceId)
      this.#fault(
        'info',
        undefined,
        `a cell has the sequence id ${this.#maxSequenceId}, its info at most ${hfile.maxCellSequenceId}`,
      )
  }

  /** No checksum covers the trailer. */
  #checkTrailer({ info, trailer }: HFile): void {
    const isOurs = info.get(InfoKey.Region) !== undefined
    if (isOurs && !encodeTrailer(trailer).equals(this.#view.trailerBytes))
      this.#fault('trailer', this.#view.end, 'the trailer is not as it was written')
    const offsets = {
      first: trailer.firstDataBlockOffset,
      last: trailer.lastDataBlockOffset,
      info: trailer.fileInfoOffset,
    }
    for (const which of ['first', 'last', 'info'] as const) {
      if (this.#cells > 0 && offsets[which] !== this.#offsets[which])
        this.#fault(
          'trailer',
          this.#view.end,
          `the trailer has a wrong offset: ${which} block at ${offsets[which]}, not ${this.#offsets[which]}`,
        )
    }
  }

  #checkTimes(stated: Buffer | undefined): void {
    const found = this.#times.encode()
    if (stated?.length !== found.length || this.#cells === 0) return
    const isWithin =
      stated.readBigInt64BE(0) <= found.readBigInt64BE(0) &&
      stated.readBigInt64BE(8) >= found.readBigInt64BE(8)
    if (!isWithin)
      this.#fault('info', undefined, 'its info has a time range that not all of its cells are in')
  }
}

function text({ buffer, cell }: CellPlace): string {
  return keyLine(keyText(buffer, cell))
}

/** The byte that an error names. */
function faultOffset({ detail }: HBaseError): number | undefined {
  const offset = detail?.['offset']
  return typeof offset === 'number' ? offset : undefined
}
