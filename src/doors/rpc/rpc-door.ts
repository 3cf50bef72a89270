import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { DoorCounters } from '../../gateway/metrics.ts'
import { clientService } from './client/client-service.ts'
import { OpenScanners } from './client/open-scanners.ts'
import { Connection } from './connection.ts'
import { masterServices } from './master/master-service.ts'
import { clientMetaService } from './registry/registries.ts'
import type { RpcServices } from './rpc-service.ts'

/** Time that connections have to end after `close`; then they are destroyed. */
const CLOSE_GRACE_MS = 5000

/** HBase's native RPC: the services of a region server, a master and a registry on one port. */
export async function startRpcDoor(context: DoorContext, address: DoorAddress): Promise<Door> {
  const { store, server: advertised, limits, memory, logger } = context
  const counters = new DoorCounters()
  const scanners = new OpenScanners(store.handouts, limits)
  counters.scanners('ClientService', () => scanners.size)
  const services: RpcServices = new Map([
    ['ClientService', clientService({ store, limits, scanners })],
    ['ClientMetaService', clientMetaService(store, advertised)],
    ...masterServices({ store, server: advertised }),
  ])
  const connections = new Map<Socket, Connection>()
  counters.connections = () => connections.size
  const clusterId = (): Promise<string> => store.clusterId()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const of = { services, clusterId, limits, memory, counters, logger }
    connections.set(socket, new Connection(socket, of, Date.now()))
    socket.on('error', (err) => logger.debug({ err }, 'a native RPC connection broke'))
    socket.once('close', () => connections.delete(socket))
  })
  server.maxConnections = limits.connectionsMax
  server.on('drop', (dropped) => {
    logger.warn({ remote: dropped?.remoteAddress }, `refused: ${limits.connectionsMax} connections are open`)
  })
  const sweeper = setInterval(
    () => {
      for (const connection of connections.values()) connection.expire(Date.now(), limits.connectionIdleMs)
    },
    Math.max(50, limits.connectionIdleMs / 4),
  )
  sweeper.unref()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      server.on('error', (err) => logger.error({ err }, 'the native RPC port failed'))
      resolve()
    })
  })
  const { port } = server.address() as AddressInfo
  // Another port is a setting of who advertises: behind a port map, clients are told the outer one.
  if (address.port === 0) advertised.port = port
  return {
    port,
    counters,
    close: async () => {
      clearInterval(sweeper)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const connection of connections.values()) connection.close()
      const timer = setTimeout(() => {
        for (const socket of connections.keys()) socket.destroy()
      }, CLOSE_GRACE_MS)
      await closed
      clearTimeout(timer)
      await scanners.closeAll()
    },
  }
}
