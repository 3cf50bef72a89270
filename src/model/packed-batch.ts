import { asBuffer, movable } from './moved-memory.ts'
import { MutationBatch, type MutationOptions } from './mutation.ts'

/** A MutationBatch as a message between threads: a few buffers for any number of mutations. */
export interface PackedBatch {
  readonly cells: Uint8Array<ArrayBuffer>
  readonly cellCount: number
  /** The batch's `ends`. */
  readonly ends: Float64Array<ArrayBuffer>
  /** The options that occur, and for each mutation the number of its own. */
  readonly options: readonly MutationOptions[]
  readonly optionOf: Uint32Array<ArrayBuffer>
}

export function packBatch(batch: MutationBatch): PackedBatch {
  const numbers = new Map<MutationOptions, number>()
  const optionOf = Uint32Array.from(batch.options, (options) => {
    const number = numbers.get(options) ?? numbers.size
    numbers.set(options, number)
    return number
  })
  const { buffer, length, count } = batch.cells
  return {
    cells: movable(buffer, length),
    cellCount: count,
    ends: Float64Array.from(batch.ends),
    options: [...numbers.keys()],
    optionOf,
  }
}

/** The memory that moves over with the batch. */
export function memoryOfBatch({ cells, ends, optionOf }: PackedBatch): ArrayBuffer[] {
  return [cells.buffer, ends.buffer, optionOf.buffer]
}

export function unpackBatch({ cells, cellCount, ends, options, optionOf }: PackedBatch): MutationBatch {
  const batch = new MutationBatch(asBuffer(cells))
  batch.cells.length = cells.length
  batch.cells.count = cellCount
  // By index: iterators of typed arrays take five times as long, a long time for a batch of 100,000 rows.
  for (let i = 0; i < ends.length; i++) {
    batch.ends.push(ends[i]!)
    batch.options.push(options[optionOf[i]!]!)
  }
  return batch
}
