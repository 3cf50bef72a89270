import { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import { raise } from './current-log.ts'
import { RECORD_CELLS_OFFSET, sealRecord, sealRecordApart } from './wal-format.ts'

/** Pending bytes above which a commit does not wait for the end of the turn. */
export const PENDING_BYTES_MAX: number = 4 * 1024 * 1024
/** More pending bytes are written in several turns of the event loop. */
export const TURN_BYTES_MAX: number = 8 * 1024 * 1024

const PENDING_BYTES = 1024 * 1024
/** A builder that has grown to more is not used again. */
const BUILDER_BYTES_MAX = 8 * 1024 * 1024
/** Cells of so many bytes stay where they are, if their owner does not change them: a copy would take a while. */
const OWN_BYTES_MIN = 1024 * 1024

/** Records on their way into the log. */
export interface TakenRecords {
  readonly buffers: readonly Buffer[]
  readonly bytes: number
  /** Each region's greatest sequence id among them. */
  readonly regions: ReadonlyMap<number, number>
  /** Sequence ids of the first and the last of them. */
  readonly first: number
  readonly last: number
}

/** The records that the next commit writes. */
export class PendingRecords {
  #builder = new CellBlockBuilder(PENDING_BYTES)
  /** The builder's buffer, once it was asked for. */
  #viewed: ViewedBytes = ViewedBytes.EMPTY
  /** Records before `#from` in the builder, and large ones. */
  #earlier: Buffer[] = []
  #earlierBytes = 0
  #from = 0
  #regions = new Map<number, number>()
  /** Sequence ids of the first and the last record; 0: there is none. */
  #first = 0
  #last = 0

  get bytes(): number {
    return this.#earlierBytes + this.#builder.length - this.#from
  }

  has(region: number): boolean {
    return this.#regions.has(region)
  }

  /** `isKept`: the source does not change any more. */
  add(region: number, sequenceId: number, source: Buffer, start: number, end: number, isKept: boolean): void {
    this.#note(region, sequenceId)
    if (isKept && end - start >= OWN_BYTES_MIN) {
      this.#closeBuilder()
      const cells = source.subarray(start, end)
      this.#addEarlier(sealRecordApart(cells, sequenceId, region))
      this.#addEarlier(cells)
      return
    }
    const cells = this.reserve(end - start)
    source.copy(this.#builder.buffer, cells, start, end)
    this.#seal(region, sequenceId, end - start)
  }

  /** Makes room in `memory` for a record's cells of so many bytes and returns their offset. Without `addReserved` there is no record. */
  reserve(cellsBytes: number): number {
    return this.#builder.reserve(RECORD_CELLS_OFFSET + cellsBytes) + RECORD_CELLS_OFFSET
  }

  /** The memory of the last `reserve`. */
  get memory(): ViewedBytes {
    const { buffer } = this.#builder
    if (buffer !== this.#viewed.buffer) this.#viewed = new ViewedBytes(buffer)
    return this.#viewed
  }

  /** Adds a record whose cells were written where `reserve` has made room for them. */
  addReserved(region: number, sequenceId: number, cellsBytes: number): void {
    this.#note(region, sequenceId)
    this.#seal(region, sequenceId, cellsBytes)
  }

  #note(region: number, sequenceId: number): void {
    raise(this.#regions, region, sequenceId)
    if (this.#first === 0) this.#first = sequenceId
    this.#last = sequenceId
  }

  #seal(region: number, sequenceId: number, cellsBytes: number): void {
    const builder = this.#builder
    const record = builder.length
    builder.length = record + RECORD_CELLS_OFFSET + cellsBytes
    sealRecord(builder.buffer, record, builder.length, sequenceId, region)
  }

  /** The builder may move its bytes when it grows: what it has by now stays as it is. */
  #closeBuilder(): void {
    const { buffer, length } = this.#builder
    if (length > this.#from) this.#addEarlier(buffer.subarray(this.#from, length))
    this.#from = length
  }

  #addEarlier(bytes: Buffer): void {
    this.#earlier.push(bytes)
    this.#earlierBytes += bytes.length
  }

  /** The records so far; `written` lets go of them. */
  present(): TakenRecords {
    const { bytes } = this
    const regions = this.#regions
    const first = this.#first
    const last = this.#last
    if (this.#earlier.length === 0)
      return { buffers: [this.#builder.buffer.subarray(0, bytes)], bytes, regions, first, last }
    this.#closeBuilder()
    return { buffers: this.#earlier, bytes, regions, first, last }
  }

  written(): void {
    if (this.#builder.buffer.length > BUILDER_BYTES_MAX) this.#newBuilder()
    this.#builder.length = 0
    this.#regions.clear()
    this.#first = 0
    this.#forgetEarlier()
  }

  /** The records so far, whose memory is not used again. */
  take(): TakenRecords {
    const taken = this.present()
    this.clear()
    return taken
  }

  clear(): void {
    this.#newBuilder()
    this.#regions = new Map()
    this.#first = 0
    this.#forgetEarlier()
  }

  #newBuilder(): void {
    this.#builder = new CellBlockBuilder(PENDING_BYTES)
    this.#viewed = ViewedBytes.EMPTY
  }

  #forgetEarlier(): void {
    this.#earlier = []
    this.#earlierBytes = 0
    this.#from = 0
  }
}
