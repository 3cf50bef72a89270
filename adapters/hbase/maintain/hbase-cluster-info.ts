/** The state of a cluster: the master reports the whole, each region server the loads of its own regions. */

import { toBinary } from '@bufbuild/protobuf'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { ClusterInfo, ClusterStatus, RegionLoad } from '../../../src/store/upkeep.ts'
import { AdminService } from '../../../src/wire/rpc/gen/admin_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { ProcedureSchema } from '../../../src/wire/rpc/gen/procedure_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { tableNameMessage } from '../../../src/wire/rpc/table-name-message.ts'
import type { Master } from '../admin/master.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { MasterInfo, readRegionLoad } from './cluster-status.ts'

const GET_REGION_LOAD = rpcMethod(AdminService.method.getRegionLoad)
const GET_PROCEDURES = rpcMethod(MasterService.method.getProcedures)

export class HBaseClusterInfo implements ClusterInfo {
  readonly #cluster: Cluster
  readonly #master: Master
  readonly #masterInfo: MasterInfo

  constructor(cluster: Cluster, master: Master) {
    this.#cluster = cluster
    this.#master = master
    this.#masterInfo = new MasterInfo(master)
  }

  hbaseVersion(call: Call): Promise<string> {
    return this.#masterInfo.hbaseVersion(call)
  }

  status(call: Call): Promise<ClusterStatus> {
    return this.#masterInfo.status(call)
  }

  async regionLoads(table: TableName | undefined, call: Call): Promise<RegionLoad[]> {
    const { liveServers } = await this.#masterInfo.status(call)
    const loads = await Promise.all(liveServers.map(({ server }) => this.#loadsOf(server, table, call)))
    return loads.flat()
  }

  #loadsOf(server: ServerName, table: TableName | undefined, call: Call): Promise<RegionLoad[]> {
    const { retrier, connections } = this.#cluster
    const request = table === undefined ? {} : { tableName: tableNameMessage(table) }
    return retrier.retrying(`region loads of ${server.host}:${server.port}`, call, async (attempt) => {
      const connection = await connections.get(server, 'AdminService', attempt.deadline, call)
      const { message } = await connection.call(GET_REGION_LOAD, request, attempt)
      return message.regionLoads.map(readRegionLoad)
    })
  }

  async procedures(call: Call): Promise<Buffer[]> {
    const { procedure } = await this.#master.ask('procedures', GET_PROCEDURES, {}, call)
    return procedure.map((each) => Buffer.from(toBinary(ProcedureSchema, each)))
  }
}
