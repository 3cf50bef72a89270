/**
 * Gives archived records to the regions of a restored store. A record of a region that has come of a split or a merge goes to the regions that have its
 * rows; where these are several it becomes several records. Each takes a sequence id of its own, and all later ids grow by as much.
 */

import { CELL_PREFIX_BYTES, CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import { checkCellBlock } from '../../../src/model/check-cell-block.ts'
import { cellsStart } from '../cells/cluster-ids.ts'
import type { RegionRecord } from '../manifest/manifest-edit.ts'
import {
  RECORD_CELLS_OFFSET,
  recordBytesAt,
  recordRegion,
  recordSequenceId,
  sealRecord,
} from '../wal/wal-format.ts'
import type { Home } from './later-catalog.ts'

interface Part {
  readonly region: number
  readonly cells: Buffer[]
}

export class LaterRecords {
  readonly #homeOf: (region: number) => Home
  /** Sequence ids of the catalog, as the server had them, that are still to come. */
  readonly #marks: number[]
  readonly #shifted = new Map<number, number>()
  #shift = 0
  #last: number
  readonly #homes = new Map<number, { readonly home: Home; readonly isOwn: boolean }>()

  /** `last`: the last sequence id of the backup's logs. `marks`: the sequence ids of the catalog whose later values are asked for. */
  constructor(homeOf: (region: number) => Home, last: number, marks: Iterable<number>) {
    this.#homeOf = homeOf
    this.#last = last
    this.#marks = [...new Set(marks)].sort((a, b) => a - b)
  }

  /** The last sequence id of a record. */
  get lastSequenceId(): number {
    return this.#last + this.#shift
  }

  /** The sequence id in the restored store that has the place of one of `marks` between the records. To be asked behind the last record. */
  shifted(sequenceId: number): number {
    return this.#shifted.get(sequenceId) ?? sequenceId + this.#shift
  }

  /** The records in the bytes, which are whole records and marks, as they are to stand in the restored log. Throws an Error for other bytes. */
  take(bytes: Buffer): Buffer[] {
    const taken: Buffer[] = []
    // Records that stay as they are, and follow each other, are one buffer.
    let from = 0
    let at = 0
    for (let length = 0; at < bytes.length; at += length) {
      length = recordBytesAt(bytes, at)
      if (length === 0) throw new Error(`no whole record at byte ${at} of archived records`)
      const changed = this.#changed(bytes.subarray(at, at + length))
      if (changed === undefined) continue
      if (from < at) taken.push(bytes.subarray(from, at))
      taken.push(...changed)
      from = at + length
    }
    if (from < at) taken.push(bytes.subarray(from, at))
    return taken
  }

  /** The records in the place of one; undefined: it stays as it is. */
  #changed(record: Buffer): Buffer[] | undefined {
    const sequenceId = recordSequenceId(record, 0)
    // A mark, or a record that a failed sync has put into the next log once more.
    if (sequenceId <= this.#last) return []
    this.#pass(sequenceId)
    this.#last = sequenceId
    const region = recordRegion(record, 0)
    const { home, isOwn } = this.#homeFor(region)
    if (home === 'gone') return []
    if (isOwn || home === 'unknown')
      return this.#shift === 0 ? undefined : [sealed([record], 0, sequenceId + this.#shift, region)]
    return partsOf(record, home.regions).map((part, index) => {
      if (index > 0) this.#shift++
      return sealed(part.cells, RECORD_CELLS_OFFSET, sequenceId + this.#shift, part.region)
    })
  }

  #pass(sequenceId: number): void {
    while (this.#marks.length > 0 && this.#marks[0]! < sequenceId) {
      const mark = this.#marks.shift()!
      this.#shifted.set(mark, mark + this.#shift)
    }
  }

  #homeFor(region: number): { readonly home: Home; readonly isOwn: boolean } {
    const known = this.#homes.get(region)
    if (known !== undefined) return known
    const home = this.#homeOf(region)
    const isOwn = typeof home !== 'string' && home.regions.some(({ number }) => number === region)
    const found = { home, isOwn }
    this.#homes.set(region, found)
    return found
  }
}

/** A record with these bytes from `offset` on. */
function sealed(bytes: readonly Buffer[], offset: number, sequenceId: number, region: number): Buffer {
  const length = bytes.reduce((sum, part) => sum + part.length, offset)
  const record = Buffer.allocUnsafe(length)
  let at = offset
  for (const part of bytes) at += part.copy(record, at)
  sealRecord(record, 0, length, sequenceId, region)
  return record
}

/** The cells of the record by the regions of their rows, which keep their order in each. */
function partsOf(record: Buffer, regions: readonly RegionRecord[]): Part[] {
  const cells = new CellBlock(record, RECORD_CELLS_OFFSET)
  checkCellBlock(cells)
  const parts = new Map<number, Part>()
  const start = cellsStart(cells)
  const clusters = start === cells.start ? [] : [record.subarray(cells.start, start)]
  const cursor = new CellCursor(new CellBlock(record, start))
  while (cursor.next()) {
    const { cell, cellLength, rowOffset, rowLength } = cursor
    const { number } = regionOf(regions, record.subarray(rowOffset, rowOffset + rowLength))
    const bytes = record.subarray(cell - CELL_PREFIX_BYTES, cell + cellLength)
    const part = parts.get(number)
    if (part === undefined) parts.set(number, { region: number, cells: [...clusters, bytes] })
    else part.cells.push(bytes)
  }
  return [...parts.values()]
}

/** The last region that does not begin behind the row. */
function regionOf(regions: readonly RegionRecord[], row: Buffer): RegionRecord {
  let [from, to] = [0, regions.length]
  while (to - from > 1) {
    const middle = (from + to) >> 1
    if (regions[middle]!.startKey.compare(row) <= 0) from = middle
    else to = middle
  }
  return regions[from]!
}
