/**
 * Cell sets from XML, under JAXB's rules: unknown elements, attributes and text are passed over, and so is what is not
 * base64. Throws CORRUPTION for what is no cell set, ILLEGAL_ARGUMENT for a timestamp that is no number.
 */

import { timestampHigh, timestampLow } from '../../model/timestamp.ts'
import { decodeLenientBase64 } from './base64.ts'
import { CellInProgress, CellSet } from './cell-set.ts'
import { parseInt64 } from './int64-text.ts'
import { checkRoot, parseXml, type XmlElement } from './xml-document.ts'

export function decodeCellSetXml(body: Buffer, depthMax: number): CellSet {
  const root = parseXml(body, depthMax)
  checkRoot(root, 'CellSet')
  const set = new CellSet(Buffer.allocUnsafe(body.length))
  const cell = new CellInProgress()
  for (const row of root.children) {
    if (row.name !== 'Row') continue
    for (const child of row.children) {
      if (child.name === 'Cell') addCell(set, cell, child)
    }
    const key = row.attributes.get('key')
    if (key === undefined) {
      set.endRow(0, -1)
    } else {
      const bytes = decodeLenientBase64(key)
      set.endRow(set.append(bytes), bytes.length)
    }
  }
  return set
}

function addCell(set: CellSet, cell: CellInProgress, element: XmlElement): void {
  const column = element.attributes.get('column')
  if (column !== undefined) {
    const bytes = decodeLenientBase64(column)
    cell.column = set.append(bytes)
    cell.columnLength = bytes.length
  }
  const timestamp = element.attributes.get('timestamp')
  if (timestamp !== undefined) {
    const value = parseInt64(timestamp.trim())
    cell.high = timestampHigh(value)
    cell.low = timestampLow(value)
  }
  const value = decodeLenientBase64(element.text)
  cell.value = set.append(value)
  cell.valueLength = value.length
  cell.finish(set)
}
