/**
 * Cell sets as XML, written as JAXB writes them: no white space, an empty set as an empty element.
 *
 *     <CellSet><Row key=base64><Cell column=base64 timestamp=integer>base64</Cell>...</Row>...</CellSet>
 */

import type { CellCursor } from '../../model/cell-block.ts'
import type { CellSetWriter } from './cell-set-writer.ts'
import { type CellText, writeCell, writeRowKey } from './cell-text.ts'
import type { OutputBuffer } from './output-buffer.ts'
import { XML_DECLARATION } from './xml-writer.ts'

const DECLARATION = Buffer.from(XML_DECLARATION, 'latin1')
const EMPTY_SET = Buffer.from('<CellSet/>', 'latin1')
const FIRST_KEY = Buffer.from('<CellSet><Row key="', 'latin1')
const NEXT_KEY = Buffer.from('</Row><Row key="', 'latin1')
const KEY_END = Buffer.from('">', 'latin1')
const CELL: CellText = {
  column: Buffer.from('<Cell column="', 'latin1'),
  timestamp: Buffer.from('" timestamp="', 'latin1'),
  value: Buffer.from('">', 'latin1'),
  end: Buffer.from('</Cell>', 'latin1'),
}
const END = Buffer.from('</Row></CellSet>', 'latin1')

export class CellSetXmlWriter implements CellSetWriter {
  #rows = 0

  begin(out: OutputBuffer): void {
    out.append(DECLARATION)
  }

  startRow(out: OutputBuffer, cursor: CellCursor): void {
    writeRowKey(out, this.#rows++ === 0 ? FIRST_KEY : NEXT_KEY, cursor, KEY_END)
  }

  cell(out: OutputBuffer, cursor: CellCursor): void {
    writeCell(out, CELL, cursor)
  }

  endPage(): void {}

  end(out: OutputBuffer): void {
    out.append(this.#rows === 0 ? EMPTY_SET : END)
  }
}
