import type { DoorContext } from '../../gateway/door.ts'
import { clientService } from './client/client-service.ts'
import { OpenScanners } from './client/open-scanners.ts'
import type { RpcMethods, RpcServices } from './contract/rpc-service.ts'
import { Endpoints } from './endpoints/endpoints.ts'
import { NoRegions } from './regions/served-regions.ts'
import { type LoadMasterState, rpcServices } from './rpc-services.ts'

type PortContext = Pick<DoorContext, 'store' | 'server' | 'limits' | 'memory'>

/** Methods of a region server's AdminService that change the server itself. HBase's master has no such parts, and fails them. */
const OF_REGION_SERVERS: ReadonlySet<string> = new Set([
  'ClearCompactionQueues',
  'ClearRegionBlockCache',
  'CompactionSwitch',
  'RollWALWriter',
])

export interface MasterPortServices {
  readonly services: RpcServices
  close(): Promise<void>
}

/**
 * The services of the port of HBase's master. Those of the master and the registry answer as the door's do. Those of a region server answer
 * that no region is online here. HBase: MasterRpcServices, which extends RSRpcServices.
 */
export function masterPortServices(
  { store, server, limits, memory }: PortContext,
  masterState: LoadMasterState,
  infoPort: () => number | undefined,
): MasterPortServices {
  const regions = new NoRegions(store)
  const scanners = new OpenScanners(store.handouts, limits, server.startCode, { memory })
  const services = rpcServices({ store, server, limits, memory }, scanners, masterState, infoPort)
  const endpoints = new Endpoints(store, limits, regions, {})
  const client = clientService({ store, limits, memory, regions, scanners, endpoints })
  const admin = async (): Promise<RpcMethods> => {
    const { adminService } = await import('./admin/admin-service.ts')
    const refused = adminService({ store, server, regions, memory, infoPort })
    const answered = [...refused].filter(([name]) => !OF_REGION_SERVERS.has(name))
    // HBase's master knows all regions: MasterRpcServices.getRegionInfo.
    const info = (await services.get('AdminService')!()).get('GetRegionInfo')!
    return new Map([...answered, ['GetRegionInfo', info]])
  }
  return {
    services: new Map([...services, ['ClientService', () => client], ['AdminService', admin]]),
    close: () => scanners.closeAll(),
  }
}
