/** A port of native RPC. Accepts connections, ends late ones, and closes all in the end. */

import type { Socket } from 'node:net'
import { ConnectionAdmission } from '../../../gateway/connections/connection-admission.ts'
import { readDirectly } from '../../../gateway/connections/direct-reading.ts'
import { DoorServer } from '../../../gateway/connections/door-server.ts'
import { endInTime } from '../../../gateway/connections/ending-connections.ts'
import type { Door, DoorAddress, DoorContext } from '../../../gateway/door.ts'
import { tlsFront } from '../../../gateway/identity/tls/tls-front.ts'
import { answerMsNow } from '../../../gateway/limits/answer-limits.ts'
import type { DoorCounters } from '../../../gateway/observing/metrics.ts'
import { Connection } from './connection.ts'
import type { OpeningContext } from './opening.ts'

export interface RpcListener {
  readonly context: DoorContext
  /** The context of each connection. */
  readonly serves: Omit<OpeningContext, 'guard' | 'access' | 'counters'>
  readonly counters: DoorCounters
}

/** Rejects with the error of the operating system where the address cannot be bound. */
export async function startRpcListener(
  { context, serves, counters }: RpcListener,
  address: DoorAddress,
): Promise<Door> {
  const { limits, memory, descriptorsMax, guard, logger, access, handover, incoming } = context
  const { door } = serves
  const connections = new Map<Socket, Connection>()
  counters.connections = () => connections.size
  const { connectionsMax } = limits
  const admission = new ConnectionAdmission({ door, connectionsMax, descriptorsMax, logger })
  counters.refusedConnections = () => admission.refused
  const open = (): number => connections.size + (handover?.open(door) ?? 0)
  const serve = (accepted: Socket): void => {
    const socket = readDirectly(accepted)
    // The protocol has no refusal before a call. HBase's clients retry where a connection ends without an answer.
    if (admission.refusal(socket, open()) !== undefined) {
      socket.destroy()
      return
    }
    connections.set(socket, new Connection(socket, { ...serves, guard, access, counters }, performance.now()))
    socket.on('error', (err) => logger.debug({ err }, 'a native RPC connection broke'))
    socket.once('close', () => connections.delete(socket))
  }
  const front = tlsFront({ ...context, door, malformed: () => counters.malformed() })
  const server = new DoorServer({
    door,
    logger,
    handover,
    incoming,
    admits: (socket) => admission.admits(socket, open()),
    accept: (socket) => front.open(socket, serve),
  })
  const { connectionIdleMs, headersMs, requestMs, answerMs, scarceAnswerMs } = limits
  const shortestMs = Math.min(connectionIdleMs, headersMs, requestMs, answerMs, scarceAnswerMs)
  const sweep = (): void => {
    const deadlines = { ...limits, answerMs: answerMsNow(limits, memory) }
    for (const connection of connections.values()) connection.expire(performance.now(), deadlines)
  }
  const port = await server.listen(address)
  const sweeper = setInterval(sweep, Math.max(50, shortestMs / 4)).unref()
  return {
    port,
    counters,
    close: async () => {
      clearInterval(sweeper)
      front.close()
      const closed = server.close()
      for (const connection of connections.values()) connection.close()
      const end = endInTime(() => connections.keys())
      await closed
      end()
    },
  }
}
