/** The native RPC door over a store in memory, and the adapter of clusters as its client. */

import { connect } from 'node:net'
import { pino } from 'pino'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { startRpcDoor } from '../../../src/doors/rpc/rpc-door.ts'
import { advertised } from '../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../src/gateway/catalog/system-tables/system-tables.ts'
import type { Door, DoorContext } from '../../../src/gateway/door.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { openRpcStore } from '../../harness/rpc-store.ts'

export const TABLE: TableName = parseTableName('t')

export interface RpcServer {
  readonly door: Door
  readonly memory: MemoryBudget
  /** The store itself. */
  readonly store: Store
  /** The same store over the wire. */
  readonly remote: Store
  /** Messages that were logged. */
  readonly logged: readonly string[]
  /** Opens the port of the master, which the caller must close. */
  openMaster(): Promise<Door>
  close(): Promise<void>
}

interface Served {
  readonly limits?: Partial<Limits>
  readonly memoryBytesMax?: number
  /** The store, which the server closes. */
  readonly own?: Store
  readonly logs?: Partial<Pick<DoorContext, 'logger' | 'access'>>
}

/** Starts a server with a table of the families f and g, split at row m. */
export async function startRpcServer({
  limits = {},
  memoryBytesMax = Number.POSITIVE_INFINITY,
  own = openMemoryStore({ clock: Date }),
  logs = {},
}: Served = {}): Promise<RpcServer> {
  const server = { host: '127.0.0.1', port: 0, startCode: 1 }
  const families = [familyDescriptor('f', [['VERSIONS', '3']]), familyDescriptor('g')]
  await own.catalog.createTable(tableDescriptor(TABLE, families), [Buffer.from('m')], OWN_CALL)
  const store = withSystemTables(advertised(own, server), server)
  const memory = new MemoryBudget(memoryBytesMax)
  const logged: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => logged.push(messageOf(line)) })
  const all = { ...DEFAULT_LIMITS, ...limits }
  const context = { store, server, limits: all, memory, logger, ...logs }
  const address = { host: '127.0.0.1', port: 0 }
  const door = await startRpcDoor(context, address)
  const remote = await openRpcStore(door.port, { pauseMs: 1, retriesMax: 2 })
  const close = async (): Promise<void> => {
    await remote.close()
    await door.close()
    await own.close()
  }
  const openMaster = (): Promise<Door> => door.openMaster(context, address)
  return { door, memory, store, remote, logged, openMaster, close }
}

function messageOf(line: string): string {
  return (JSON.parse(line) as { msg: string }).msg
}

/** The server's answer to the bytes, until it closes the connection or `isWhole` is true. `port`: may be the path of a private listener. */
export function exchange(
  port: number | string,
  bytes: Buffer,
  isWhole: (answer: Buffer) => boolean = () => false,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = typeof port === 'string' ? connect({ path: port }) : connect(port, '127.0.0.1')
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (isWhole(Buffer.concat(chunks))) socket.destroy()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(Buffer.concat(chunks)))
    socket.write(bytes)
  })
}
