import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { openRpcStore } from '../../test/harness/rpc-store.ts'
import { PREFACE, RPC_WORKLOADS } from '../rpc-requests.ts'
import { runOf, type Tables, type Workload } from './workload.ts'

const CLIENTS = 16
/** In front of a cluster: what a proxy leaves of a region server's calls. */
const CLUSTER_GOAL = 0.5

/** Full name of the table's only region. */
async function regionOf(port: number, table: string): Promise<Buffer> {
  const store = await openRpcStore(port)
  try {
    const [region] = await store.catalog.regions(parseTableName(table), OWN_CALL)
    return region!.name
  } finally {
    await store.close()
  }
}

export function rpcWorkloads({ once }: Tables): Workload[] {
  return RPC_WORKLOADS.map(({ name, goal, requestsOf, readAnswer }) => ({
    name: `native RPC ${name}`,
    door: 'rpc',
    clients: CLIENTS,
    isPaced: true,
    goals: { engine: goal, cluster: CLUSTER_GOAL },
    async prepare({ ports }, clients = CLIENTS) {
      const requests = requestsOf(await regionOf(ports.rpc, once.name))
      return runOf({
        port: ports.rpc,
        requests,
        answerBytes: 'framed',
        readAnswer,
        preface: PREFACE,
        connections: clients,
      })
    },
  }))
}
