/**
 * How a table finds its store files: HBase's setting `hbase.store.file-tracker.impl`. A cluster changes it. Another store keeps its files in
 * its own way, so it takes the tracker that the table has, and refuses others as HBase refuses unknown ones.
 */

import { findFamily, type TableDescriptor } from '../../../model/descriptor.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { Catalog } from '../../../store/catalog.ts'
import type { FileTrackers } from '../../../store/file-trackers.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { generated, type RpcHandler } from '../rpc-service.ts'
import type { MasterContext } from './master-context.ts'
import { requestedTable } from './table-messages.ts'

const { method } = MasterService
const SETTING = 'hbase.store.file-tracker.impl'

export function fileTrackers({ store, procedures }: MasterContext): (readonly [string, RpcHandler])[] {
  const trackers = store.upkeep.fileTrackers ?? { setTracker: refusing(store.catalog) }
  return [
    generated(method.modifyTableStoreFileTracker, (message, { call }) => {
      const name = requestedTable(message.tableName)
      const change = (own: Call) => trackers.setTracker(name, undefined, message.dstSft, own)
      return procedures.submit(message, call, change, true)
    }),
    generated(method.modifyColumnStoreFileTracker, (message, { call }) => {
      const name = requestedTable(message.tableName)
      const family = Buffer.from(message.family)
      const change = (own: Call) => trackers.setTracker(name, family, message.dstSft, own)
      return procedures.submit(message, call, change, true)
    }),
  ]
}

function refusing(catalog: Catalog): FileTrackers['setTracker'] {
  return async (name, family, tracker, call) =>
    checkTracker(await enabledTable(catalog, name, call), family, tracker)
}

/** HBase: ModifyStoreFileTrackerProcedure.preCheckAndTryGetTable. */
async function enabledTable(catalog: Catalog, name: TableName, call: Call): Promise<TableDescriptor> {
  const table = await catalog.table(name, call)
  if ((await catalog.tableState(name, call)) !== 'ENABLED') throw new HBaseError('TABLE_NOT_ENABLED', name)
  return table
}

function checkTracker(table: TableDescriptor, family: Buffer | undefined, wanted: string): void {
  if (family !== undefined && findFamily(table, family) === undefined) {
    throw new HBaseError(
      'NO_SUCH_COLUMN_FAMILY',
      `${family.toString()} does not exist for table ${table.name}`,
    )
  }
  const present = table.attributes.get(SETTING) ?? 'DEFAULT'
  if (wanted.toUpperCase() === present.toUpperCase()) return
  throw new HBaseError('DO_NOT_RETRY', `The tracker ${wanted} is not to be had: the store keeps ${present}`)
}
