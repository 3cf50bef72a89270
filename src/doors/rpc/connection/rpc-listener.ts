/** A port of native RPC. Accepts connections, ends late ones, and closes all in the end. */

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Logger } from 'pino'
import { ConnectionAdmission } from '../../../gateway/connections/connection-admission.ts'
import { readDirectly } from '../../../gateway/connections/direct-reading.ts'
import { endInTime } from '../../../gateway/connections/ending-connections.ts'
import type { Door, DoorAddress, DoorContext } from '../../../gateway/door.ts'
import { tlsFront } from '../../../gateway/identity/tls/tls-front.ts'
import { answerMsNow } from '../../../gateway/limits/answer-limits.ts'
import type { DoorCounters } from '../../../gateway/observing/metrics.ts'
import { Connection, type ConnectionContext } from './connection.ts'

export interface RpcListener {
  readonly context: DoorContext
  /** The context of each connection. */
  readonly serves: Omit<ConnectionContext, 'guard' | 'access' | 'counters'>
  readonly counters: DoorCounters
}

/** Rejects with the error of the operating system where the address cannot be bound. */
export async function startRpcListener(
  { context, serves, counters }: RpcListener,
  address: DoorAddress,
): Promise<Door> {
  const { limits, memory, descriptorsMax, guard, logger, access } = context
  const { door } = serves
  const connections = new Map<Socket, Connection>()
  counters.connections = () => connections.size
  const { connectionsMax } = limits
  const admission = new ConnectionAdmission({ door, connectionsMax, descriptorsMax, logger })
  counters.refusedConnections = () => admission.refused
  const serve = (accepted: Socket): void => {
    const socket = readDirectly(accepted)
    // The protocol has no refusal before a call. HBase's clients retry where a connection ends without an answer.
    if (admission.refusal(socket, connections.size) !== undefined) {
      socket.destroy()
      return
    }
    connections.set(socket, new Connection(socket, { ...serves, guard, access, counters }, performance.now()))
    socket.on('error', (err) => logger.debug({ err }, 'a native RPC connection broke'))
    socket.once('close', () => connections.delete(socket))
  }
  const front = tlsFront({ ...context, door, malformed: () => counters.malformed() })
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => front.open(socket, serve))
  const { connectionIdleMs, headersMs, requestMs, answerMs, scarceAnswerMs } = limits
  const shortestMs = Math.min(connectionIdleMs, headersMs, requestMs, answerMs, scarceAnswerMs)
  const sweep = (): void => {
    const deadlines = { ...limits, answerMs: answerMsNow(limits, memory) }
    for (const connection of connections.values()) connection.expire(performance.now(), deadlines)
  }
  await listen(server, address, logger)
  const sweeper = setInterval(sweep, Math.max(50, shortestMs / 4)).unref()
  const { port } = server.address() as AddressInfo
  return {
    port,
    counters,
    close: async () => {
      clearInterval(sweeper)
      front.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const connection of connections.values()) connection.close()
      const end = endInTime(() => connections.keys())
      await closed
      end()
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
