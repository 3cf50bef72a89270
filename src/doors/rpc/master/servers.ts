/** The master's list of servers. It has one, which can neither die nor give its regions away. */

import { compareText } from '../../../model/compare-text.ts'
import type { ServerName as ServerNameMessage } from '../../../wire/rpc/gen/hbase_pb.ts'
import { MasterService, SecurityCapabilitiesResponse_Capability } from '../../../wire/rpc/gen/master_pb.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import type { MasterContext } from './master-context.ts'

const { method } = MasterService
const { AUTHORIZATION, CELL_AUTHORIZATION, CELL_VISIBILITY, SIMPLE_AUTHENTICATION } =
  SecurityCapabilitiesResponse_Capability

const READS_EVERYTHING = { scope: { kind: 'global' }, actions: ['READ'] } as const

export function servers({
  store,
  decommissioned,
}: Pick<MasterContext, 'store' | 'decommissioned'>): (readonly [string, RpcHandler])[] {
  return [
    generated(method.listDecommissionedRegionServers, async (_, { call }) => {
      const { permissions } = store.upkeep
      // A cluster without permissions refuses this call itself.
      if ((await permissions?.areEnforced(call)) === true) {
        await permissions!.checkPermissions([READS_EVERYTHING], call)
      }
      const all = [...decommissioned].sort(([a], [b]) => compareText(a, b))
      return { serverName: all.map(([, server]) => server) }
    }),
    generated(method.decommissionRegionServers, async ({ serverName }) => {
      for (const server of serverName) decommissioned.set(keyOf(server), server)
      return {}
    }),
    generated(method.recommissionRegionServer, async ({ serverName }) => {
      decommissioned.delete(keyOf(serverName!))
      return {}
    }),
    // The answer lists the servers that are not dead: all of them.
    generated(method.clearDeadServers, async ({ serverName }) => ({ serverName })),
    generated(method.getSecurityCapabilities, async (_, { call }) => {
      const { permissions, labels } = store.upkeep
      const isEnforced = (await permissions?.areEnforced(call)) ?? false
      const isOfCells = isEnforced && (await permissions!.areOfCells(call))
      const hasLabels = (await labels?.areEnforced(call)) ?? false
      return {
        capabilities: [
          SIMPLE_AUTHENTICATION,
          ...(isEnforced ? [AUTHORIZATION] : []),
          ...(isOfCells ? [CELL_AUTHORIZATION] : []),
          ...(hasLabels ? [CELL_VISIBILITY] : []),
        ],
      }
    }),
  ]
}

function keyOf({ hostName, port, startCode }: ServerNameMessage): string {
  return `${hostName},${port},${startCode}`
}
