/**
 * How a table finds its store files: HBase's setting `hbase.store.file-tracker.impl`. A cluster changes it. Another store keeps its files in
 * its own way: there the table's descriptor is changed, in the steps of HBase's master.
 */

import type { TableDescriptor } from '../../../model/descriptor.ts'
import { HBaseError } from '../../../model/errors.ts'
import { trackerSteps } from '../../../model/file-trackers.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { Catalog } from '../../../store/catalog.ts'
import type { FileTrackers } from '../../../store/file-trackers.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { generated, type RpcHandler } from '../rpc-service.ts'
import type { MasterContext } from './master-context.ts'
import { requestedTable } from './table-messages.ts'

const { method } = MasterService

export function fileTrackers({ store, procedures }: MasterContext): (readonly [string, RpcHandler])[] {
  const trackers = store.upkeep.fileTrackers ?? { setTracker: setting(store.catalog) }
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

function setting(catalog: Catalog): FileTrackers['setTracker'] {
  return async (name, family, tracker, call) => {
    const table = await enabledTable(catalog, name, call)
    for (const step of trackerSteps(table, family, tracker)) await catalog.modifyTable(step, call)
  }
}

/** HBase: ModifyStoreFileTrackerProcedure.preCheckAndTryGetTable. */
async function enabledTable(catalog: Catalog, name: TableName, call: Call): Promise<TableDescriptor> {
  const table = await catalog.table(name, call)
  if ((await catalog.tableState(name, call)) !== 'ENABLED') throw new HBaseError('TABLE_NOT_ENABLED', name)
  return table
}
