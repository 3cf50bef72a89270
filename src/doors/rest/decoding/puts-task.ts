/** The task of a thread that decodes the puts of a large body. */

import type { Moved } from '../../../gateway/decoding/task.ts'
import type { ErrorCode } from '../../../model/errors.ts'
import { asBuffer } from '../../../model/moved-memory.ts'
import { memoryOfBatch, type PackedBatch, packBatch } from '../../../model/packed-batch.ts'
import { StatusError } from '../http/errors.ts'
import { cellSetPuts, type PutsBody } from './cell-set-puts.ts'

/** An error with a status of its own. */
export interface StatedFailure {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly javaClass: string
}

export type PutsOutput = { readonly batch: PackedBatch } | { readonly refused: StatedFailure }

/** Buffers come over as plain Uint8Arrays. */
function received({ body, spec, ...rest }: PutsBody): PutsBody {
  const columns = spec.columns.map((column) => asBuffer(column))
  return { ...rest, body: asBuffer(body), spec: { row: asBuffer(spec.row), columns } }
}

export function task(input: PutsBody): Moved<PutsOutput> {
  try {
    const batch = packBatch(cellSetPuts(received(input)))
    return { value: { batch }, memory: memoryOfBatch(batch) }
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    const { status, code, message, body, headers, javaClass } = error
    return { value: { refused: { status, code, message, body, headers, javaClass } }, memory: [] }
  }
}
