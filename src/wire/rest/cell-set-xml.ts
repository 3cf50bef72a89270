/**
 * Cell sets as XML, written as JAXB writes them: no white space, an empty set as an empty element.
 *
 *     <CellSet><Row key=base64><Cell column=base64 timestamp=integer>base64</Cell>...</Row>...</CellSet>
 */

import type { CellCursor } from '../../model/cell-block.ts'
import type { CellSetWriter } from './cell-set-writer.ts'
import { type CellText, writeCell, writeRowKey } from './cell-text.ts'
import { FixedText } from './fixed-text.ts'
import type { OutputBuffer } from './output-buffer.ts'
import { SharedHead } from './shared-head.ts'
import { XML_DECLARATION } from './xml-writer.ts'

const DECLARATION = Buffer.from(XML_DECLARATION, 'latin1')
const EMPTY_SET = Buffer.from('<CellSet/>', 'latin1')
const FIRST_KEY = new FixedText('<CellSet><Row key="')
const NEXT_KEY = new FixedText('</Row><Row key="')
const KEY_END = new FixedText('">')
const CELL: CellText = {
  column: new FixedText('<Cell column="'),
  timestamp: new FixedText('" timestamp="'),
  value: new FixedText('">'),
  end: new FixedText('</Cell>'),
}
const END = Buffer.from('</Row></CellSet>', 'latin1')

export class CellSetXmlWriter implements CellSetWriter {
  #rows = 0
  /** Not made for one row. */
  #head: SharedHead | undefined

  begin(out: OutputBuffer): void {
    out.append(DECLARATION)
  }

  startRow(out: OutputBuffer, cursor: CellCursor): void {
    if (this.#rows === 1) this.#head = new SharedHead()
    writeRowKey(out, this.#rows++ === 0 ? FIRST_KEY : NEXT_KEY, cursor, KEY_END)
  }

  cell(out: OutputBuffer, cursor: CellCursor): void {
    writeCell(out, CELL, cursor, this.#head)
  }

  endPage(): void {}

  end(out: OutputBuffer): void {
    out.append(this.#rows === 0 ? EMPTY_SET : END)
  }
}
