/**
 * Changes of a table's store file tracker, HBase's setting `hbase.store.file-tracker.impl`. A cluster changes it itself. Any other store
 * tracks its files in its own way: there only the table's descriptor changes, in the steps of HBase's master.
 */

import type { TableDescriptor } from '../../../model/descriptor.ts'
import { HBaseError } from '../../../model/errors.ts'
import { TRACKER_STEPS_MAX, trackerContended, trackerStep } from '../../../model/file-trackers.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { Catalog } from '../../../store/catalog.ts'
import type { FileTrackers } from '../../../store/file-trackers.ts'
import type { Alteration } from '../../../store/table-alteration.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
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

/**
 * Sets the tracker in steps. Each step reads the table's descriptor anew and changes only the tracker's settings, so that other clients'
 * changes between the steps stay.
 */
function setting(catalog: Catalog): FileTrackers['setTracker'] {
  return async (name, family, tracker, call) => {
    let table = await enabledTable(catalog, name, call)
    const alteration: Alteration = { kind: 'stepToTracker', family, tracker }
    for (let left = TRACKER_STEPS_MAX; trackerStep(table, family, tracker) !== undefined; left--) {
      if (left === 0) throw trackerContended(name)
      await catalog.modifyTable({ name, alteration }, call)
      table = await catalog.table(name, call)
    }
  }
}

/** HBase: ModifyStoreFileTrackerProcedure.preCheckAndTryGetTable. */
async function enabledTable(catalog: Catalog, name: TableName, call: Call): Promise<TableDescriptor> {
  const table = await catalog.table(name, call)
  if ((await catalog.tableState(name, call)) !== 'ENABLED') throw new HBaseError('TABLE_NOT_ENABLED', name)
  return table
}
