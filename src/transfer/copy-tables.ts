/** Copies tables one after the other, and saves the position so that a copy can resume. */

import { type TableDescriptor } from '../model/descriptor.ts'
import { HBaseError, isHBaseError } from '../model/errors.ts'
import { DEFAULT_NAMESPACE, namespaceOf, type TableName } from '../model/table-name.ts'
import type { Call } from '../store/call.ts'
import type { Store } from '../store/store.ts'
import { CellLabels, checkLabels } from './cell-labels.ts'
import { type CopyRange, plannedRanges } from './copy-ranges.ts'
import { copyTable } from './copy-table.ts'
import { lossOfRegions } from './losses.ts'
import { type CopyProgress, TransferProgress } from './progress.ts'
import { RateLimit } from './rate-limit.ts'
import type { Part } from './raw-cells.ts'
import type { CopyState, RangeState, StateKeeper, TableState } from './resume-file.ts'

export interface TableToCopy {
  readonly from: TableName
  readonly to: TableName
}

export interface CopyJob {
  readonly source: Store
  readonly destination: Store
  readonly tables: readonly TableToCopy[]
  readonly part: Part
  /** True: creates the tables and namespaces that the destination does not have. */
  readonly create: boolean
  /** The name of the job in the saved state. */
  readonly name: string
  readonly keeper: StateKeeper | undefined
  readonly bytesPerSecond: number
  readonly call: Call
  /** The time in milliseconds, from any origin. */
  readonly now: () => number
  readonly pause: (milliseconds: number) => Promise<void>
  /** Gets the progress once a second, and at the end of each table. */
  readonly report: (progress: CopyProgress) => void
  /** Called where the copy of a table begins; the returned function, where it ends. */
  readonly begins?: (progress: TransferProgress) => () => void
  /** Gets a text, once for each table, about each kind of data that is not copied. */
  readonly warn?: (text: string) => void
  /**
   * Gets each table that is not copied, or not to its end, with the reason; the other tables are copied all the same. Undefined: such a table ends the
   * copy.
   */
  readonly leftOut?: (table: string, reason: unknown) => void
}

/** Errors of a whole server, which the next table would meet as well. */
export const OF_SERVER: ReadonlySet<string> = new Set(['UNAVAILABLE', 'TIMEOUT', 'CALLER_GONE'])

/** Copies the tables. Throws HBaseErrors, and an Error where the saved state is of another job. Returns the progress of those that are copied now. */
export async function copyTables(job: CopyJob): Promise<CopyProgress[]> {
  const { keeper, now, pause, leftOut } = job
  const state: CopyState = keeper?.load() ?? { job: job.name, tables: {} }
  if (state.job !== job.name)
    throw new Error(`the resume file is of another copy, ${state.job}: name another file, or remove it`)
  const rate = new RateLimit(job.bytesPerSecond, now, pause)
  const reports: CopyProgress[] = []
  const copies = new TableCopies(job, rate, state)
  for (const table of job.tables) {
    try {
      const report = await copies.copy(table)
      if (report !== undefined) reports.push(report)
    } catch (error) {
      if (leftOut === undefined || (isHBaseError(error) && OF_SERVER.has(error.code))) throw error
      leftOut(table.from, error)
    }
  }
  return reports
}

/** The tables of a copy, one after the other. */
class TableCopies {
  readonly #job: CopyJob
  readonly #rate: RateLimit
  #state: CopyState

  constructor(job: CopyJob, rate: RateLimit, state: CopyState) {
    this.#job = job
    this.#rate = rate
    this.#state = state
  }

  /** Undefined: the table was copied by an earlier run. Throws HBaseErrors. */
  async copy({ from, to }: TableToCopy): Promise<CopyProgress | undefined> {
    const { source, destination, part, call, now, pause, report, begins, warn } = this.#job
    const key = `${from} ${to}`
    const before = this.#state.tables[key]
    const name = from === to ? from : `${from} to ${to}`
    if (before?.done === true) {
      warn?.(`${name}: the resume file says that all of it is copied: nothing was done`)
      return undefined
    }
    // A disabled table has no rows that can be read, and the schema of one is not worth a half copy.
    if (await isDisabled(source, from, call)) throw new HBaseError('TABLE_NOT_ENABLED', from)
    const progress = new TransferProgress(name, now, report, warn)
    const labels = await CellLabels.between(this.#job, from, call)
    if (labels?.mayRefuse === true) await checkLabels(labels, source, from, part, call)
    progress.lost(await checkDestination(this.#job, from, to))
    const ranges = await this.#rangesOf(from, before)
    const reached = (index: number, range: CopyRange): void => {
      ranges[index] = range
      this.#note(key, { row: '', done: false, ranges: ranges.map(rangeState) })
    }
    const rate = this.#rate
    const both = { source, destination, from, to, part, labels, call }
    const ends = begins?.(progress)
    try {
      await copyTable({ ...both, rate, progress, pause, ranges: [...ranges], reached })
    } finally {
      ends?.()
    }
    this.#note(key, { row: '', done: true })
    return progress.done()
  }

  /** The regions of the source may be others than at the first run: its ranges count. */
  async #rangesOf(from: TableName, before: TableState | undefined): Promise<CopyRange[]> {
    const { source, part, call } = this.#job
    if (before?.ranges !== undefined) return before.ranges.map(rangeOfState)
    const after = before === undefined || before.row === '' ? undefined : Buffer.from(before.row, 'base64')
    return plannedRanges(source, from, part, after, call)
  }

  #note(key: string, table: TableState): void {
    this.#state = { ...this.#state, tables: { ...this.#state.tables, [key]: table } }
    this.#job.keeper?.save(this.#state)
  }
}

function rangeState({ startRow, stopRow, row, done }: CopyRange): RangeState {
  const [start, stop] = [startRow.toString('base64'), stopRow.toString('base64')]
  return { start, stop, done, ...(row !== undefined && { row: row.toString('base64') }) }
}

function rangeOfState({ start, stop, row, done }: RangeState): CopyRange {
  return {
    startRow: Buffer.from(start, 'base64'),
    stopRow: Buffer.from(stop, 'base64'),
    row: row === undefined ? undefined : Buffer.from(row, 'base64'),
    done,
  }
}

/** False where the table is not there, or its state is not shown: its scan then says why it cannot be read. */
export async function isDisabled({ catalog }: Store, table: TableName, call: Call): Promise<boolean> {
  try {
    return (await catalog.tableState(table, call)) === 'DISABLED'
  } catch (error) {
    if (isHBaseError(error) && !OF_SERVER.has(error.code)) return false
    throw error
  }
}

/**
 * Creates the table if the job says so. Returns the loss that this causes; undefined: none. Throws where the destination's table lacks
 * families: their cells would be refused in the middle of the copy. Where the user may not read a schema, families are not compared.
 */
async function checkDestination(job: CopyJob, from: TableName, to: TableName): Promise<string | undefined> {
  const { source, destination, call, create } = job
  if (!(await destination.catalog.tableExists(to, call))) {
    if (!create)
      throw new Error(`the destination has no table ${to}: create it there, or let --create make it`)
    return makeTable(job, from, to)
  }
  const there = await schemaIfMay(destination, to, call)
  const wanted = there && (await schemaIfMay(source, from, call))
  if (there === undefined || wanted === undefined) return undefined
  const missing = familiesOf(wanted).filter((name) => !familiesOf(there).includes(name))
  const needed = missing.filter(
    (name) =>
      job.part.columns.length === 0 || job.part.columns.some(({ family }) => family.toString() === name),
  )
  if (needed.length > 0) throw new Error(`table ${to} of the destination has no family ${needed.join(', ')}`)
  return undefined
}

async function makeTable(job: CopyJob, from: TableName, to: TableName): Promise<string | undefined> {
  const { source, destination, call } = job
  const wanted = await source.catalog.table(from, call).catch((error: unknown) => {
    if (!isHBaseError(error) || error.code !== 'ACCESS_DENIED') throw error
    throw new Error(
      `--create needs the schema of ${from}, which the source shows to users with CREATE or ADMIN for the table: ` +
        `grant one of them at the source, or make the table at the destination first (${error.message})`,
      { cause: error },
    )
  })
  await makeNamespace(job, namespaceOf(to))
  const regions = await source.catalog.regions(from, call)
  const splits = regions.map(({ startKey }) => startKey).filter((key) => key.length > 0)
  const loss = lossOfRegions(destination, regions.length)
  await destination.catalog.createTable({ ...wanted, name: to }, loss === undefined ? splits : [], call)
  return loss
}

/** The table's descriptor; undefined where the user may not read it. */
export async function schemaIfMay(
  { catalog }: Store,
  table: TableName,
  call: Call,
): Promise<TableDescriptor | undefined> {
  try {
    return await catalog.table(table, call)
  } catch (error) {
    if (isHBaseError(error) && error.code === 'ACCESS_DENIED') return undefined
    throw error
  }
}

async function makeNamespace({ destination, call }: CopyJob, name: string): Promise<void> {
  if (name === DEFAULT_NAMESPACE) return
  const names = (await destination.catalog.listNamespaces(call)).map((each) => each.name)
  if (!names.includes(name)) await destination.catalog.createNamespace({ name, properties: new Map() }, call)
}

function familiesOf({ families }: TableDescriptor): string[] {
  return families.map(({ name }) => name.toString())
}
