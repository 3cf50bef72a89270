/** Reads of a table: gets and scans. Defaults are HBase's. */

import { compareBytes, EMPTY } from './bytes.ts'
import { asDetached } from './detached.ts'
import { HBaseError } from './errors.ts'
import type { Filter } from './filter.ts'
import { type Steps, sortInSteps } from './steps.ts'
import { TimeRange } from './time-range.ts'
import type { Visibility } from './visibility.ts'

/** One family, whole (`qualifiers` undefined) or some of its columns in byte order. */
export interface FamilyColumns {
  readonly family: Buffer
  readonly qualifiers: readonly Buffer[] | undefined
}

/** In byte order of the families; empty means every column of every family. */
export type Columns = readonly FamilyColumns[]

export const ALL_COLUMNS: Columns = []

/** Gathers columns as Get.addFamily and Get.addColumn do. */
export class ColumnsBuilder {
  readonly #families = new Map<string, AddedColumns>()

  /** The whole family; columns of it that were added before no longer count. */
  addFamily(family: Buffer): this {
    this.#families.set(family.toString('latin1'), { family, qualifiers: undefined, isSorted: true })
    return this
  }

  /** One more column; just the added columns, if the whole family was added before. */
  addColumn(family: Buffer, qualifier: Buffer): this {
    const key = family.toString('latin1')
    const known = this.#families.get(key)
    if (known?.qualifiers === undefined) {
      this.#families.set(key, { family, qualifiers: [qualifier], isSorted: true })
    } else {
      const { qualifiers } = known
      known.isSorted &&= compareBytes(qualifiers[qualifiers.length - 1]!, qualifier) < 0
      qualifiers.push(qualifier)
    }
    return this
  }

  /** As addColumn for each; of very many the order is looked at later, in the steps of `settle`. */
  addColumns(family: Buffer, qualifiers: readonly Buffer[]): this {
    if (qualifiers.length <= MANY_COLUMNS) {
      for (const qualifier of qualifiers) this.addColumn(family, qualifier)
      return this
    }
    const key = family.toString('latin1')
    const known = this.#families.get(key)
    if (known?.qualifiers === undefined)
      this.#families.set(key, { family, qualifiers: [...qualifiers], isSorted: undefined })
    else {
      for (const qualifier of qualifiers) known.qualifiers.push(qualifier)
      known.isSorted = undefined
    }
    return this
  }

  /** Work that `build` would do at once for very many columns, which then have bytes of their own; undefined: there is none. */
  settle(): Steps<void> | undefined {
    const many: AddedColumns[] = []
    for (const added of this.#families.values())
      if (added.qualifiers !== undefined && added.qualifiers.length > MANY_COLUMNS) many.push(added)
    return many.length === 0 ? undefined : settleColumns(many)
  }

  build(): Columns {
    if (this.#families.size === 0) return ALL_COLUMNS
    const columns = [...this.#families.values()].map(({ family, qualifiers, isSorted }) => ({
      family,
      qualifiers: isSorted === true ? qualifiers : qualifiers && sortedOnce(qualifiers),
    }))
    return columns.sort((a, b) => compareBytes(a.family, b.family))
  }
}

/** Columns of a family; undefined: all. */
interface AddedColumns {
  readonly family: Buffer
  qualifiers: Buffer[] | undefined
  /** The qualifiers are in byte order, each once; undefined: not looked at yet. */
  isSorted: boolean | undefined
}

/** Columns of a family that are sorted at once. */
const MANY_COLUMNS = 1024

function* settleColumns(many: readonly AddedColumns[]): Steps<void> {
  for (const added of many) {
    if (added.qualifiers === undefined) continue
    const isSorted = added.isSorted ?? (yield* isInOrder(added.qualifiers))
    const sorted = isSorted ? added.qualifiers : yield* sortInSteps(added.qualifiers, compareBytes)
    const own: Buffer[] = []
    for (let i = 0; i < sorted.length; i++) {
      if (i % MANY_COLUMNS === MANY_COLUMNS - 1) yield
      if (i === 0 || !sorted[i]!.equals(sorted[i - 1]!)) own.push(Buffer.from(sorted[i]!))
    }
    added.qualifiers = yield* asDetached(own)
    added.isSorted = true
  }
}

function* isInOrder(qualifiers: readonly Buffer[]): Steps<boolean> {
  for (let i = 1; i < qualifiers.length; i++) {
    if (i % MANY_COLUMNS === 0) yield
    if (compareBytes(qualifiers[i - 1]!, qualifiers[i]!) >= 0) return false
  }
  return true
}

/** Without repetitions, which are found among neighbours: a request may name a million columns. */
function sortedOnce(qualifiers: readonly Buffer[]): Buffer[] {
  const sorted = qualifiers.toSorted(compareBytes)
  return sorted.filter((qualifier, i) => i === 0 || !qualifier.equals(sorted[i - 1]!))
}

export type QueryAttributes = ReadonlyMap<string, Buffer>

/** The common part of gets and scans. */
export interface Query {
  readonly columns: Columns
  readonly timeRange: TimeRange
  /** Time ranges that replace `timeRange` for single families, by the family's latin1 text. */
  readonly familyTimeRanges?: ReadonlyMap<string, TimeRange> | undefined
  /** At most so many versions of a column, within what the family keeps. */
  readonly maxVersions: number
  /** At most so many cells of a family in a row, after leaving out the first `familyOffset`; -1: all. */
  readonly familyLimit: number
  readonly familyOffset: number
  readonly cacheBlocks: boolean
  /** True: the cells of the answer have their tags behind them. */
  readonly withTags?: boolean | undefined
  readonly filter?: Filter | undefined
  /** The cells that the user may see by their labels; undefined: all cells. Conditions and changes of rows see them all. */
  readonly visibility?: Visibility | undefined
  /** HBase's operation attributes: values that a client sends with a read, by name. */
  readonly attributes?: QueryAttributes | undefined
  /**
   * The state as of this timestamp: later cells and tombstones do not exist. In a time range, by contrast, a later
   * tombstone still hides cells of the range. Undefined: the present state.
   */
  readonly asOf?: bigint | undefined
  /**
   * The copy of each region that answers a read of a whole table, by its number; `any`, of gets: a copy where the region itself does
   * not answer soon. Undefined, 0: the regions themselves. HBase: Query.setReplicaId, Query.setConsistency.
   */
  readonly replica?: number | 'any' | undefined
}

export interface Get extends Query {
  readonly row: Buffer
  /** Scan.raw. */
  readonly raw?: boolean
  /**
   * True: the caller only asks whether the row has such a cell, so that the result has any cell or none. HBase's access control asks more of such a get:
   * without columns, the right to read the whole table.
   */
  readonly existenceOnly?: boolean
}

export type ReadType = 'stream' | 'pread'

export interface Scan extends Query {
  /** EMPTY: from the first row (reversed: from the last). */
  readonly startRow: Buffer
  readonly includeStartRow: boolean
  /** EMPTY: to the last row (reversed: to the first). */
  readonly stopRow: Buffer
  readonly includeStopRow: boolean
  /** From the greatest row to the least; startRow is then the greater one. */
  readonly reversed: boolean
  /** At most so many cells in one result, so that a wide row comes as several; -1: whole rows. */
  readonly batch: number
  /** At most so many rows in all; -1: no limit. */
  readonly limit: number
  /** Shows tombstones too, and the cells that they hide. */
  readonly raw: boolean
  /**
   * True: families that a filter need not see are read only for rows that pass it, which a reversed scan cannot do. HBase:
   * loadColumnFamiliesOnDemand.
   */
  readonly familiesOnDemand: boolean
  /**
   * True: other copies of a region answer where the one that `replica` names does not answer soon, so that results may be older than
   * the region's rows. HBase: Consistency.TIMELINE.
   */
  readonly mayBeStale?: boolean | undefined
  /**
   * How a server of a cluster reads its files: `stream` for long scans, `pread` for short ones. Undefined: it begins as `pread` and ends its
   * answer early once it has read some blocks, to go on as `stream`. HBase: Scan.setReadType.
   */
  readonly readType?: ReadType | undefined
  /** OpenScanner.readPoint of a scan that this one goes on with: writes after it are not seen, where the store still can. */
  readonly readPoint?: bigint | undefined
  /**
   * True: the caller asks for ScanBatch.rowsSeen or rowsFiltered, so that the store reads every row that HBase would read, even where it
   * knows of better ways. HBase: ScanMetrics.
   */
  readonly countsRows?: boolean | undefined
  /** Rows that the caller asks for at once when the scan is open: a store may fetch that many with its first call. Undefined: not known. */
  readonly firstRows?: number | undefined
}

/** HConstants.ALL_VERSIONS, Integer.MAX_VALUE. */
export const ALL_VERSIONS = 0x7fffffff

/** Throws ILLEGAL_ARGUMENT as HBase's Get does: for a row that is empty or too long, for no versions. */
export function get(row: Buffer, options: Partial<Omit<Get, 'row'>> = {}): Get {
  checkRow(row)
  // Named one by one: spreads would take longer than the read itself.
  const query = {
    row,
    columns: options.columns ?? ALL_COLUMNS,
    timeRange: options.timeRange ?? TimeRange.ALL,
    familyTimeRanges: options.familyTimeRanges,
    maxVersions: options.maxVersions ?? 1,
    familyLimit: familyLimitOf(options),
    familyOffset: options.familyOffset ?? 0,
    cacheBlocks: options.cacheBlocks ?? true,
    withTags: options.withTags,
    filter: options.filter,
    attributes: options.attributes,
    visibility: options.visibility,
    asOf: options.asOf,
    replica: options.replica,
    raw: options.raw ?? false,
    existenceOnly: options.existenceOnly ?? false,
  }
  checkVersions(query.maxVersions)
  return query
}

export function scan(options: Partial<Scan> = {}): Scan {
  const query = {
    columns: options.columns ?? ALL_COLUMNS,
    timeRange: options.timeRange ?? TimeRange.ALL,
    familyTimeRanges: options.familyTimeRanges,
    maxVersions: options.maxVersions ?? 1,
    familyLimit: familyLimitOf(options),
    familyOffset: options.familyOffset ?? 0,
    cacheBlocks: options.cacheBlocks ?? true,
    withTags: options.withTags,
    startRow: options.startRow ?? EMPTY,
    includeStartRow: options.includeStartRow ?? true,
    stopRow: options.stopRow ?? EMPTY,
    includeStopRow: options.includeStopRow ?? false,
    reversed: options.reversed ?? false,
    batch: options.batch ?? -1,
    limit: options.limit ?? -1,
    raw: options.raw ?? false,
    familiesOnDemand: options.familiesOnDemand ?? true,
    filter: options.filter,
    attributes: options.attributes,
    visibility: options.visibility,
    asOf: options.asOf,
    replica: options.replica,
    mayBeStale: options.mayBeStale,
    readType: options.readType,
    readPoint: options.readPoint,
    countsRows: options.countsRows,
    firstRows: options.firstRows,
  }
  checkVersions(query.maxVersions)
  return query
}

/** The parts of a read that guards change. */
export type ReadChanges = Partial<Pick<Scan, 'columns' | 'filter' | 'visibility' | 'familiesOnDemand'>>

/**
 * The same read but for `changes`; a get takes none of `familiesOnDemand`. A spread would make objects of another hidden class for each
 * guard, and all that reads a field of any read would be slow from then on.
 */
export function changedRead<Read extends Get | Scan>(read: Read, changes: ReadChanges): Read {
  const copy: { -readonly [Name in keyof Scan]?: Scan[Name] } =
    'row' in read ? get(read.row, read) : scan(read)
  if (changes.columns !== undefined) copy.columns = changes.columns
  if (changes.filter !== undefined) copy.filter = changes.filter
  if (changes.visibility !== undefined) copy.visibility = changes.visibility
  if (changes.familiesOnDemand !== undefined && !('row' in read))
    copy.familiesOnDemand = changes.familiesOnDemand
  return copy as Read
}

/**
 * HBase: StoreScanner.next counts a cell before it looks at the limit.
 * QUIRK engine-get-page-store-limit-0-store-offset-0: a limit of 0 lets one cell of each family through.
 */
function familyLimitOf({ familyLimit = -1 }: Partial<Query>): number {
  return familyLimit === 0 ? 1 : familyLimit
}

function checkVersions(versions: number): void {
  if (versions <= 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'maxVersions must be positive')
}

/** Throws ILLEGAL_ARGUMENT. HBase: Mutation.checkRow. */
export function checkRow(row: Buffer): void {
  if (row.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'Row length is 0')
  if (row.length > 0x7fff) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `Row length ${row.length} is > 32767`)
  }
}
