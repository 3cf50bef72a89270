/** Requests of rows under the limits of hbase:quota. Where nobody has set one, they cost a look at a field more. */

import { CellCursor } from '../../model/cell-block.ts'
import type { RowMutation, RowPart } from '../../model/mutation.ts'
import type { ScannedResults } from '../../model/results.ts'
import type { TableName } from '../../model/table-name.ts'
import type { Call } from '../../store/call.ts'
import { withMethods } from '../../store/decorate.ts'
import type { HandoutId, Handouts } from '../../store/handouts.ts'
import type { Rows } from '../../store/rows.ts'
import { targetTable } from '../../store/target.ts'
import { OperationQuota } from './operation-quota.ts'
import type { QuotaCache } from './quota-cache.ts'

const CELL_PREFIX_BYTES = 4

interface Sizes {
  readonly writeBytes: number
  readonly readBytes: number
}

const NOTHING: Sizes = { writeBytes: 0, readBytes: 0 }

export class Throttled {
  readonly rows: Rows
  readonly handouts: Handouts
  readonly #cache: QuotaCache
  readonly #now: () => number
  /** The tables of open scanners. */
  readonly #tables = new Map<HandoutId, TableName>()

  /** `now`: milliseconds since any fixed moment. */
  constructor(
    rows: Rows,
    handouts: Handouts,
    cache: QuotaCache,
    now: () => number = () => performance.now(),
  ) {
    this.#cache = cache
    this.#now = now
    this.rows = this.#rows(rows)
    this.handouts = this.#handouts(handouts)
  }

  #rows(rows: Rows): Rows {
    return {
      get: (target, gets, limits, call) =>
        this.#batch(
          targetTable(target),
          call,
          0,
          gets.length,
          () => rows.get(target, gets, limits, call),
          read,
        ),
      openScanner: async (target, scan, call) => {
        const opened = await rows.openScanner(target, scan, call)
        this.#tables.set(opened.id, targetTable(target))
        return opened
      },
      mutate: (target, batch, call) =>
        this.#batch(
          targetTable(target),
          call,
          batch.length,
          0,
          () => rows.mutate(target, batch, call),
          () => written(batch.cells),
        ),
      mutateRow: (target, mutation, call) =>
        this.#batch(
          targetTable(target),
          call,
          mutation.operations.length,
          readsOf(mutation),
          () => rows.mutateRow(target, mutation, call),
          () => writtenBy([mutation]),
        ),
      mutateRows: (target, mutation, call) =>
        this.#batch(
          targetTable(target),
          call,
          mutation.parts.length,
          mutation.parts.reduce((sum, part) => sum + readsOf(part), 0),
          () => rows.mutateRows(target, mutation, call),
          () => writtenBy(mutation.parts),
        ),
    }
  }

  #handouts(handouts: Handouts): Handouts {
    return withMethods(handouts, {
      next: (id, limits, call) => {
        const table = this.#tables.get(id)
        const work = (): ReturnType<Handouts['next']> => handouts.next(id, limits, call)
        if (table === undefined) return work()
        const begin = (): OperationQuota | undefined => {
          const found = this.#limitsOf(table, call)
          return found && OperationQuota.ofScan(found, this.#now())
        }
        return this.#under(call, begin, work, ({ results }) => read(results))
      },
      closeScanner: (id) => {
        this.#tables.delete(id)
        return handouts.closeScanner(id)
      },
    })
  }

  #limitsOf(table: TableName, { principal }: Call): ReturnType<QuotaCache['limitsOf']> {
    return this.#cache.limitsOf(principal?.user, table)
  }

  #batch<T>(
    table: TableName,
    call: Call,
    writes: number,
    reads: number,
    work: () => Promise<T>,
    sizes: (value: T) => Sizes,
  ): Promise<T> {
    const begin = (): OperationQuota | undefined => {
      const found = this.#limitsOf(table, call)
      return found && OperationQuota.ofBatch(found, writes, reads, this.#now())
    }
    return this.#under(call, begin, work, sizes)
  }

  #under<T>(
    call: Call,
    begin: () => OperationQuota | undefined,
    work: () => Promise<T>,
    sizes: (value: T) => Sizes,
  ): Promise<T> {
    // Calls of the server itself are under no limit.
    if (call.isOwn) return work()
    if (!this.#cache.isCurrent) return this.#cache.load().then(() => counted(begin, work, sizes))
    return counted(begin, work, sizes)
  }
}

function counted<T>(
  begin: () => OperationQuota | undefined,
  work: () => Promise<T>,
  sizes: (value: T) => Sizes,
): Promise<T> {
  let quota: OperationQuota | undefined
  try {
    quota = begin()
  } catch (error) {
    return Promise.reject(error)
  }
  return quota === undefined ? work() : countedBy(quota, work, sizes)
}

async function countedBy<T>(
  quota: OperationQuota,
  work: () => Promise<T>,
  sizes: (value: T) => Sizes,
): Promise<T> {
  let { writeBytes, readBytes } = NOTHING
  try {
    const value = await work()
    ;({ writeBytes, readBytes } = sizes(value))
    return value
  } finally {
    quota.end(writeBytes, readBytes)
  }
}

function read({ cells, counts }: ScannedResults): Sizes {
  const count = counts.reduce((sum, each) => sum + each, 0)
  return { writeBytes: 0, readBytes: cells.byteLength - CELL_PREFIX_BYTES * count }
}

function written({ length, count }: { readonly length: number; readonly count: number }): Sizes {
  return { writeBytes: length - CELL_PREFIX_BYTES * count, readBytes: 0 }
}

function writtenBy(parts: readonly RowPart[]): Sizes {
  let writeBytes = 0
  for (const { operations } of parts) {
    for (const { cells } of operations) {
      const cursor = new CellCursor(cells)
      while (cursor.next()) writeBytes += cursor.cellLength
    }
  }
  return { writeBytes, readBytes: 0 }
}

/** A change reads where it has a condition, and where it adds to what is there. */
function readsOf({ condition, operations }: RowPart | RowMutation): number {
  if (condition !== undefined) return operations.length
  return operations.filter(({ kind }) => kind !== 'mutate').length
}
