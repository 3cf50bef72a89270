/** Two processes' worth of doors over one store, where clients must show who they are; and clients of each door. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { type Logger, pino } from 'pino'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { startRestDoor } from '../../src/doors/rest/rest-door.ts'
import { startRpcDoor } from '../../src/doors/rpc/rpc-door.ts'
import { openThriftServices } from '../../src/doors/thrift/service/thrift-services.ts'
import { startThriftDoor } from '../../src/doors/thrift/thrift-door.ts'
import { advertised } from '../../src/gateway/catalog/advertised.ts'
import type { Door, DoorContext } from '../../src/gateway/door.ts'
import { Guard, type GuardSettings } from '../../src/gateway/identity/guard/guard.ts'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { DEFAULT_LIMITS } from '../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../src/gateway/limits/memory-budget.ts'
import { Siblings } from '../../src/gateway/siblings/siblings.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { parseTableName, type TableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { type OneAnswer, oneCall } from '../doors/rpc/one-call.ts'
import { THRIFT1, THRIFT2 } from '../doors/thrift/service/thrift-server.ts'
import { PemFolder } from '../harness/certificates.ts'
import { thriftPackage } from '../harness/thrift-package.ts'
import type { StubClient } from '../harness/thrift-stubs.ts'

export const TABLE: TableName = parseTableName('t')
const PASSWORDS: Readonly<Record<string, string>> = {
  alice: 'the password of alice',
  bob: 'the password of bob',
}

export interface Doors {
  readonly rest: Door
  readonly thrift: Door
  readonly rpc: Door
}

export interface GuardedDoors {
  /** The table `t` has the family f and the rows a, b and c. */
  readonly store: Store
  readonly first: Doors
  readonly second: Doors
  readonly folder: PemFolder
  close(): Promise<void>
}

export function basic(user: string, password: string = PASSWORDS[user]!): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

export interface Guarding {
  readonly settings?: Partial<GuardSettings>
  readonly logger?: Logger
  /** Replaces parts of the context of the doors. */
  readonly context?: (store: Store) => Partial<DoorContext>
}

export async function openGuardedDoors({
  settings,
  logger = pino({ level: 'silent' }),
  context: ofTest = () => ({}),
}: Guarding = {}): Promise<GuardedDoors> {
  const folder = new PemFolder()
  const users = `${folder.path}/users`
  for (const [name, password] of Object.entries(PASSWORDS)) await writeUser(users, name, password)
  const guard = new Guard({ users, certificates: false, ...settings }, logger)
  const store = openMemoryStore({ clock: Date })
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  const server = { host: '127.0.0.1', port: 0, startCode: 4711 }
  const shared = { store: advertised(store, server), limits: DEFAULT_LIMITS, memory: new MemoryBudget() }
  const open = async (slot: number): Promise<Doors> => {
    const siblings = new Siblings({ slot, startedAt: 4711, folder: folder.path })
    const context = { ...shared, server: { ...server }, guard, logger, siblings, ...ofTest(store) }
    const address = { host: '127.0.0.1', port: 0 }
    return {
      rest: await startRestDoor(context, address),
      thrift: await startThriftDoor(context, address, openThriftServices(context)),
      rpc: await startRpcDoor(context, address),
    }
  }
  const [first, second] = [await open(1), await open(2)]
  return {
    store,
    first,
    second,
    folder,
    close: async () => {
      for (const doors of [second, first])
        for (const door of Object.values(doors)) await (door as Door).close()
      guard.close()
      await store.close()
      folder.remove()
    },
  }
}

interface RestQuestion {
  readonly user: string
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function restOf(doors: Doors, path: string, question: RestQuestion): Promise<Response> {
  const { user, method = 'GET', body, headers = {} } = question
  const json = 'application/json'
  return fetch(`http://127.0.0.1:${doors.rest.port}${path}`, {
    method,
    headers: { accept: json, 'content-type': json, authorization: basic(user), ...headers },
    ...(body !== undefined && { body }),
  })
}

/** Over HTTP. */
export function thriftOf(
  doors: Doors,
  service: 'thrift1' | 'thrift2',
  user: string,
  headers: Readonly<Record<string, string>> = {},
): StubClient {
  const connection = thriftPackage.createHttpConnection('127.0.0.1', doors.thrift.port, {
    transport: thriftPackage.TBufferedTransport,
    protocol: thriftPackage.TBinaryProtocol,
    path: '/',
    headers: { authorization: basic(user), ...headers },
  })
  connection.on('error', () => {})
  const stubs = service === 'thrift1' ? THRIFT1 : THRIFT2
  return thriftPackage.createHttpClient(stubs, connection) as StubClient
}

/** The beginning of a connection of native RPC, up to its connection header. */
export function rpcLogin(user: string, password: string = PASSWORDS[user]!): Buffer {
  const message = Buffer.from(`\0${user}\0${password}`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(message.length)
  return Buffer.concat([Buffer.from('HBas\0\x52', 'latin1'), length, message])
}

export function rpcOf<Input extends DescMessage, Output extends DescMessage>(
  doors: Doors,
  user: string,
  method: DescMethodUnary<Input, Output>,
  message: MessageInitShape<Input>,
): Promise<OneAnswer<MessageShape<Output>>> {
  return oneCall(doors.rpc.port, method, message, { preamble: rpcLogin(user), user })
}
