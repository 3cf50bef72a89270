import { CellBlock, CellCursor } from '../../../model/cell-block.ts'
import type { Results, ScanBatch } from '../../../model/results.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageWriter } from '../../../wire/rpc/message-writer.ts'
import { cellsInSteps } from '../messages/write-result.ts'

/** Results of fewer bytes are written in one piece. */
export const LARGE_BYTES: number = 1024 * 1024
/** Results that one step writes. */
const STEP_RESULTS = 256

/** Writes the results of a scan into its answer, for clients without a codec. */
export function* resultsInSteps(
  writer: MessageWriter,
  { cells, counts }: Results,
  partial: ScanBatch['partial'],
  isStale: boolean,
): Generator<void, void> {
  const cursor = new CellCursor(cells)
  for (const [index, count] of counts.entries()) {
    const start = cursor.position
    for (let i = 0; i < count; i++) cursor.next()
    const own = new CellBlock(cells.buffer, start, cursor.position)
    const isPartial = partial?.[index] === true
    yield* cellsInSteps(writer, Field.ScanResponse.results, own, { isStale, isPartial })
    if (index % STEP_RESULTS === STEP_RESULTS - 1) yield
  }
}
