import type { CellCursor } from '../../model/cell-block.ts'
import type { OutputBuffer } from './output-buffer.ts'

/**
 * Writes a cell set, HBase's REST form of rows and their cells, straight from the bytes of cell blocks:
 * `begin ((startRow cell+)* endPage)* end`. At startRow the cursor stands on the row's first cell.
 */
export interface CellSetWriter {
  begin(out: OutputBuffer): void
  startRow(out: OutputBuffer, cursor: CellCursor): void
  cell(out: OutputBuffer, cursor: CellCursor): void
  /** Completes the bytes so far, so that the door can send them before further rows come. */
  endPage(out: OutputBuffer): void
  end(out: OutputBuffer): void
}
