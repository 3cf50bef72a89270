/**
 * Reads of a thread by rights of the same moment. A thread decides by the rights that it has, and takes its read point after that. Between the two the
 * main thread may take rights away and write a row that their user must not see. So the count of changes is compared once the read point is taken; where
 * it has moved, the read begins anew.
 */

import { HBaseError } from '../../../model/errors.ts'
import type { Handouts } from '../../../store/handouts.ts'
import type { ReadRows } from '../../../store/rows.ts'
import type { ChangeCount } from './current-content.ts'

/** The main thread, which changes rights itself, answers a read after so many attempts. */
const ATTEMPTS = 3

class RightsHaveChanged extends Error {}

interface ReadsParts {
  readonly rows: ReadRows
  readonly handouts: Handouts
}

/** `rows`: before any policy. A read ends with RightsHaveChanged where its read point came after a change of rights that `anewWithRights` does not know. */
export function checkedAtReadPoint({ rows, handouts }: ReadsParts, counts: readonly ChangeCount[]): ReadRows {
  return {
    get: (target, gets, limits, call) => {
      // Its read point is taken before the method returns.
      const results = rows.get(target, gets, limits, call)
      if (call.rights === undefined || call.rights === sumOf(counts)) return results
      results.then(
        ({ loan }) => loan !== undefined && handouts.release(loan),
        () => undefined,
      )
      return Promise.reject(new RightsHaveChanged())
    },
    openScanner: (target, scan, call) => {
      const opened = rows.openScanner(target, scan, call)
      if (call.rights === undefined || call.rights === sumOf(counts)) return opened
      opened.then(
        ({ id }) => handouts.closeScanner(id),
        () => undefined,
      )
      return Promise.reject(new RightsHaveChanged())
    },
  }
}

/** `rows`: checkedAtReadPoint behind the policies. Throws IO after some attempts, so that the read is asked of the main thread. */
export function anewWithRights(rows: ReadRows, counts: readonly ChangeCount[]): ReadRows {
  return {
    get: (target, gets, limits, call) =>
      untilRightsStay(() => rows.get(target, gets, limits, { ...call, rights: sumOf(counts) })),
    openScanner: (target, scan, call) =>
      untilRightsStay(() => rows.openScanner(target, scan, { ...call, rights: sumOf(counts) })),
  }
}

async function untilRightsStay<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof RightsHaveChanged)) throw error
    }
  }
  throw new HBaseError('IO', 'rights have changed at each attempt of a read')
}

/** Counts only grow: where the sum is the same, each of them is. */
function sumOf(counts: readonly ChangeCount[]): number {
  let sum = 0
  for (const { value } of counts) sum += value
  return sum
}
