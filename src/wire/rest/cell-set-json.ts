/**
 * Cell sets as JSON:
 *
 *     {"Row":[{"key":base64,"Cell":[{"column":base64,"timestamp":integer,"$":base64}, ...]}, ...]}
 */

import type { CellCursor } from '../../model/cell-block.ts'
import type { CellSetWriter } from './cell-set-writer.ts'
import { type CellText, writeCell, writeRowKey } from './cell-text.ts'
import { FixedText } from './fixed-text.ts'
import type { OutputBuffer } from './output-buffer.ts'
import { SharedHead } from './shared-head.ts'

const BEGIN = Buffer.from('{"Row":[', 'latin1')
const FIRST_KEY = new FixedText('{"key":"')
const NEXT_KEY = new FixedText(']},{"key":"')
const CELLS = new FixedText('","Cell":[')
const FIRST_CELL: CellText = {
  column: new FixedText('{"column":"'),
  timestamp: new FixedText('","timestamp":'),
  value: new FixedText(',"$":"'),
  end: new FixedText('"}'),
}
const NEXT_CELL: CellText = { ...FIRST_CELL, column: new FixedText(',{"column":"') }
const ROW_END = Buffer.from(']}', 'latin1')

export class CellSetJsonWriter implements CellSetWriter {
  #rows = 0
  /** Not made for one row. */
  #head: SharedHead | undefined
  #cells = 0

  begin(out: OutputBuffer): void {
    out.append(BEGIN)
  }

  startRow(out: OutputBuffer, cursor: CellCursor): void {
    if (this.#rows === 1) this.#head = new SharedHead()
    writeRowKey(out, this.#rows++ === 0 ? FIRST_KEY : NEXT_KEY, cursor, CELLS)
    this.#cells = 0
  }

  cell(out: OutputBuffer, cursor: CellCursor): void {
    writeCell(out, this.#cells++ === 0 ? FIRST_CELL : NEXT_CELL, cursor, this.#head)
  }

  endPage(): void {}

  end(out: OutputBuffer): void {
    if (this.#rows > 0) out.append(ROW_END)
    out.append(ROW_END)
  }
}
