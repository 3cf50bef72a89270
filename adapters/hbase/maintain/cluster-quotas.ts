import type { QuotaChange, SpaceUse, TableSpaceUse } from '../../../src/model/quota.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { QuotaStates, Quotas, TableSize } from '../../../src/store/quotas.ts'
import { AdminService } from '../../../src/wire/rpc/gen/admin_pb.ts'
import type { TableName as TableNameMessage } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import type { SpaceQuotaSnapshot } from '../../../src/wire/rpc/gen/quota_pb.ts'
import { quotaChangeMessage, spaceUseFromMessage } from '../../../src/wire/rpc/quota-messages.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { tableNameFromMessage } from '../../../src/wire/rpc/table-name-message.ts'
import type { Master } from '../admin/master.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { MasterInfo } from './cluster-status.ts'

const SET_QUOTA = rpcMethod(MasterService.method.setQuota)
const STATES = rpcMethod(MasterService.method.getQuotaStates)
const REGION_SIZES = rpcMethod(MasterService.method.getSpaceQuotaRegionSizes)
const SWITCH_EXCEEDING = rpcMethod(MasterService.method.switchExceedThrottleQuota)
const SERVER_SNAPSHOTS = rpcMethod(AdminService.method.getSpaceQuotaSnapshots)

/** The quotas of the cluster's master, which refuses the requests where its hbase.quota.enabled is false. */
export class ClusterQuotas implements Quotas {
  readonly #cluster: Cluster
  readonly #master: Master
  readonly #masterInfo: MasterInfo

  constructor(cluster: Cluster, master: Master) {
    this.#cluster = cluster
    this.#master = master
    this.#masterInfo = new MasterInfo(master)
  }

  async setQuota(change: QuotaChange, call: Call): Promise<void> {
    await this.#master.ask('change of a quota', SET_QUOTA, quotaChangeMessage(change), call)
  }

  async quotaStates(call: Call): Promise<QuotaStates> {
    const { tableSnapshots, nsSnapshots } = await this.#master.ask('states of quotas', STATES, {}, call)
    return {
      tables: tableSnapshots.map(tableSpaceUse),
      namespaces: nsSnapshots.map(({ namespace, snapshot }) => ({ namespace, ...spaceUse(snapshot) })),
    }
  }

  async tableSizes(call: Call): Promise<TableSize[]> {
    const { sizes } = await this.#master.ask('sizes of tables', REGION_SIZES, {}, call)
    return sizes.map(({ tableName, size }) => ({
      table: tableNameFromMessage(tableName!),
      bytes: BigInt.asIntN(64, size),
    }))
  }

  /** The space uses that all live servers know. Each server reports all tables, as of a different time. The last answer counts. */
  async serverSpaceUses(call: Call): Promise<TableSpaceUse[]> {
    const { liveServers } = await this.#masterInfo.status(call)
    const reports = await Promise.all(liveServers.map(({ server }) => this.#usesOfServer(server, call)))
    return [...new Map(reports.flat().map((use) => [use.table, use])).values()]
  }

  #usesOfServer(server: ServerName, call: Call): Promise<TableSpaceUse[]> {
    const { retrier, connections } = this.#cluster
    return retrier.retrying(`space quotas of ${server.host}:${server.port}`, call, async (attempt) => {
      const connection = await connections.get(server, 'AdminService', attempt.deadline, call)
      const { message } = await connection.call(SERVER_SNAPSHOTS, {}, attempt)
      return message.snapshots.map(tableSpaceUse)
    })
  }

  async switchExceeding(on: boolean, call: Call): Promise<boolean> {
    const request = { exceedThrottleQuotaEnabled: on }
    const answer = await this.#master.ask('switch exceedThrottleQuota', SWITCH_EXCEEDING, request, call)
    return answer.previousExceedThrottleQuotaEnabled
  }
}

function tableSpaceUse({
  tableName,
  snapshot,
}: {
  readonly tableName?: TableNameMessage | undefined
  readonly snapshot?: SpaceQuotaSnapshot | undefined
}): TableSpaceUse {
  return { table: tableNameFromMessage(tableName!), ...spaceUse(snapshot) }
}

function spaceUse(snapshot: SpaceQuotaSnapshot | undefined): SpaceUse {
  return snapshot === undefined
    ? { usedBytes: 0n, limitBytes: 0n, violated: undefined }
    : spaceUseFromMessage(snapshot)
}
