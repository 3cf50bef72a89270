/** Refusals of HBase's master for splits and merges, and for regions opened and closed, for stores that keep their own regions. */

import { abbreviated, compareBytes } from '../model/bytes.ts'
import type { TableDescriptor } from '../model/descriptor.ts'
import { HBaseError } from '../model/errors.ts'
import type { TableName } from '../model/table-name.ts'
import type { RegionLocation } from './catalog.ts'

type Region = Pick<RegionLocation, 'name' | 'encodedName' | 'startKey' | 'endKey'>

const DO_NOT_RETRY_REGION = 'org.apache.hadoop.hbase.client.DoNotRetryRegionException'

/** Throws IO for a split at the region's first row. HBase: HBaseAdmin.splitRegionAsync. */
export function checkSplitsWithin(at: Buffer | undefined, { startKey }: Region): void {
  if (at?.equals(startKey) === true) {
    throw new HBaseError('REFUSED', 'should not give a splitkey which equals to startkey!')
  }
}

export function notSplittable({ encodedName }: Region): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `${encodedName} NOT splittable`)
}

/** The row at which a split is to be, once it is found to be one. Throws DO_NOT_RETRY. HBase: SplitTableRegionProcedure. */
export function checkedSplitRow(row: Buffer | undefined, region: Region, table: TableDescriptor): Buffer {
  if (row === undefined) {
    throw new HBaseError(
      'DO_NOT_RETRY',
      'Region not splittable because bestSplitPoint = null, maybe table is too small for auto split. ' +
        'For force split, try specifying split row',
    )
  }
  const { startKey, endKey, encodedName, name } = region
  if (compareBytes(row, startKey) === 0) {
    throw new HBaseError('DO_NOT_RETRY', `Split row is equal to startkey: ${abbreviated(row)}`)
  }
  const [full, start, end, at] = [name, startKey, endKey, row].map(abbreviated)
  if (compareBytes(row, startKey) < 0 || (endKey.length > 0 && compareBytes(row, endKey) >= 0)) {
    throw new HBaseError(
      'DO_NOT_RETRY',
      `Split row is not inside region key range splitKey:${at} region: ` +
        `{ENCODED => ${encodedName}, NAME => '${full}', STARTKEY => '${start}', ENDKEY => '${end}'}`,
    )
  }
  if (!isSplitEnabled(table)) {
    throw new HBaseError(
      'DO_NOT_RETRY',
      `Split region ${full} failed as region split is disabled for the table`,
    )
  }
  return row
}

export interface MergePlan<Of extends Region> {
  /** All regions of the table, in order. */
  readonly present: readonly Of[]
  /** The regions that a client names, in its order. */
  readonly named: readonly Of[]
  /** Whether those between them go with them; otherwise they must lie side by side. */
  readonly forcible: boolean
  readonly table: TableDescriptor
  isOnline(region: Of): boolean
}

/** The regions that a merge makes one of, in order. Throws DO_NOT_RETRY. HBase: MergeTableRegionsProcedure. */
export function checkedMerge<Of extends Region>(plan: MergePlan<Of>): Of[] {
  const { present, named, table } = plan
  const unique = new Set(named)
  if (unique.size < named.length) {
    throw notMergeable(
      `Duplicate regions specified; cannot merge a region to itself. Passed in ${named.length} but only ${unique.size} unique.`,
    )
  }
  if (!plan.forcible) checkAreAdjacent(present, named)
  const sorted = present.filter((region) => unique.has(region))
  const all = present.slice(present.indexOf(sorted[0]!), present.indexOf(sorted.at(-1)!) + 1)
  const closed = [...named, ...all].find((region) => !plan.isOnline(region))
  if (closed !== undefined) throw notMergeable(`${DO_NOT_RETRY_REGION}: ${notOpen(closed)}`)
  if (table.attributes.get('MERGE_ENABLED')?.toLowerCase() === 'false') {
    const names = named.map(({ encodedName }) => encodedName).join(', ')
    throw new HBaseError(
      'DO_NOT_RETRY',
      `Merge of [${names}] failed as region merge is disabled for the table`,
    )
  }
  return all
}

/** HBase looks at each region and the one named after it, in either direction: it does not sort them first. */
function checkAreAdjacent(present: readonly Region[], named: readonly Region[]): void {
  for (const [index, region] of named.entries()) {
    const next = named[index + 1]
    if (next === undefined || Math.abs(present.indexOf(region) - present.indexOf(next)) === 1) continue
    throw notMergeable(
      `Unable to merge non-adjacent or non-overlapping regions '${region.encodedName}', '${next.encodedName}' when force=false`,
    )
  }
}

/** Throws DO_NOT_RETRY. HBase: MergeTableRegionsProcedure. */
export function checkMergesSeveral(names: readonly Buffer[]): void {
  if (names.length < 2) throw notMergeable('Need two Regions at least to run a Merge')
}

/** Throws ILLEGAL_ARGUMENT for regions of several tables. */
export function checkIsOneTable(tables: readonly TableName[]): void {
  const stranger = tables.find((table) => table !== tables[0])
  if (stranger === undefined) return
  throw new HBaseError(
    'ILLEGAL_ARGUMENT',
    `Cannot merge regions from two different tables ${tables[0]} and ${stranger}`,
  )
}

export function regionIsClosed(region: Region): HBaseError {
  return new HBaseError('DO_NOT_RETRY', notOpen(region), { javaClass: DO_NOT_RETRY_REGION })
}

/** A region is not in the state that the change needs. */
export function unexpectedState(state: 'OPEN' | 'CLOSED', table: TableName, encodedName: string): HBaseError {
  return new HBaseError(
    'DO_NOT_RETRY',
    `Unexpected state for state=${state}, location=null, table=${table}, region=${encodedName}`,
    { javaClass: DO_NOT_RETRY_REGION },
  )
}

/** A region of a disabled table is to be opened. */
export function tableOfRegionIsDisabled(table: TableName, encodedName: string): HBaseError {
  return new HBaseError(
    'DO_NOT_RETRY',
    `${table} is disabled for state=CLOSED, location=null, table=${table}, region=${encodedName}`,
  )
}

/** HBase: TableDescriptor.isSplitEnabled. */
export function isSplitEnabled({ attributes }: TableDescriptor): boolean {
  return attributes.get('SPLIT_ENABLED')?.toLowerCase() !== 'false'
}

function notOpen({ encodedName }: Region): string {
  return `${encodedName} is not OPEN; state=CLOSED`
}

function notMergeable(message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message, {
    javaClass: 'org.apache.hadoop.hbase.exceptions.MergeRegionException',
  })
}
