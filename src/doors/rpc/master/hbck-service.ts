/** HbckService: repairs that clients ask the master for. The store repairs itself at its start, so that nothing is left to do. */

import { isHBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import { type RegionSpecifier, TableState_State } from '../../../wire/rpc/gen/hbase_pb.ts'
import { HbckService } from '../../../wire/rpc/gen/hbck_pb.ts'
import { forAdmins } from '../contract/for-admins.ts'
import { generated, type RpcMethods } from '../contract/rpc-service.ts'
import type { MasterContext } from './master-context.ts'
import { NO_NONCE } from './procedures.ts'
import { regionsOf, specifiedName } from './region-names.ts'
import { requestedTable } from './table-messages.ts'

const { method } = HbckService

const FOR_ADMINS = ['FixMeta', 'RunHbckChore', 'SetRegionStateInMeta', 'SetTableStateInMeta']

/** Procedure id for a region that is not changed. HBase: Procedure.NO_PROC_ID. */
const NO_PROCEDURE = 0xffff_ffff_ffff_ffffn

export function hbckService({ store, procedures }: MasterContext): RpcMethods {
  const { catalog, upkeep } = store
  /** The ids of the procedures. Unknown regions are left out. */
  const changeAll = async (
    regions: readonly RegionSpecifier[],
    call: Call,
    kind: 'Assign' | 'Unassign',
  ): Promise<bigint[]> => {
    const request = { ...NO_NONCE, $typeName: `hbase.pb.${kind}RegionRequest` }
    const change = kind === 'Assign' ? 'assignRegion' : 'unassignRegion'
    const ids: bigint[] = []
    for (const region of regions) {
      try {
        const { procId } = await procedures.run(request, call, (own) =>
          regionsOf(upkeep)[change](specifiedName(region), own),
        )
        ids.push(procId)
      } catch (error) {
        if (!isUnknownRegion(error)) ids.push(NO_PROCEDURE)
      }
    }
    return ids
  }
  const methods = new Map([
    generated(method.runHbckChore, async () => ({ ran: true })),
    generated(method.fixMeta, async () => ({})),
    /** Answers the table's former state. HBase writes the new one into hbase:meta, and opens or closes no region. */
    generated(method.setTableStateInMeta, async ({ tableName, tableState }, { call }) => {
      const table = requestedTable(tableName)
      const before = await catalog.tableState(table, call)
      const isEnabled = tableState!.state === TableState_State.ENABLED
      if (isEnabled && before === 'DISABLED') await catalog.enableTable(table, call)
      if (!isEnabled && before === 'ENABLED') await catalog.disableTable(table, call)
      return { tableState: { state: TableState_State[before] } }
    }),
    generated(method.setRegionStateInMeta, async () => ({ states: [] })),
    generated(method.assigns, async ({ region }, { call }) => ({
      pid: await changeAll(region, call, 'Assign'),
    })),
    generated(method.unassigns, async ({ region }, { call }) => ({
      pid: await changeAll(region, call, 'Unassign'),
    })),
    generated(method.bypassProcedure, async ({ procId }) => ({ bypassed: procId.map(() => false) })),
    generated(method.scheduleServerCrashProcedure, async () => ({ pid: [] })),
    generated(method.scheduleSCPsForUnknownServers, async () => ({ pid: [] })),
  ])
  return forAdmins(store, methods, FOR_ADMINS)
}

function isUnknownRegion(error: unknown): boolean {
  return isHBaseError(error) && error.javaClass.endsWith('.UnknownRegionException')
}
