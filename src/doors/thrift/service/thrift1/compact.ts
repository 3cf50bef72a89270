import { isHBaseError } from '../../../../model/errors.ts'
import { parseRegionName } from '../../../../model/region-name.ts'
import type { Store } from '../../../../store.ts'
import { regionsIfAny } from '../regions-if-any.ts'
import { tableOf } from '../table-argument.ts'

/**
 * Compacts a region or, where none has that name, a table. Of a store that compacts as it sees fit only the name is looked
 * at. HBase: ThriftHBaseServiceHandler.compact.
 */
export async function compact(store: Store, name: Buffer, major: boolean): Promise<void> {
  const { maintenance } = store
  if (maintenance === undefined) {
    if (!(await isRegion(store, name))) await store.tableState(tableOf(name))
    return
  }
  try {
    await maintenance.compactRegion(name, { major })
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'ILLEGAL_ARGUMENT') throw error
    await maintenance.compactTable(tableOf(name), { major })
  }
}

async function isRegion(store: Store, name: Buffer): Promise<boolean> {
  const parsed = parseRegionName(name)
  if (parsed === undefined) return false
  const regions = await regionsIfAny(store, tableOf(Buffer.from(parsed.table)))
  return regions.some((region) => region.name.equals(name))
}
