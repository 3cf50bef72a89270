/** The cells of a range of one store, one after the other. A caller works through a piece without a pause, then asks for the next one. */

import { CellBlock, CellCursor } from '../../model/cell-block.ts'
import { type Piece, readAhead } from '../raw-cells.ts'
import type { ReaderRules } from './reader-rules.ts'

export class CellStream {
  /** Its fields describe the present cell while `hasCell` is true. */
  readonly cursor: CellCursor = new CellCursor(CellBlock.EMPTY)
  hasCell = false
  /** True: the range has no further cells. */
  isEnded = false
  /** Bytes of the cells that were read. */
  bytes = 0
  readonly #pieces: AsyncGenerator<Piece>
  readonly #rules: ReaderRules | undefined
  #piece: Piece | undefined

  /** `rules`: leave out cells; undefined: none. */
  constructor(pieces: AsyncGenerator<Piece>, rules: ReaderRules | undefined) {
    this.#pieces = readAhead(pieces)
    this.#rules = rules
  }

  /** Goes to the next cell of the piece; afterwards `hasCell` is false where the piece has none. */
  advance(): void {
    const { cursor } = this
    do this.hasCell = cursor.next()
    while (this.hasCell && this.#rules?.counts(cursor) === false)
  }

  /** Reads pieces up to the next cell. Returns the bytes that it read. */
  async refill(): Promise<number> {
    const before = this.bytes
    while (!this.hasCell && !this.isEnded) {
      this.#release()
      const { value, done } = await this.#pieces.next()
      if (done === true) {
        this.isEnded = true
        break
      }
      this.#piece = value
      this.bytes += value.results.cells.byteLength
      this.cursor.reset(value.results.cells)
      this.advance()
    }
    return this.bytes - before
  }

  async close(): Promise<void> {
    this.#release()
    await this.#pieces.return(undefined)
  }

  #release(): void {
    this.#piece?.release()
    this.#piece = undefined
  }
}
