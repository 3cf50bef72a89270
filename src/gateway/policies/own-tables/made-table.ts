import type { TableDescriptor } from '../../../model/descriptor.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { OWN_CALL } from '../../../store/call.ts'
import type { Catalog } from '../../../store/catalog.ts'

/** Makes a table of Tidegate's own unless it is there. Another process may make it at the same time. */
export async function makeOwnTable(catalog: Catalog, table: TableDescriptor): Promise<void> {
  if (await catalog.tableExists(table.name, OWN_CALL)) return
  try {
    await catalog.createTable(table, [], OWN_CALL)
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'TABLE_EXISTS') throw error
  }
}
