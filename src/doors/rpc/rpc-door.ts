import { fronted } from '../../gateway/catalog/fronted.ts'
import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { RequestFailures } from '../../gateway/observing/logs/request-failures.ts'
import { DoorCounters } from '../../gateway/observing/metrics.ts'
import { OpenScanners } from './client/open-scanners.ts'
import { ForwardedCalls } from './connection/forwarded-calls.ts'
import { startRpcListener } from './connection/rpc-listener.ts'
import { masterPortServices } from './master-port-services.ts'
import { rpcServices, sharedMasterState } from './rpc-services.ts'

export interface RpcDoorOptions {
  /** Returns the present port of the web pages; undefined where there are none. */
  readonly infoPort?: () => number | undefined
}

export interface RpcDoor extends Door {
  /**
   * Opens another port, which answers as that of HBase's master. `context`: has limits and file descriptors of its own. The caller must close
   * the port together with the door.
   */
  openMaster(context: DoorContext, address: DoorAddress): Promise<Door>
}

export function isRpcDoor(door: Door | undefined): door is RpcDoor {
  return door !== undefined && 'openMaster' in door
}

/** HBase's native RPC: the services of a region server, a master and a registry on one port. */
export async function startRpcDoor(
  context: DoorContext,
  address: DoorAddress,
  { infoPort = noPort }: RpcDoorOptions = {},
): Promise<RpcDoor> {
  const { server: advertised, limits, memory, logger, siblings } = context
  const store = fronted(context.store, advertised)
  const counters = new DoorCounters()
  const scanners = new OpenScanners(store.handouts, limits, advertised.startCode, { siblings, memory })
  counters.scanners('ClientService', () => scanners.size)
  const doorContext = { ...context, store }
  const masterState = sharedMasterState(context)
  const services = rpcServices(doorContext, scanners, masterState, infoPort)
  const clusterId = (): Promise<string> => store.clusterId()
  // Usual: clients learn of splits, moves and merges by this error.
  const failures = new RequestFailures('native RPC', logger, { usual: ['NOT_SERVING_REGION'] })
  context.guard?.delegation?.belongTo(clusterId)
  const shared = { door: 'rpc', clusterId, limits, memory, failures, logger }
  const forwarding =
    siblings && (await ForwardedCalls.open(siblings, scanners, { ...shared, services, counters }))
  const serves = { ...shared, services, forwarding }
  const listener = await startRpcListener({ context, serves, counters }, address).catch(
    async (error: unknown) => {
      await forwarding?.close()
      throw error
    },
  )
  // A stated port may differ from the advertised one: behind a port mapping, clients must get the outer port.
  if (address.port === 0) advertised.port = listener.port
  return {
    port: listener.port,
    counters,
    openMaster: async (contextOfPort, addressOfPort) => {
      const storeOfPort = fronted(contextOfPort.store, advertised)
      const ofPort = masterPortServices({ ...doorContext, store: storeOfPort }, masterState, infoPort)
      const ofMaster = {
        ...shared,
        door: 'master',
        services: ofPort.services,
        forwarding: forwarding?.ofProcedures,
      }
      // Clients ask a master rarely, and its state is in this thread.
      const context = { ...contextOfPort, handover: undefined }
      const own = { context, serves: ofMaster, counters: new DoorCounters() }
      try {
        const door = await startRpcListener(own, addressOfPort)
        const close = async (): Promise<void> => {
          await door.close()
          await ofPort.close()
        }
        return { ...door, close }
      } catch (error) {
        await ofPort.close()
        throw error
      }
    },
    close: async () => {
      await listener.close()
      await forwarding?.close()
      failures.close()
      await scanners.closeAll()
    },
  }
}

function noPort(): undefined {
  return undefined
}
