/** The master's chores, which clients start, and its procedures. One process has next to nothing to do for them. */

import { fromBinary } from '@bufbuild/protobuf'
import { EMPTY } from '../../../model/bytes.ts'
import { HBaseError } from '../../../model/errors.ts'
import { parseTableName } from '../../../model/table-name.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../../wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { ProcedureSchema } from '../../../wire/rpc/gen/procedure_pb.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import type { MasterContext } from './master-context.ts'
import { runMasterService } from './own-services.ts'
import { snapshotsOf } from './snapshots.ts'
import { requestedTable } from './table-messages.ts'

const { method } = MasterService
/** Name of the procedure by which clients of HBase before 2.6 flush a table. */
const FLUSH_TABLE = 'flush-table-proc'
/** Name of the procedure by which a snapshot is taken. HBase: SnapshotManager.ONLINE_SNAPSHOT_CONTROLLER_DESCRIPTION. */
const SNAPSHOT = 'online-snapshot'
/** Time in milliseconds for which such clients ask whether the procedure is done. */
const EXPECTED_TIMEOUT = 300_000n

export function chores(context: MasterContext): (readonly [string, RpcHandler])[] {
  const { store, procedures, switches } = context
  // Without chores in the store there is one server, which is always balanced.
  const own = store.upkeep.chores
  return [
    generated(method.balance, async ({ dryRun, ignoreRit }, { call }) => {
      const request = { dryRun, ignoresRegionsInTransition: ignoreRit }
      const balance = await own?.balance(request, call)
      if (balance === undefined) return { balancerRan: dryRun || (await switches.isOn('balancer', call)) }
      const { ran, movesCalculated, movesExecuted } = balance
      return { balancerRan: ran, movesCalculated, movesExecuted }
    }),
    generated(method.normalize, async ({ tableNames, regex, namespace }, { call }) => {
      const choice = {
        tables: tableNames.map(requestedTable),
        pattern: regex === '' ? undefined : regex,
        namespace: namespace === '' ? undefined : namespace,
      }
      return {
        normalizerRan: (await own?.normalize(choice, call)) ?? (await switches.isOn('normalizer', call)),
      }
    }),
    generated(method.runCatalogScan, async (_, { call }) => ({
      scanResult: (await own?.scanCatalog(call)) ?? 0,
    })),
    generated(method.runCleanerChore, async (_, { call }) => ({
      cleanerChoreRan: (await own?.clean(call)) ?? (await switches.isOn('cleanerChore', call)),
    })),
    generated(method.flushMasterStore, async () => ({})),
    generated(method.execProcedure, async ({ procedure }, { call }) => {
      const { signature, instance, configuration } = procedure!
      if (signature === SNAPSHOT) {
        const table = configuration.find(({ name }) => name.toLowerCase() === 'table')?.value ?? ''
        await snapshotsOf(context).createSnapshot(instance, parseTableName(table), 'FLUSH', call)
        return { expectedTimeout: EXPECTED_TIMEOUT }
      }
      if (signature !== FLUSH_TABLE) throw notRegistered('DO_NOT_RETRY', signature)
      await store.upkeep.flushes?.flushTable(parseTableName(instance), call)
      return { expectedTimeout: EXPECTED_TIMEOUT }
    }),
    generated(method.execProcedureWithRet, async ({ procedure }) => {
      throw notRegistered('REFUSED', procedure!.signature)
    }),
    generated(method.isProcedureDone, async ({ procedure }) => {
      const signature = procedure?.signature ?? ''
      if (signature !== FLUSH_TABLE && signature !== SNAPSHOT) throw notRegistered('REFUSED', signature)
      return { done: true }
    }),
    generated(method.abortProcedure, async (_, { call }) => {
      await store.upkeep.permissions?.requireAdmin(call)
      return { isProcedureAborted: false }
    }),
    generated(method.getProcedures, async (_, { call }) => {
      await store.upkeep.permissions?.requireAdmin(call)
      // A cluster's list includes the procedures that Tidegate asks for.
      const ofCluster = await store.upkeep.cluster?.procedures(call)
      return { procedure: ofCluster?.map((each) => fromBinary(ProcedureSchema, each)) ?? procedures.list() }
    }),
    generated(method.getLocks, async (_, { call }) => {
      await store.upkeep.permissions?.requireAdmin(call)
      return { lock: [] }
    }),
    generated(method.execMasterService, async ({ call: request }, { call }) => {
      const value = await runMasterService(store.upkeep, request!, call)
      return { region: { type: RegionSpecifier_RegionSpecifierType.REGION_NAME, value: EMPTY }, value }
    }),
  ]
}

/** The error for an unknown procedure. HBase lets clients retry where they ask whether it is done. */
function notRegistered(code: 'DO_NOT_RETRY' | 'REFUSED', signature: string): HBaseError {
  return new HBaseError(code, `The procedure is not registered: ${signature}`)
}
