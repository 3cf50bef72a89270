/** A store whose calls fail by rules, for tests of clients. */

import { setTimeout as passes } from 'node:timers/promises'
import { CellCursor } from '../../../model/cell-block.ts'
import { HBaseError } from '../../../model/errors.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import type { Call } from '../../../store/call.ts'
import { withFacets, withMethods } from '../../../store/decorate.ts'
import type { HandoutId, Handouts, OpenScanner } from '../../../store/handouts.ts'
import type { MutationFailure, Rows } from '../../../store/rows.ts'
import type { Store } from '../../../store/store.ts'
import { type Target, targetTable } from '../../../store/target.ts'
import type { Fault, FaultRules, Operation } from './fault-rules.ts'

/** Ends the connection of the call's client without an answer. */
export type HangUp = (call: Call) => void

export function withFaults<Own extends Store>(
  store: Own,
  rules: FaultRules,
  hangUp: HangUp,
): Store & Pick<Own, 'catalog'> {
  const faults = new Faults(rules, hangUp)
  return withFacets(store, {
    rows: faultyRows(store, faults),
    handouts: withMethods(store.handouts, faultyHandouts(store.handouts, faults)),
    catalog: store.catalog,
  })
}

class Faults {
  readonly #rules: FaultRules
  readonly #hangUp: HangUp
  /** The tables of open scanners. */
  readonly tables = new Map<HandoutId, string>()

  constructor(rules: FaultRules, hangUp: HangUp) {
    this.#rules = rules
    this.#hangUp = hangUp
  }

  faultFor(operation: Operation, table: string | undefined): Fault | undefined {
    return this.#rules.faultFor(operation, table)
  }

  /** Makes the call with its fault. */
  async around<T>(fault: Fault | undefined, call: Call, work: () => Promise<T>): Promise<T> {
    if (fault === undefined) return await work()
    if (fault.delayMs !== undefined) await passes(fault.delayMs)
    if (fault.hangUp === 'before') this.#gone(call)
    if (fault.error !== undefined && fault.failEach === undefined) throw failure(fault.error)
    const result = await work()
    if (fault.hangUp === 'after') this.#gone(call)
    return result
  }

  #gone(call: Call): never {
    this.#hangUp(call)
    throw new HBaseError('CALLER_GONE', 'a rule of the test mode ends the connection')
  }
}

function failure({ code, name }: NonNullable<Fault['error']>): HBaseError {
  return new HBaseError(code, `${name} by a rule of the test mode`)
}

function faultyRows({ rows, handouts }: Store, faults: Faults): Rows {
  const around = <T>(operation: Operation, target: Target, call: Call, work: () => Promise<T>): Promise<T> =>
    faults.around(faults.faultFor(operation, targetTable(target)), call, work)
  return {
    get: (target, gets, limits, call) =>
      around('get', target, call, () => rows.get(target, gets, limits, call)),
    openScanner: async (target, scan, call) => {
      let opened: OpenScanner | undefined
      try {
        await around('scan', target, call, async () => (opened = await rows.openScanner(target, scan, call)))
      } catch (error) {
        // The client has been cut off and does not know the scanner.
        if (opened !== undefined) await handouts.closeScanner(opened.id)
        throw error
      }
      faults.tables.set(opened!.id, targetTable(target))
      return opened!
    },
    mutate: (target, batch, call) => {
      const fault = faults.faultFor('write', targetTable(target))
      return faults.around(fault, call, () => mutateSome(rows, target, batch, call, fault))
    },
    mutateRow: (target, mutation, call) =>
      around('write', target, call, () => rows.mutateRow(target, mutation, call)),
    mutateRows: (target, mutation, call) =>
      around('write', target, call, () => rows.mutateRows(target, mutation, call)),
  }
}

/** Applies the batch without the mutations that fail by the rule. Their failures are added to those of the store. */
async function mutateSome(
  rows: Rows,
  target: Target,
  batch: MutationBatch,
  call: Call,
  fault: Fault | undefined,
): Promise<readonly MutationFailure[]> {
  const { failEach, error } = fault ?? {}
  if (failEach === undefined || error === undefined) return await rows.mutate(target, batch, call)
  const failed: number[] = []
  const kept: number[] = []
  for (let index = 0; index < batch.length; index++)
    ((index + 1) % failEach === 0 ? failed : kept).push(index)
  const failures = kept.length === 0 ? [] : await rows.mutate(target, only(batch, kept), call)
  return [
    ...failures.map((one) => ({ ...one, index: kept[one.index]! })),
    ...failed.map((index) => ({ index, error: failure(error) })),
  ].sort((a, b) => a.index - b.index)
}

function only(batch: MutationBatch, indexes: readonly number[]): MutationBatch {
  const some = new MutationBatch()
  for (const index of indexes) {
    const cursor = new CellCursor(batch.blockOf(index))
    while (cursor.next()) some.cells.appendCell(cursor.buffer, cursor.cell, cursor.cellLength)
    some.endMutation(batch.options[index])
  }
  return some
}

function faultyHandouts(handouts: Handouts, faults: Faults): Pick<Handouts, 'next' | 'closeScanner'> {
  const closeScanner = async (scanner: HandoutId): Promise<void> => {
    faults.tables.delete(scanner)
    await handouts.closeScanner(scanner)
  }
  return {
    next: async (scanner, limits, call) => {
      const fault = faults.faultFor('next', faults.tables.get(scanner))
      if (fault?.loseScanner === true) {
        await closeScanner(scanner)
        throw new HBaseError('UNKNOWN_SCANNER', `scanner ${scanner} is lost by a rule of the test mode`)
      }
      return await faults.around(fault, call, () => handouts.next(scanner, limits, call))
    },
    closeScanner,
  }
}
