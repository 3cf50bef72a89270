/** The thread task that decodes a large body with a cell set. */

import type { Moved } from '../../../gateway/requests/decoding/task.ts'
import { asBuffer } from '../../../model/moved-memory.ts'
import { memoryOfBatch, type PackedBatch, packBatch } from '../../../model/packed-batch.ts'
import type { PackedCellSet } from '../../../wire/rest/cell-set.ts'
import { cellSetPuts, checkSet, type PutsBody } from './cell-set-puts.ts'
import { type StatedFailure, statedFailure } from './stated-failure.ts'

export interface BodyInput extends PutsBody {
  /** True for `?check=`, which needs the cell set itself and not puts. */
  readonly isForCheck: boolean
}

/** The result of the task: exactly one of the members is there. */
export interface BodyOutput {
  readonly batch?: PackedBatch
  readonly set?: PackedCellSet
  readonly refused?: StatedFailure
}

/** Restores the Buffers: a message between threads turns them into Uint8Arrays. */
function received({ body, spec, ...rest }: BodyInput): BodyInput {
  const columns = spec.columns.map((column) => asBuffer(column))
  return { ...rest, body: asBuffer(body), spec: { row: asBuffer(spec.row), columns } }
}

export function task(input: BodyInput): Moved<BodyOutput> {
  try {
    const puts = received(input)
    if (!puts.isForCheck) {
      const batch = packBatch(cellSetPuts(puts))
      return { value: { batch }, memory: memoryOfBatch(batch) }
    }
    const set = checkSet(puts).pack()
    const { bytes, keys, rowEnds, cells } = set
    return { value: { set }, memory: [bytes.buffer, keys.buffer, rowEnds.buffer, cells.buffer] }
  } catch (error) {
    return { value: { refused: statedFailure(error) }, memory: [] }
  }
}
