/** Compares tables of two stores, one after the other, and reports the cells that differ. Both may be changing meanwhile. */

import { isHBaseError } from '../../model/errors.ts'
import type { TableName } from '../../model/table-name.ts'
import { TimeRange } from '../../model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../model/timestamp.ts'
import type { Call } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import { plannedRanges } from '../copy-ranges.ts'
import { isDisabled, OF_SERVER, schemaIfMay, type TableToCopy } from '../copy-tables.ts'
import { CoveredRows, lastRowOf } from '../covered-rows.ts'
import { inLanes } from '../lanes.ts'
import { type CopyProgress, TransferProgress } from '../progress.ts'
import { RateLimit } from '../rate-limit.ts'
import type { Part } from '../raw-cells.ts'
import type { Compared } from './compare-range.ts'
import { type ComparedTable, compareRows } from './compared-table.ts'
import { ComparedTags } from './compared-tags.ts'
import type { DifferenceKind, RowDifference } from './differences.ts'
import { differingRules, type FamilyRules } from './reader-rules.ts'
import { SecondLooks } from './second-looks.ts'

export interface VerifyJob {
  readonly source: Store
  readonly target: Store
  readonly tables: readonly TableToCopy[]
  readonly part: Part
  /** True: all cells that are stored: markers of deletes, hidden cells, more versions than readers see. */
  readonly raw: boolean
  /**
   * Compares only rows that have a cell or a marker of this time or later, by all that readers see of them. Undefined: all rows. It excludes
   * `raw`, and a time range.
   */
  readonly changedSince?: bigint | undefined
  /** Milliseconds that a difference has to go away before it is reported. */
  readonly settleMs: number
  readonly bytesPerSecond: number
  readonly call: Call
  /** The time in milliseconds, from any origin. */
  readonly now: () => number
  /** Milliseconds since 1970. */
  readonly wallClock: () => number
  readonly pause: (milliseconds: number) => Promise<void>
  /** Gets the progress once a second. */
  readonly report: (progress: CopyProgress) => void
  /** Called where the comparison of a table begins; the returned function, where it ends. */
  readonly begins?: (progress: TransferProgress) => () => void
  /** All is compared, and so many rows that differ get so many milliseconds to become equal. There is no progress in the meantime. */
  readonly settles: (table: string, rows: number, milliseconds: number) => void
  /** Gets each row that differs. */
  readonly differs: (table: string, difference: RowDifference) => void
  /** Gets the sum of each table. */
  readonly compared: (sum: VerifySum) => void
  readonly warn: (text: string) => void
  /** Gets each table that is not compared, or not to its end, with the reason; the others are compared. */
  readonly leftOut: (table: string, reason: unknown) => void
}

export interface VerifySum extends CopyProgress {
  /** Rows that differ, also those of which only tags do. */
  readonly rowsDiffering: number
  /** Differing cells by their kind. Of a row with more than CELLS_OF_ROW_MAX of them, these and no more are counted by kind. */
  readonly differences: Readonly<Record<DifferenceKind, number>>
  /** Differing cells beyond those in `differences`. */
  readonly moreDifferences: number
  /** Rows that changed at each look; none of their differences lasted. */
  readonly rowsChanging: number
}

/** Ranges that are compared at a time. */
const LANES = 4
/** Bytes of one side after which a range is read anew, as it is then: a scanner holds on to the files that it began with. */
const RANGE_BYTES = 256 * 1024 * 1024

/** Throws HBaseErrors of a whole server; other failures leave out their table. */
export async function verifyTables(job: VerifyJob): Promise<VerifySum[]> {
  const silent = [job.source, job.target].find(({ reach }) => reach?.readsMarkers === false)
  if ((job.raw || job.changedSince !== undefined) && silent !== undefined)
    throw new Error(
      `${silent.reach!.protocol} shows no markers of deletes: compare without --raw and --changed-since`,
    )
  const rate = new RateLimit(job.bytesPerSecond, job.now, job.pause)
  const sums: VerifySum[] = []
  for (const table of job.tables) {
    try {
      const sum = await verifyTable(job, rate, table)
      sums.push(sum)
      job.compared(sum)
    } catch (error) {
      if (isHBaseError(error) && OF_SERVER.has(error.code)) throw error
      job.leftOut(nameOf(table), error)
    }
  }
  return sums
}

function nameOf({ from, to }: TableToCopy): string {
  return from === to ? from : `${from} to ${to}`
}

async function verifyTable(job: VerifyJob, rate: RateLimit, names: TableToCopy): Promise<VerifySum> {
  const { source, target, part, raw, call, now, report, warn, pause, wallClock } = job
  const { from, to } = names
  await checkReadable(source, from, 'source', call)
  await checkReadable(target, to, 'destination', call)
  let isSettling = false
  const reportOf = (each: CopyProgress): void => {
    if (!each.isDone && !isSettling) report(each)
  }
  const progress = new TransferProgress(nameOf(names), now, reportOf, warn)
  const omits = progress.lost.bind(progress)
  const tags = await ComparedTags.between(source, target, from, call, omits)
  const rules = raw ? undefined : await rulesOf(job, names, progress)
  const table: ComparedTable = { source, target, from, to, part, raw, tags, rules, call, wallClock }
  const sum = new Differences()
  const took = async (bytes: number): Promise<void> => {
    progress.bytes += bytes
    progress.moved()
    await rate.take(bytes)
  }
  const looks = new SecondLooks({
    table,
    settleMs: job.settleMs,
    pause,
    took,
    report: (difference) => {
      sum.add(difference)
      job.differs(nameOf(names), difference)
    },
  })
  const ends = job.begins?.(progress)
  try {
    await compareAll(firstPass(table, job.changedSince), progress, looks, took)
    isSettling = true
    if (looks.waiting > 0 && job.settleMs > 0) job.settles(nameOf(names), looks.waiting, job.settleMs)
    await looks.end()
  } finally {
    ends?.()
    await looks.stop()
  }
  return { ...progress.done(), ...sum.counts(), rowsChanging: looks.changing }
}

/**
 * Rows of late changes are found by all stored cells of that time: a marker is no cell that readers see. Where these differ, the looks that
 * follow compare the rows as readers see them.
 */
function firstPass(table: ComparedTable, changedSince: bigint | undefined): ComparedTable {
  if (changedSince === undefined) return table
  const timeRange = TimeRange.between(changedSince, LATEST_TIMESTAMP)
  return { ...table, part: { ...table.part, timeRange }, raw: true, rules: undefined }
}

async function compareAll(
  table: ComparedTable,
  progress: TransferProgress,
  looks: SecondLooks,
  took: (bytes: number) => Promise<void>,
): Promise<void> {
  const ranges = await plannedRanges(table.source, table.from, table.part, undefined, table.call)
  progress.regions = ranges.length
  const covered = new CoveredRows(ranges, await lastRowOf(table.source, table.from, table.part, table.call))
  progress.covered = covered
  await inLanes(ranges.length, LANES, async (index, isOver) => {
    const { startRow, stopRow, done } = ranges[index]!
    for (let next = done ? undefined : startRow; next !== undefined && !isOver(); ) {
      const rows = looks.range()
      const found = rows.add.bind(rows)
      const wait = async (bytes: number, { rows: more, cells, row }: Compared): Promise<void> => {
        progress.rows += more
        progress.cells += cells
        if (row !== undefined) covered.reached(index, row)
        await took(bytes)
        await looks.room()
      }
      const compared = await compareRows(
        table,
        { startRow: next, stopRow },
        { bytesMax: RANGE_BYTES, found, took: wait },
      )
      rows.end()
      progress.rows += compared.rows
      progress.cells += compared.cells
      next = compared.next
    }
    covered.ended(index)
    progress.regionsDone++
  })
}

async function checkReadable(store: Store, table: TableName, side: string, call: Call): Promise<void> {
  if (!(await store.catalog.tableExists(table, call))) throw new Error(`the ${side} has no table ${table}`)
  if (await isDisabled(store, table, call)) throw new Error(`${table} is disabled at the ${side}: enable it`)
}

async function rulesOf(
  { source, target, call }: VerifyJob,
  { from, to }: TableToCopy,
  progress: TransferProgress,
): Promise<FamilyRules | undefined> {
  const [schema, other] = [await schemaIfMay(source, from, call), await schemaIfMay(target, to, call)]
  const rules = schema && other && differingRules(schema, other)
  if (rules === undefined) return undefined
  const names = [...rules.keys()].map((name) => Buffer.from(name, 'latin1').toString()).join(', ')
  progress.lost(
    `both sides keep cells of family ${names} by other VERSIONS, MIN_VERSIONS or TTL: only the cells that both keep are compared`,
  )
  return rules
}

class Differences {
  #rows = 0
  #more = 0
  readonly #cells: Record<DifferenceKind, number> = { missing: 0, extra: 0, value: 0, tags: 0 }

  add({ cells, more }: RowDifference): void {
    this.#rows++
    this.#more += more
    for (const { kind } of cells) this.#cells[kind]++
  }

  counts(): Pick<VerifySum, 'rowsDiffering' | 'differences' | 'moreDifferences'> {
    return { rowsDiffering: this.#rows, differences: { ...this.#cells }, moreDifferences: this.#more }
  }
}
