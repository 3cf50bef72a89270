/** Messages between the store's thread and a worker thread. Structured clones make Uint8Arrays of Buffers; errors lose their fields. */

import { InvariantError } from '../../../src/model/assert.ts'
import { type ErrorCode, type ErrorDetail, HBaseError } from '../../../src/model/errors.ts'
import type { PackedCells } from '../memstore/packed-cells.ts'
import type { RetentionPlan } from '../retention/retention-plan.ts'
import { type FileJob, type FileJobOutcome, JobCancelled, type SourceFile } from './file-job.ts'

export type PackedSource =
  | { readonly kind: 'packed'; readonly cells: PackedCells }
  | { readonly kind: 'files'; readonly files: readonly SourceFile[] }

/** To the worker. */
export type Order =
  | { readonly kind: 'job'; readonly id: number; readonly job: FileJob; readonly source: PackedSource }
  | { readonly kind: 'cancel'; readonly id: number }
  /** The last order: the thread ends when it has done the others. */
  | { readonly kind: 'close' }
  /** The rate of all compactions of this worker together. */
  | { readonly kind: 'rate'; readonly bytesPerSecond: number }

/** From the worker. */
export type Report =
  /** The job goes on. */
  | { readonly kind: 'progress'; readonly id: number; readonly cellsRead: number }
  | { readonly kind: 'done'; readonly id: number; readonly outcome: FileJobOutcome }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }

export interface Failure {
  readonly message: string
  readonly stack: string | undefined
  readonly type: 'hbase' | 'invariant' | 'cancelled' | 'other'
  /** The code of a failure of the kind `hbase`. */
  readonly code?: ErrorCode
  readonly detail?: ErrorDetail | undefined
  /** The operating system's code, such as ENOSPC. */
  readonly systemCode?: string
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, type: 'other' }
  const { message, stack } = error
  if (error instanceof JobCancelled) return { message, stack, type: 'cancelled' }
  if (error instanceof InvariantError) return { message, stack, type: 'invariant' }
  if (error instanceof HBaseError)
    return { message, stack, type: 'hbase', code: error.code, detail: error.detail }
  const systemCode = 'code' in error && typeof error.code === 'string' ? { systemCode: error.code } : {}
  return { message, stack, type: 'other', ...systemCode }
}

/** The error as it was in the other thread, with its stack there. */
export function errorOf({ message, stack, type, code, detail, systemCode }: Failure): Error {
  const error = newError()
  if (stack !== undefined) error.stack = stack
  return systemCode === undefined ? error : Object.assign(error, { code: systemCode })

  function newError(): Error {
    if (type === 'cancelled') return new JobCancelled()
    if (type === 'invariant') return new InvariantError(message)
    return type === 'hbase' ? new HBaseError(code!, message, { detail }) : new Error(message)
  }
}

/** The job that the worker got, with Buffers again. */
export function receivedJob(job: FileJob): FileJob {
  const { owner, family, retention } = job
  return {
    ...job,
    owner: { ...owner, family: bufferOf(owner.family) },
    family: { ...family, name: bufferOf(family.name) },
    retention: receivedPlan(retention),
  }
}

export function receivedFiles(files: readonly SourceFile[]): SourceFile[] {
  return files.map(({ rows, ...file }) =>
    rows === undefined ? file : { ...file, rows: { from: bufferOf(rows.from), to: bufferOf(rows.to) } },
  )
}

function receivedPlan(plan: RetentionPlan): RetentionPlan {
  if (plan.kind === 'all') return plan
  return { ...plan, rules: { ...plan.rules, name: bufferOf(plan.rules.name) } }
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
