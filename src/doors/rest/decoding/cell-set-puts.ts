import type { Limits } from '../../../gateway/limits/limits.ts'
import { HBaseError } from '../../../model/errors.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { checkRow } from '../../../model/query.ts'
import type { CellSet } from '../../../wire/rest/cell-set.ts'
import { readPlainJsonPuts } from '../../../wire/rest/plain-json-puts.ts'
import { SetCellCopier } from '../../../wire/rest/set-cell-copier.ts'
import { JSON_TYPE } from '../http/media-type.ts'
import { type BodyType, decodeCellSet } from '../http/read-body.ts'
import { appendPut } from './put-cell.ts'

/** A body with a cell set, and the path that completes it. */
export interface PutsBody {
  readonly type: BodyType
  readonly body: Buffer
  /** The path's row and columns, for rows without a key and cells without a column. */
  readonly spec: { readonly row: Buffer; readonly columns: readonly Buffer[] }
  readonly limits: Limits
}

/** The puts of a body with a cell set. Throws Refusal and HBaseError. */
export function cellSetPuts(puts: PutsBody): MutationBatch {
  const { type, body, limits } = puts
  const plain = type === JSON_TYPE ? readPlainJsonPuts(body, limits) : undefined
  return plain ?? generalPuts(puts)
}

/** As cellSetPuts, without the fast path for plain JSON. */
export function generalPuts({ type, body, spec, limits }: PutsBody): MutationBatch {
  const set = decodeCellSet(type, body, limits)
  const { batchMax } = limits
  if (set.rowCount > batchMax) {
    throw new HBaseError('TOO_LARGE', `${set.rowCount} rows, more than the ${batchMax} of the limit`)
  }
  const batch = new MutationBatch(set.length + set.cellCount * 64)
  const copier = new SetCellCopier(set, batch.cells, limits.cellBytesMax)
  for (let row = 0; row < set.rowCount; row++) {
    const key = set.rowKey(row) ?? spec.row
    checkRow(key)
    const end = set.endCell(row)
    const first = set.firstCell(row)
    let unnamed = 0
    for (let index = first; index < end; index++) {
      if (copier.copyPut(row, index)) continue
      const cell = set.cell(index)
      appendPut(limits, batch, key, cell.column ?? spec.columns[unnamed++], cell)
    }
    if (first === end) throw new HBaseError('ILLEGAL_ARGUMENT', 'No columns to insert')
    batch.endMutation()
  }
  return batch
}

/** The cell set of a body for `?check=`. Throws Refusal, and TOO_LARGE for more cells than a batch may have mutations. */
export function checkSet({ type, body, limits }: PutsBody): CellSet {
  const set = decodeCellSet(type, body, limits)
  if (set.cellCount > limits.batchMax) {
    throw new HBaseError('TOO_LARGE', `${set.cellCount} cells, more than the ${limits.batchMax} of the limit`)
  }
  return set
}
