/** The suite's view of a store under test, and the words in which its cases are written. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { TestRunner } from 'vitest'
import { openScanner, type Scanner } from '../../../src/gateway/reads/scanner.ts'
import { toStringBinary } from '../../../src/model/bytes.ts'
import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import type { HBaseError } from '../../../src/model/errors.ts'
import { MutationBatch, type MutationOptions } from '../../../src/model/mutation.ts'
import { ColumnsBuilder, type Get, get, type Query, type Scan, scan } from '../../../src/model/query.ts'
import { gathered, type ScannedResults } from '../../../src/model/results.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import type { GetLimits, MutationFailure } from '../../../src/store/rows.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Compaction, Upkeep } from '../../../src/store/upkeep.ts'

/** A clock that stands still until it is moved. */
export class TestClock {
  time = 1_700_000_000_000

  now(): number {
    return this.time
  }
}

/** A feature that a store may lack, if it says why. */
export type Feature =
  | 'asOf'
  | 'batchesAtOnce'
  | 'dropsOfEnabledTables'
  | 'flushesAtOnce'
  | 'faultyComparators'
  | 'noncesOfPuts'
  | 'onlyOneCreation'
  | 'progress'
  | 'regionTargets'
  | 'scannersOfGoneTables'
  | 'slowOpenings'
  | 'slowScans'
  | 'splitsAtOnce'
  | 'stillTime'
  | 'tags'
  | 'timeLimit'
  | 'watch'

export interface StoreUnderTest {
  readonly store: Store
  /** The clock that the store was opened with. */
  readonly clock: TestClock
  /** Closes the store and opens it again on its data; absent where a store keeps none. */
  readonly reopen?: () => Promise<Store>
  /** Kills the store and opens it again on the data that it had written. */
  readonly recover?: () => Promise<Store>
  /** The features that the store lacks, and why: cases that need them are left out. */
  readonly leavesOut?: Readonly<Partial<Record<Feature, string>>>
  /** Closes the store, if it is open, and removes its data. */
  readonly close: () => Promise<void>
}

export type OpenStore = () => Promise<StoreUnderTest>

/** The place of the cells when a case reads them. */
export type Whereabouts = 'as written' | 'flushed' | 'reopened' | 'recovered'

export const NO_LIMITS: ScanLimits = {
  rows: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
  allowPartial: false,
}

export const NO_GET_LIMITS: GetLimits = { bytes: Number.MAX_SAFE_INTEGER }

const TYPE_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(CellType).map(([name, code]) => [code, name]),
)

/** Each character a byte. */
export function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** `row/family:qualifier@timestamp=value`, or the tombstone's type in the place of the value. */
export function cellText(cell: CellParts): string {
  const [row, family, qualifier, value] = [cell.row, cell.family, cell.qualifier, cell.value].map(
    toStringBinary,
  )
  const content = cell.type === CellType.Put ? `=${value}` : ` ${TYPE_NAMES.get(cell.type)}`
  return `${row}/${family}:${qualifier}@${cell.timestamp}${content}`
}

/** A text for each result: its cells with a space between. */
export function resultTexts(results: ScannedResults): string[] {
  const { cells, counts } = gathered(results)
  const texts = cellsOf(cells).map(cellText)
  let from = 0
  return counts.map((count) => texts.slice(from, (from += count)).join(' '))
}

/** `f:q` is a column, `f` a whole family. */
export function columns(...names: string[]): { columns: Query['columns'] } {
  const builder = new ColumnsBuilder()
  for (const name of names) {
    const colon = name.indexOf(':')
    if (colon < 0) builder.addFamily(bytes(name))
    else builder.addColumn(bytes(name.slice(0, colon)), bytes(name.slice(colon + 1)))
  }
  return { columns: builder.build() }
}

export function familyOf(column: string): Buffer {
  return bytes(column.split(':', 1)[0]!)
}

export function qualifierOf(column: string): Buffer {
  return bytes(column.slice(column.indexOf(':') + 1))
}

/** The code and the message of the error that rejects a promise. */
export async function failure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    const { code, message } = error as HBaseError
    return `${code}: ${message}`
  }
  return 'no error'
}

export function failureTexts(failures: readonly MutationFailure[]): string[] {
  return failures.map(({ index, error }) => `${index} ${error.code}: ${error.message}`)
}

/** All results that a scanner still has; closes it. */
export async function drain(scanner: Scanner, limits: ScanLimits = NO_LIMITS): Promise<string[]> {
  const texts: string[] = []
  for (;;) {
    const { results, ended } = await scanner.next(limits, OWN_CALL)
    texts.push(...resultTexts(results))
    if (ended === 'scan') break
  }
  await scanner.close()
  return texts
}

/** Writes the table's memstores to files, where the store has such. */
export async function flushTable(store: Store, table: TableName): Promise<void> {
  await store.upkeep.flushes?.flushTable(table, OWN_CALL)
}

/** Asks for a compaction of the table and waits until none runs. */
export async function compactTable(store: Store, table: TableName, compaction: Compaction): Promise<void> {
  const compactions = store.upkeep.compactions!
  await compactions.compactTable(table, compaction, OWN_CALL)
  while ((await compactions.compactionState(table, OWN_CALL)) !== 'NONE') await nextTurn()
}

/** A store under test and the table that a case works on. */
export class Session {
  readonly under: StoreUnderTest
  readonly #whereabouts: Whereabouts
  store: Store
  table: TableName = parseTableName('t')

  constructor(under: StoreUnderTest, whereabouts: Whereabouts) {
    this.under = under
    this.store = under.store
    this.#whereabouts = whereabouts
  }

  get clock(): TestClock {
    return this.under.clock
  }

  /** The same store, at work on another table. */
  on(table: string): Session {
    const other = new Session(this.under, this.#whereabouts)
    other.store = this.store
    other.table = parseTableName(table)
    return other
  }

  has(feature: Feature): boolean {
    return this.under.leavesOut?.[feature] === undefined
  }

  /** Leaves the case out where the store does without the feature. */
  needs(feature: Feature): void {
    const reason = this.under.leavesOut?.[feature]
    if (reason !== undefined) throw TestRunner.getCurrentTest()!.context.skip(reason)
  }

  /** Leaves the case out where the store does without a part of the upkeep. */
  needsUpkeep(part: keyof Upkeep): void {
    if (this.store.upkeep[part] !== undefined) return
    throw TestRunner.getCurrentTest()!.context.skip(`the store has no upkeep of ${part}`)
  }

  /** Closes the store and opens it again, where it keeps its data. */
  async reopen(): Promise<void> {
    if (this.under.reopen !== undefined) this.store = await this.under.reopen()
  }

  /** Makes the table, whose families all have these attributes. */
  async create(families: readonly string[] = ['f'], attributes: Record<string, string> = {}): Promise<void> {
    const described = families.map((name) => familyDescriptor(name, Object.entries(attributes)))
    await this.store.catalog.createTable(tableDescriptor(this.table, described), [], OWN_CALL)
  }

  /** Brings the written cells to the place where the reads of this run are to find them. */
  async settle(): Promise<void> {
    if (this.#whereabouts === 'flushed') await flushTable(this.store, this.table)
    if (this.#whereabouts === 'reopened') await this.reopen()
    if (this.#whereabouts === 'recovered' && this.under.recover !== undefined) {
      this.store = await this.under.recover()
    }
  }

  /** A batch of one mutation, which must succeed. */
  async change(build: (batch: MutationBatch) => void, options?: MutationOptions): Promise<void> {
    const batch = new MutationBatch()
    build(batch)
    batch.endMutation(options)
    const failures = await this.store.rows.mutate(this.table, batch, OWN_CALL)
    if (failures.length > 0) throw failures[0]!.error
  }

  async put(row: string, column: string, value: string, timestamp?: bigint, ttlMs?: number): Promise<void> {
    const options: MutationOptions = { durability: 'USE_DEFAULT', ...(ttlMs === undefined ? {} : { ttlMs }) }
    await this.change(
      (batch) => batch.put(bytes(row), familyOf(column), qualifierOf(column), bytes(value), timestamp),
      options,
    )
  }

  /** Versions of one column with the timestamps as their values. */
  async putVersions(row: string, column: string, ...timestamps: bigint[]): Promise<void> {
    for (const timestamp of timestamps) await this.put(row, column, String(timestamp), timestamp)
  }

  /** So many rows of so many columns f:q0, f:q1, ..., in one batch. */
  async putRows(rows: number, cellsOfRow: number): Promise<void> {
    const batch = new MutationBatch()
    for (const row of this.manyRowKeys(rows)) {
      for (let i = 0; i < cellsOfRow; i++) batch.put(row, bytes('f'), bytes(`q${i}`), bytes('v'), 5n)
      batch.endMutation()
    }
    const failures = await this.store.rows.mutate(this.table, batch, OWN_CALL)
    if (failures.length > 0) throw failures[0]!.error
  }

  manyRowKeys(rows: number): Buffer[] {
    return Array.from({ length: rows }, (_, i) => bytes(`row${String(i).padStart(6, '0')}`))
  }

  /** The cells of one row. */
  async get(row: string, options: Partial<Query & Pick<Get, 'raw'>> = {}): Promise<string[]> {
    const results = await this.store.rows.get(this.table, [get(bytes(row), options)], NO_GET_LIMITS, OWN_CALL)
    return cellsOf(results.cells).map(cellText)
  }

  async scan(options: Partial<Scan> = {}, limits?: ScanLimits): Promise<string[]> {
    return drain(await openScanner(this.store, this.table, scan(options), OWN_CALL), limits)
  }
}
