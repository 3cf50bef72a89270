/**
 * Looks again at rows that differ before they are reported: a change may be on its way to the other side. A difference is reported if it was
 * the same at every look of the time that it has to settle. A row that keeps changing has new differences at each look, and none that lasts.
 */

import { rowAfter } from '../copy-ranges.ts'
import { type ComparedTable, compareRows } from './compared-table.ts'
import { lasting, type RowDifference } from './differences.ts'

export interface SecondLooksJob {
  readonly table: ComparedTable
  /** Milliseconds that a difference has to go away. */
  readonly settleMs: number
  readonly pause: (milliseconds: number) => Promise<void>
  readonly took: (bytes: number) => Promise<void>
  /** Gets each row with the differences that have lasted. */
  readonly report: (difference: RowDifference) => void
}

/** When looks begin, in parts of the time. */
const LOOKS: readonly number[] = [0.05, 0.1, 0.2, 0.4, 1]
/** Neighbours that are looked at together. */
const RUN_ROWS_MAX = 500
/** Rows and cells that wait for a look; the comparison waits while there are more. */
const WAITING_ROWS_MAX = 20_000
const WAITING_CELLS_MAX = 200_000
/** How often a row may have other differences than before: it counts as changing then. */
const ROUNDS_MAX = 3
/** Looks at the same time. */
const LOOKS_AT_ONCE = 8

export class SecondLooks {
  readonly #job: SecondLooksJob
  readonly #running = new Set<Promise<void>>()
  readonly #queue: (() => void)[] = []
  #looking = 0
  #rows = 0
  #cells = 0
  #failure: { readonly error: unknown } | undefined
  /** Rows that had new differences again and again, none of which lasted. */
  changing = 0

  constructor(job: SecondLooksJob) {
    this.#job = job
  }

  /** Rows that differ, and that are looked at again. */
  get waiting(): number {
    return this.#rows
  }

  /** Rows of one range, which are added in their order. */
  range(): RunOfRows {
    return new RunOfRows((rows) => this.#begin(rows))
  }

  /** Resolves when more rows may be added. Throws what a look has thrown. */
  async room(): Promise<void> {
    while (this.#rows > WAITING_ROWS_MAX || this.#cells > WAITING_CELLS_MAX) await Promise.race(this.#running)
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Resolves when all looks have ended. Throws what a look has thrown. */
  async end(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Ends all looks, of which no result is wanted. */
  async stop(): Promise<void> {
    this.#failure ??= { error: undefined }
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** `round`: how often all differences of the rows have been replaced by others. */
  #begin(rows: readonly RowDifference[], round = 0): void {
    const cells = rows.reduce((sum, row) => sum + row.cells.length, 0)
    this.#rows += rows.length
    this.#cells += cells
    const run: Promise<void> = this.#settle(rows, round)
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .finally(() => {
        this.#rows -= rows.length
        this.#cells -= cells
        this.#running.delete(run)
      })
    this.#running.add(run)
  }

  async #settle(rows: readonly RowDifference[], round: number): Promise<void> {
    let left = rows
    let passed = 0
    for (const at of LOOKS) {
      await this.#job.pause((at - passed) * this.#job.settleMs)
      passed = at
      if (this.#failure !== undefined) return
      const looked = await this.#look(left)
      left = looked.lasting
      if (looked.changed.length > 0) {
        if (round < ROUNDS_MAX) this.#begin(looked.changed, round + 1)
        else this.changing += looked.changed.length
      }
      if (left.length === 0) return
    }
    for (const row of left) this.#job.report(row)
  }

  async #look(rows: readonly RowDifference[]): Promise<Looked> {
    const found = await this.#differencesNow(rows)
    const looked: Looked = { lasting: [], changed: [] }
    for (const before of rows) {
      const now = found.get(before.row.toString('latin1'))
      const lasts = lasting(before, now)
      if (lasts !== undefined) looked.lasting.push(lasts)
      else if (now !== undefined) looked.changed.push(now)
    }
    return looked
  }

  async #differencesNow(rows: readonly RowDifference[]): Promise<Map<string, RowDifference>> {
    const found = new Map<string, RowDifference>()
    const asked = new Set(rows.map(({ row }) => row.toString('latin1')))
    const { table, took } = this.#job
    await this.#turn()
    try {
      const range = { startRow: rows[0]!.row, stopRow: rowAfter(rows.at(-1)!.row) }
      const keep = (difference: RowDifference): void => {
        const row = difference.row.toString('latin1')
        if (asked.has(row)) found.set(row, difference)
      }
      await compareRows(table, range, { bytesMax: Number.POSITIVE_INFINITY, found: keep, took })
    } finally {
      this.#looking--
      this.#queue.shift()?.()
    }
    return found
  }

  async #turn(): Promise<void> {
    while (this.#looking >= LOOKS_AT_ONCE) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#looking++
  }
}

interface Looked {
  /** Differences that have lasted. */
  readonly lasting: RowDifference[]
  /** Rows that differ, but in no way that they did before. */
  readonly changed: RowDifference[]
}

/** Gathers neighbours that differ, without an equal row between them. */
export class RunOfRows {
  readonly #begin: (rows: readonly RowDifference[]) => void
  #rows: RowDifference[] = []

  constructor(begin: (rows: readonly RowDifference[]) => void) {
    this.#begin = begin
  }

  add(difference: RowDifference, follows: boolean): void {
    if (!follows || this.#rows.length >= RUN_ROWS_MAX) this.end()
    this.#rows.push(difference)
  }

  /** No further row of the range comes. */
  end(): void {
    if (this.#rows.length > 0) this.#begin(this.#rows)
    this.#rows = []
  }
}
