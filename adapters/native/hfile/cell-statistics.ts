import { EMPTY, readInt32, writeInt32 } from '../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES, CellType, keyLength, valueLength } from '../../../src/model/cell.ts'
import { compareTimestamps, LATEST_HIGH, LATEST_LOW } from '../../../src/model/timestamp.ts'
import { type FileInfo, InfoKey } from './file-info.ts'
import { copyKey } from './index-key.ts'
import { TimeRangeTracker } from './time-range-tracker.ts'

/** Statistics of a file's cells, for its info. */
export class CellStatistics {
  count = 0
  readonly #times = new TimeRangeTracker()
  #keyBytes = 0
  #valueBytes = 0
  #maxSequenceId = 0
  #maxTagsBytes = 0
  #biggestBytes = 0
  #biggestKey: Buffer = EMPTY
  #deleteFamilies = 0
  #earliestPutHigh = LATEST_HIGH
  #earliestPutLow = LATEST_LOW

  add(buffer: Buffer, cell: number, sequenceId: number, tagsBytes: number): void {
    const key = keyLength(buffer, cell)
    const value = valueLength(buffer, cell)
    this.count++
    this.#keyBytes += key
    this.#valueBytes += value
    if (sequenceId > this.#maxSequenceId) this.#maxSequenceId = sequenceId
    if (tagsBytes > this.#maxTagsBytes) this.#maxTagsBytes = tagsBytes
    // HBase counts the length that a codec would put before the cell.
    const bytes = 4 + CELL_HEADER_BYTES + key + value + (tagsBytes > 0 ? 2 + tagsBytes : 0)
    if (bytes > this.#biggestBytes) {
      this.#biggestBytes = bytes
      this.#biggestKey = copyKey(buffer, cell)
    }
    const timestamp = cell + CELL_HEADER_BYTES + key - 9
    this.#addTimestamp(readInt32(buffer, timestamp), readInt32(buffer, timestamp + 4), buffer[timestamp + 8]!)
  }

  #addTimestamp(high: number, low: number, type: number): void {
    this.#times.include(high, low, type)
    if (type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion) this.#deleteFamilies++
    if (type !== CellType.Put) return
    if (compareTimestamps(high, low, this.#earliestPutHigh, this.#earliestPutLow) < 0) {
      this.#earliestPutHigh = high
      this.#earliestPutLow = low
    }
  }

  describe(info: FileInfo, layout: { readonly tags: boolean; readonly tagsCompressed: boolean }): void {
    const { count } = this
    info.setInt32(InfoKey.AverageKeyBytes, count === 0 ? 0 : Math.trunc(this.#keyBytes / count))
    info.setInt32(InfoKey.AverageValueBytes, count === 0 ? 0 : Math.trunc(this.#valueBytes / count))
    if (count > 0) {
      info.set(InfoKey.BiggestCellKey, this.#biggestKey)
      info.setLong(InfoKey.BiggestCellBytes, this.#biggestBytes)
    }
    if (layout.tags) {
      info.setInt32(InfoKey.MaxTagsBytes, this.#maxTagsBytes)
      info.setBoolean(InfoKey.TagsCompressed, layout.tagsCompressed)
    }
    info.setLong(InfoKey.MaxMemstoreTimestamp, this.#maxSequenceId)
    info.set(InfoKey.TimeRange, this.#times.encode())
    info.setLong(InfoKey.DeleteFamilyCount, this.#deleteFamilies)
    const earliest = Buffer.alloc(8)
    writeInt32(earliest, 0, this.#earliestPutHigh)
    writeInt32(earliest, 4, this.#earliestPutLow)
    info.set(InfoKey.EarliestPut, earliest)
  }
}
