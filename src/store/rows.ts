/**
 * Reading and writing rows. An access check, a quota or a mirror is a decorator of these methods.
 *
 * All of them throw TABLE_NOT_FOUND, TABLE_NOT_ENABLED, NOT_SERVING_REGION for a missing region, and CALLER_GONE or
 * TIMEOUT where the client no longer waits.
 */

import type { HBaseError } from '../model/errors.ts'
import type { MutationBatch, RowMutation, RowsMutation } from '../model/mutation.ts'
import type { Get, Scan } from '../model/query.ts'
import type { Results } from '../model/results.ts'
import type { Call } from './call.ts'
import type { OpenScanner } from './handouts.ts'
import type { Target } from './target.ts'

export interface GetLimits {
  /** Bytes of cells after which the store answers no further get. It answers the first, of any size. */
  readonly bytes: number
}

/** A mutation of a batch that was not applied. */
export interface MutationFailure {
  readonly index: number
  readonly error: HBaseError
}

export interface RowMutationOutcome {
  /** False where the condition did not hold. */
  readonly applied: boolean
  /** One result: the new cells of increments and appends; without those whose `returnResults` is false. */
  readonly results: Results
}

export interface Rows {
  /**
   * One result for each get, in their order. Fewer where the limit of bytes was reached: the other gets are unanswered.
   * Throws NO_SUCH_COLUMN_FAMILY, and NOT_SERVING_REGION for a row outside the target's region.
   */
  get(target: Target, gets: readonly Get[], limits: GetLimits, call: Call): Promise<Results>
  /** A target region bounds the scan. Throws NO_SUCH_COLUMN_FAMILY, and DO_NOT_RETRY for an impossible scan. */
  openScanner(target: Target, scan: Scan, call: Call): Promise<OpenScanner>
  /**
   * Resolves to the mutations that were not applied, in order (NO_SUCH_COLUMN_FAMILY and the like), once the others are as
   * durable as asked. Throws REGION_TOO_BUSY for all.
   */
  mutate(target: Target, batch: MutationBatch, call: Call): Promise<readonly MutationFailure[]>
  /** Throws as mutate does, and DO_NOT_RETRY for an increment of a value that is not 8 bytes. */
  mutateRow(target: Target, mutation: RowMutation, call: Call): Promise<RowMutationOutcome>
  /**
   * Resolves to false where a condition did not hold. Throws as mutateRow; a row outside the region of the first one is
   * DO_NOT_RETRY.
   */
  mutateRows(target: Target, mutation: RowsMutation, call: Call): Promise<boolean>
}

/** The part of the methods that changes nothing. */
export type ReadRows = Pick<Rows, 'get' | 'openScanner'>
