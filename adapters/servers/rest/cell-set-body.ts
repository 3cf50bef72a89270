import { type CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import { CellSetProtobufWriter } from '../../../src/wire/rest/cell-set-protobuf.ts'
import { OutputBuffer } from '../../../src/wire/rest/output-buffer.ts'

/** A cell set as protobuf. Each block has the cells of one row. */
export function cellSet(blocks: readonly CellBlock[]): Buffer {
  const out = new OutputBuffer()
  const writer = new CellSetProtobufWriter()
  writer.begin()
  const cursor = new CellCursor(blocks[0]!)
  for (const block of blocks) {
    cursor.reset(block)
    for (let isFirst = true; cursor.next(); isFirst = false) {
      if (isFirst) writer.startRow(out, cursor)
      writer.cell(out, cursor)
    }
  }
  writer.end(out)
  return out.take()
}
