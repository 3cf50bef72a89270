import { isHBaseError } from '../../../../model/errors.ts'
import { parseRegionName } from '../../../../model/region-name.ts'
import type { Call } from '../../../../store/call.ts'
import { regionsIfAny } from '../regions-if-any.ts'
import type { ServedStore } from '../service-context.ts'
import { tableNameFromBytes } from '../table-argument.ts'

type Compacted = Pick<ServedStore, 'catalog' | 'upkeep'>

/**
 * Compacts a region or, where no region has that name, a table. A store that schedules compactions itself only checks the name.
 * HBase: ThriftHBaseServiceHandler.compact.
 */
export async function compact(store: Compacted, name: Buffer, major: boolean, call: Call): Promise<void> {
  const { catalog, upkeep } = store
  const { compactions } = upkeep
  if (compactions === undefined) {
    if (!(await isRegion(store, name, call))) await catalog.tableState(tableNameFromBytes(name), call)
    return
  }
  try {
    await compactions.compactRegion(name, { major }, call)
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'ILLEGAL_ARGUMENT') throw error
    await compactions.compactTable(tableNameFromBytes(name), { major }, call)
  }
}

async function isRegion({ catalog }: Compacted, name: Buffer, call: Call): Promise<boolean> {
  const parsed = parseRegionName(name)
  if (parsed === undefined) return false
  const regions = await regionsIfAny(catalog, tableNameFromBytes(Buffer.from(parsed.table)), call)
  return regions.some((region) => region.name.equals(name))
}
