import { type FamilyDescriptor, findFamily, type TableDescriptor } from '../model/descriptor.ts'
import { HBaseError } from '../model/errors.ts'
import type { Query, Scan } from '../model/query.ts'
import { noSuchColumnFamily } from '../model/table-description.ts'

/** A family that a query reads. */
export interface ReadColumns {
  readonly family: FamilyDescriptor
  /** The columns to read; undefined or empty: every column. */
  readonly qualifiers: readonly Buffer[] | undefined
  /** True: tombstones hide only cells with the same labels. */
  readonly isLabelled?: boolean
}

/**
 * The families and columns that a query reads: those that it names, or all. Throws NO_SUCH_COLUMN_FAMILY, with the name of
 * the region, and DO_NOT_RETRY for a raw scan that names columns.
 */
export function readColumns(
  query: Query & Partial<Pick<Scan, 'raw'>>,
  table: TableDescriptor,
  regionName: Buffer,
  isLabelled = false,
): ReadColumns[] {
  if (query.columns.length === 0)
    return table.families.map((family) => ({ family, qualifiers: undefined, isLabelled }))
  if (query.raw === true && query.columns.some(({ qualifiers }) => (qualifiers?.length ?? 0) > 0)) {
    throw new HBaseError('DO_NOT_RETRY', 'Cannot specify any column for a raw scan')
  }
  return query.columns.map(({ family: name, qualifiers }) => {
    const family = findFamily(table, name)
    if (family === undefined) throw noSuchColumnFamily(name, regionName, table)
    return { family, qualifiers, isLabelled }
  })
}
