import type { DoorContext } from '../../gateway/door.ts'
import { clientService } from './client/client-service.ts'
import type { OpenScanners } from './client/open-scanners.ts'
import type { LoadRpcService, RpcServices } from './contract/rpc-service.ts'
import { Endpoints } from './endpoints/endpoints.ts'
import type { MasterState } from './master/master-state.ts'
import { ServedRegions } from './regions/served-regions.ts'
import { clientMetaService } from './registry/registries.ts'

type ServicesContext = Pick<DoorContext, 'store' | 'server' | 'limits' | 'memory' | 'guard' | 'audit'>

export type LoadMasterState = () => MasterState | Promise<MasterState>

/** The state of the master. All ports of a door share it. It is loaded with the first service of the master. */
export function sharedMasterState({ siblings }: Pick<DoorContext, 'siblings'>): LoadMasterState {
  return once(async () => (await import('./master/master-state.ts')).masterState(siblings))
}

/**
 * The services of a region server, a master and a registry. The administrators' services are loaded for the first client that names one.
 * With all messages of a master, they are a third of the door's code, and most clients only read and write.
 */
export function rpcServices(
  context: ServicesContext,
  scanners: OpenScanners,
  masterState: LoadMasterState,
  infoPort: () => number | undefined,
): RpcServices {
  const { store, server, limits, memory } = context
  const regions = new ServedRegions(store)
  const endpoints = new Endpoints(store, limits, regions, context)
  const client = clientService({ store, limits, memory, regions, scanners, endpoints })
  const registry = clientMetaService(store, server)
  const ofMaster = once(async () => {
    const { masterServices } = await import('./master/master-service.ts')
    return masterServices({ store, server, infoPort }, await masterState())
  })
  const masterService = (name: string): LoadRpcService => once(async () => (await ofMaster()).get(name)!)
  return new Map<string, LoadRpcService>([
    ['ClientService', () => client],
    ['ClientMetaService', () => registry],
    ['MasterService', masterService('MasterService')],
    ['HbckService', masterService('HbckService')],
    [
      'AdminService',
      once(async () => {
        const { adminService } = await import('./admin/admin-service.ts')
        return adminService({ store, server, regions, memory, infoPort })
      }),
    ],
  ])
}

/** Loads once. After a failure, the next call loads again. */
function once<T extends object>(load: () => Promise<T>): () => T | Promise<T> {
  let loaded: T | undefined
  let loading: Promise<T> | undefined
  return () => {
    if (loaded !== undefined) return loaded
    loading ??= load().then(
      (methods) => (loaded = methods),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
}
