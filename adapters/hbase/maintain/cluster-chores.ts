import type { Call } from '../../../src/store/call.ts'
import type { Balance, BalanceRequest, Chores, TableChoice } from '../../../src/store/upkeep.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { tableNameMessage } from '../../../src/wire/rpc/table-name-message.ts'
import type { Master } from '../admin/master.ts'

const { method } = MasterService
const BALANCE = rpcMethod(method.balance)
const NORMALIZE = rpcMethod(method.normalize)
const RUN_CATALOG_SCAN = rpcMethod(method.runCatalogScan)
const RUN_CLEANER_CHORE = rpcMethod(method.runCleanerChore)

/** The chores of the cluster's master. */
export class ClusterChores implements Chores {
  readonly #master: Master

  constructor(master: Master) {
    this.#master = master
  }

  async balance({ dryRun, ignoresRegionsInTransition }: BalanceRequest, call: Call): Promise<Balance> {
    const request = { dryRun, ignoreRit: ignoresRegionsInTransition }
    const { balancerRan, movesCalculated, movesExecuted } = await this.#master.ask(
      'balance',
      BALANCE,
      request,
      call,
    )
    return { ran: balancerRan, movesCalculated, movesExecuted }
  }

  async normalize({ tables, pattern, namespace }: TableChoice, call: Call): Promise<boolean> {
    const request = {
      tableNames: tables.map(tableNameMessage),
      ...(pattern !== undefined && { regex: pattern }),
      ...(namespace !== undefined && { namespace }),
    }
    return (await this.#master.ask('normalization', NORMALIZE, request, call)).normalizerRan
  }

  async scanCatalog(call: Call): Promise<number> {
    return (await this.#master.ask('scan of the catalog', RUN_CATALOG_SCAN, {}, call)).scanResult
  }

  async clean(call: Call): Promise<boolean> {
    return (await this.#master.ask('cleaner chore', RUN_CLEANER_CHORE, {}, call)).cleanerChoreRan
  }
}
