import type { CellCursor } from '../../model/cell-block.ts'
import { writeTimestampText } from '../text/decimal.ts'
import { writeColumnBase64 } from './column-base64.ts'
import type { FixedText } from './fixed-text.ts'
import type { OutputBuffer } from './output-buffer.ts'

/** Longer columns are written anew. */
const COLUMN_BYTES_MAX = 64
/** The most cells to write without a look at the one before, after looks that found another column. */
const WAIT_MAX = 64
const NO_BUFFER: Buffer = Buffer.alloc(0)

/** Text that was written to an output, from where it is copied. */
class WrittenText {
  #buffer = NO_BUFFER
  #start = 0
  #end = 0

  isIn({ buffer }: OutputBuffer): boolean {
    return buffer === this.#buffer
  }

  note({ buffer }: OutputBuffer, start: number, end: number): void {
    this.#buffer = buffer
    this.#start = start
    this.#end = end
  }

  /** Up to 3 bytes behind the text are overwritten. */
  copy(view: DataView, at: number): number {
    const end = this.#end
    let to = at
    for (let from = this.#start; from < end; from += 4, to += 4) view.setInt32(to, view.getInt32(from))
    return at + end - this.#start
  }
}

/**
 * The texts of a cell's column and of its time, which are copied from the cell before where that has the same: the cells of a table mostly
 * have one column, and those that were written together one time.
 */
export class SharedHead {
  /** The last column from the length of its family on, as words. The last word overlaps with the one before it, or begins before the column. */
  readonly #words = new Int32Array(COLUMN_BYTES_MAX / 4 + 1)
  #columnBytes = 0
  #before: FixedText | undefined
  readonly #column = new WrittenText()
  #high = 0
  #low = 0
  readonly #time = new WrittenText()
  /** Cells to write without a look, and their number after the last look that found another column. */
  #toWait = 0
  #wait = 0

  /** As `before`, writeColumnBase64 and `after` one behind the other. */
  writeColumn(
    out: OutputBuffer,
    at: number,
    before: FixedText,
    cursor: CellCursor,
    after: FixedText,
  ): number {
    if (this.#toWait > 0) this.#toWait--
    else if (this.#isNoted(out, before, cursor)) {
      this.#wait = 0
      return this.#column.copy(out.view, at)
    } else {
      const end = writeColumn(out, at, before, cursor, after)
      this.#toWait = this.#wait
      this.#wait = Math.min(2 * this.#wait + 1, WAIT_MAX)
      this.#note(out, before, cursor)
      this.#column.note(out, at, end)
      return end
    }
    return writeColumn(out, at, before, cursor, after)
  }

  /** As writeTimestampText. */
  writeTime(out: OutputBuffer, at: number, { timestampHigh, timestampLow }: CellCursor): number {
    const time = this.#time
    if (timestampLow === this.#low && timestampHigh === this.#high && time.isIn(out))
      return time.copy(out.view, at)
    const end = writeTimestampText(out.buffer, at, timestampHigh, timestampLow)
    this.#high = timestampHigh
    this.#low = timestampLow
    time.note(out, at, end)
    return end
  }

  #isNoted(
    out: OutputBuffer,
    before: FixedText,
    { buffer, familyOffset, timestampOffset }: CellCursor,
  ): boolean {
    const start = familyOffset - 1
    const bytes = timestampOffset - start
    if (bytes !== this.#columnBytes || before !== this.#before || !this.#column.isIn(out)) return false
    const words = this.#words
    const source = out.viewOf(buffer)
    const last = bytes - 4
    let word = 0
    for (let i = 0; i < last; i += 4) if (source.getInt32(start + i) !== words[word++]) return false
    return source.getInt32(start + last) === words[word]
  }

  #note(out: OutputBuffer, before: FixedText, { buffer, familyOffset, timestampOffset }: CellCursor): void {
    const start = familyOffset - 1
    const bytes = timestampOffset - start
    this.#columnBytes = bytes <= COLUMN_BYTES_MAX ? bytes : 0
    this.#before = before
    if (bytes > COLUMN_BYTES_MAX) return
    const words = this.#words
    const source = out.viewOf(buffer)
    const last = bytes - 4
    let word = 0
    for (let i = 0; i < last; i += 4) words[word++] = source.getInt32(start + i)
    words[word] = source.getInt32(start + last)
  }
}

/** Writes the name of a cell's column between two texts. */
export function writeColumn(
  out: OutputBuffer,
  at: number,
  before: FixedText,
  cursor: CellCursor,
  after: FixedText,
): number {
  const { view } = out
  return after.write(view, writeColumnBase64(cursor, out, before.write(view, at)))
}
