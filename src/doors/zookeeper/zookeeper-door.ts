/**
 * ZooKeeper as HBase's clients use it: they read the servers' addresses, and watch nodes. Clients cannot change nodes. HBase's znodes
 * follow the server and its catalog.
 */

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { ConnectionAdmission } from '../../gateway/connections/connection-admission.ts'
import { readDirectly } from '../../gateway/connections/direct-reading.ts'
import { endInTime } from '../../gateway/connections/ending-connections.ts'
import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { tlsFront } from '../../gateway/identity/tls/tls-front.ts'
import { RequestFailures } from '../../gateway/observing/logs/request-failures.ts'
import { DoorCounters } from '../../gateway/observing/metrics.ts'
import { OP_CODE } from '../../wire/zookeeper/codes.ts'
import { Connection } from './connection.ts'
import type { ConnectionContext } from './connection-context.ts'
import { OPERATIONS } from './operations/operation-table.ts'
import type { CountedOperation } from './operations/run-operation.ts'
import { DoorStatistics } from './session/door-statistics.ts'
import { SessionTable } from './session/session-table.ts'
import { CatalogMirror } from './tree/catalog-mirror.ts'
import { HBaseZnodes } from './tree/hbase-znodes.ts'
import { WatchTable } from './tree/watch-table.ts'
import { ZnodeTree } from './tree/znode-tree.ts'

export interface ZooKeeperDoorOptions {
  /** Path of HBase's parent node. HBase: zookeeper.znode.parent. */
  readonly znodeParent: string
  /** Returns the port of the status page; 0 where there is none. */
  readonly infoPort: () => number
  /** Tidegate's version. */
  readonly version: string
  /** Returns milliseconds since 1970. */
  readonly now?: () => number
  /** Milliseconds between searches for sessions whose time-outs are over. */
  readonly sweepMs?: number
}

/** A fraction of the shortest session's time-out, as ZooKeeper's tick is. */
const SWEEP_MS = 1000

export async function startZooKeeperDoor(
  context: DoorContext,
  address: DoorAddress,
  options: ZooKeeperDoorOptions,
): Promise<Door> {
  const { logger, limits, descriptorsMax } = context
  const connections = new Map<Socket, Connection>()
  const { shared, mirror } = sharedParts(context, options, connections)
  const { counters, sessions } = shared
  counters.connections = () => connections.size
  await mirror.start()
  const { connectionsMax } = limits
  const admission = new ConnectionAdmission({ door: 'zookeeper', connectionsMax, descriptorsMax, logger })
  counters.refusedConnections = () => admission.refused
  const serve = (accepted: Socket): void => {
    const socket = readDirectly(accepted)
    // The protocol has no refusal for this. The client retries.
    if (admission.refusal(socket, connections.size) !== undefined) {
      socket.destroy()
      return
    }
    connections.set(socket, new Connection(socket, shared))
    socket.on('error', (err) => logger.debug({ err }, 'a ZooKeeper connection broke'))
    socket.once('close', () => connections.delete(socket))
  }
  const front = tlsFront({ ...context, door: 'zookeeper', malformed: () => counters.malformed() })
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => front.open(socket, serve))
  try {
    await listen(server, address)
  } catch (error) {
    await mirror.stop()
    throw error
  }
  server.on('error', (err) => logger.error({ err }, 'the ZooKeeper port failed'))
  const sweeper = setInterval(() => {
    sessions.sweep()
    for (const connection of connections.values()) connection.sweep()
  }, options.sweepMs ?? SWEEP_MS)
  sweeper.unref()
  return {
    port: (server.address() as AddressInfo).port,
    counters,
    close: async () => {
      clearInterval(sweeper)
      front.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const connection of connections.values()) connection.close()
      const end = endInTime(() => connections.keys())
      await mirror.stop()
      await closed
      end()
      shared.failures.close()
    },
  }
}

function sharedParts(
  { store, server, limits, memory, guard, logger }: DoorContext,
  { znodeParent: parent, infoPort, version, now = Date.now }: ZooKeeperDoorOptions,
  connections: ReadonlyMap<Socket, Connection>,
): { readonly shared: ConnectionContext; readonly mirror: CatalogMirror } {
  const counters = new DoorCounters()
  const statistics = new DoorStatistics()
  const sessions = new SessionTable(limits.sessionsMax, now)
  const watches = new WatchTable(limits.watchesMax)
  const tree = new ZnodeTree({ now, onChange: (change, path) => watches.fire(change, path) })
  const own = { master: sessions.reserveId(), regionServer: sessions.reserveId() }
  const hbase = new HBaseZnodes(tree, { parent, server, infoPort, sessions: own }, now())
  const mirror = new CatalogMirror({ store, znodes: hbase, logger, now })
  const words = {
    version,
    statistics,
    connections: () => [...connections.values()].map(({ listed }) => listed),
    zxid: () => tree.zxid,
    // ZooKeeper counts its root twice.
    nodes: () => tree.size + 1,
    watches: () => watches.size,
    sessions: () => sessions.size,
    ephemerals: () => Object.keys(own).length,
  }
  const shared = {
    znodes: { tree, watches, mirror },
    sessions,
    operations: countedOperations(counters),
    counters,
    statistics,
    words,
    memory,
    guard,
    failures: new RequestFailures('ZooKeeper', logger),
    now,
    // Doors that open later have their ports once a session starts.
    onSession: () => hbase.putServer(),
  }
  return { shared, mirror }
}

function countedOperations(counters: DoorCounters): ReadonlyMap<number, CountedOperation> {
  const names = Object.keys(OP_CODE) as (keyof typeof OP_CODE)[]
  return new Map(
    names.map((name) => [
      OP_CODE[name],
      { run: OPERATIONS[name], counts: counters.request('ZooKeeper', name) },
    ]),
  )
}

function listen(server: Server, address: DoorAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
