import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Logger } from 'pino'
import { ConnectionAdmission } from '../../gateway/connection-admission.ts'
import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { fronted } from '../../gateway/fronted.ts'
import { DoorCounters } from '../../gateway/metrics.ts'
import { RequestFailures } from '../../gateway/request-failures.ts'
import { tlsFront } from '../../gateway/tls/tls-front.ts'
import { OpenScanners } from './client/open-scanners.ts'
import { Connection } from './connection.ts'
import { ForwardedCalls } from './forwarded-calls.ts'
import { rpcServices } from './rpc-services.ts'

/** Time that connections have to end after `close`; then they are destroyed. */
const CLOSE_GRACE_MS = 5000

/** HBase's native RPC: the services of a region server, a master and a registry on one port. */
export interface RpcDoorOptions {
  /** The port of the web pages, as it is now; undefined: there are none. */
  readonly infoPort?: () => number | undefined
}

export async function startRpcDoor(
  context: DoorContext,
  address: DoorAddress,
  { infoPort = noPort }: RpcDoorOptions = {},
): Promise<Door> {
  const { server: advertised, limits, memory, descriptorsMax, guard, logger, access, siblings } = context
  const store = fronted(context.store, advertised)
  const counters = new DoorCounters()
  const scanners = new OpenScanners(store.handouts, limits, advertised.startCode, { siblings, memory })
  counters.scanners('ClientService', () => scanners.size)
  const services = rpcServices({ ...context, store }, scanners, infoPort)
  const connections = new Map<Socket, Connection>()
  counters.connections = () => connections.size
  const clusterId = (): Promise<string> => store.clusterId()
  // By it clients learn of splits, moves and merges.
  const failures = new RequestFailures('native RPC', logger, { usual: ['NOT_SERVING_REGION'] })
  const { connectionsMax } = limits
  const admission = new ConnectionAdmission({ door: 'rpc', connectionsMax, descriptorsMax, logger })
  counters.refusedConnections = () => admission.refused
  const of = { services, clusterId, limits, memory, counters, failures, logger }
  const forwarding = siblings && (await ForwardedCalls.open(siblings, scanners, of))
  const serve = (socket: Socket): void => {
    // HBase's clients try again where a connection ends before it answers; the protocol has no word for this before a call.
    if (admission.refusal(socket, connections.size) !== undefined) {
      socket.destroy()
      return
    }
    const ofClient = { ...of, guard, access, forwarding }
    connections.set(socket, new Connection(socket, ofClient, performance.now()))
    socket.on('error', (err) => logger.debug({ err }, 'a native RPC connection broke'))
    socket.once('close', () => connections.delete(socket))
  }
  const front = tlsFront({ ...context, door: 'rpc', malformed: () => counters.malformed() })
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => front.open(socket, serve))
  const { connectionIdleMs, headersMs, requestMs, answerMs } = limits
  const shortestMs = Math.min(connectionIdleMs, headersMs, requestMs, answerMs)
  const sweep = (): void => {
    for (const connection of connections.values()) connection.expire(performance.now(), limits)
  }
  const sweeper = setInterval(sweep, Math.max(50, shortestMs / 4)).unref()
  await listen(server, address, logger).catch(async (error: unknown) => {
    await forwarding?.close()
    throw error
  })
  const { port } = server.address() as AddressInfo
  // Another port is a setting of who advertises: behind a port map, clients are told the outer one.
  if (address.port === 0) advertised.port = port
  return {
    port,
    counters,
    close: async () => {
      clearInterval(sweeper)
      front.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const connection of connections.values()) connection.close()
      const timer = setTimeout(() => {
        for (const socket of connections.keys()) socket.destroy()
      }, CLOSE_GRACE_MS)
      await closed
      clearTimeout(timer)
      await forwarding?.close()
      failures.close()
      await scanners.closeAll()
    },
  }
}

function listen(server: Server, address: DoorAddress, logger: Logger): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      server.on('error', (err) => logger.error({ err }, 'the native RPC port failed'))
      resolve()
    })
  })
}

function noPort(): undefined {
  return undefined
}
