/** A native RPC door whose clients log in by a fake Kerberos. */

import type { MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { pino } from 'pino'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { startRpcDoor } from '../../../../src/doors/rpc/rpc-door.ts'
import { advertised } from '../../../../src/gateway/catalog/advertised.ts'
import type { DoorContext } from '../../../../src/gateway/door.ts'
import { Guard, type GuardParts, type GuardSettings } from '../../../../src/gateway/identity/guard/guard.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import type { Sample } from '../../../../src/model/metric.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL, type Principal } from '../../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../../src/store/decorate.ts'
import type { Store } from '../../../../src/store/store.ts'
import {
  ClientService,
  type GetRequestSchema,
  type GetResponseSchema,
  type MutateRequestSchema,
  type MutateResponseSchema,
} from '../../../../src/wire/rpc/gen/client_pb.ts'
import { type RpcMethod, rpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'
import { PROTECTIONS, type Protection } from '../../../../src/wire/sasl/sasl.ts'
import { FakeService, fakeLogins } from '../../../harness/fake-kerberos.ts'

export const TABLE: TableName = parseTableName('t')

export interface KerberosDoor {
  readonly port: number
  readonly service: FakeService
  readonly memory: MemoryBudget
  /** The counts of tidegate_throttled_logins_total. */
  throttledLogins(): Sample[]
  /** Messages of level warn and above. */
  readonly logged: readonly string[]
  /** The principals of the reads that have reached the store. */
  readonly readers: readonly (Principal | undefined)[]
  /** The name of the table's region. */
  readonly region: Buffer
  close(): Promise<void>
}

export interface KerberosDoorOptions {
  readonly protections?: readonly Protection[]
  readonly takesAes?: boolean
  readonly settings?: Partial<GuardSettings>
  readonly parts?: Partial<GuardParts>
  readonly limits?: Partial<Limits>
  readonly memoryBytesMax?: number
  readonly context?: Partial<DoorContext>
}

/** Starts a door over a store in memory, with the table `t` of the family f. */
export async function startKerberosDoor({
  protections = PROTECTIONS,
  takesAes = false,
  settings = {},
  parts = {},
  limits = {},
  memoryBytesMax = Number.POSITIVE_INFINITY,
  context: ofTest = {},
}: KerberosDoorOptions = {}): Promise<KerberosDoor> {
  const store = openMemoryStore({ clock: Date })
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  const [first] = await store.catalog.regions(TABLE, OWN_CALL)
  const service = new FakeService()
  const logged: string[] = []
  const logger = pino(
    { level: 'warn' },
    { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) },
  )
  const kerberos = { ...fakeLogins(service, protections), rpcPrincipal: 'hbase/localhost@TEST', takesAes }
  const guard = new Guard({ certificates: false, ...settings }, logger, { kerberos, ...parts })
  const readers: (Principal | undefined)[] = []
  const rows = withMethods(store.rows, {
    get: (...args: Parameters<Store['rows']['get']>) => {
      readers.push(args[3].principal)
      return store.rows.get(...args)
    },
  })
  const server = { host: '127.0.0.1', port: 0, startCode: 1 }
  const memory = new MemoryBudget(memoryBytesMax)
  const all = { ...DEFAULT_LIMITS, ...limits }
  const seen = advertised(withFacets(store, { rows }), server)
  const context = { store: seen, server, limits: all, memory, logger, guard, ...ofTest }
  const door = await startRpcDoor(context, { host: '127.0.0.1', port: 0 })
  return {
    port: door.port,
    service,
    memory,
    throttledLogins: () => guard.counts.throttledSamples(),
    logged,
    readers,
    region: first!.name,
    close: async () => {
      await door.close()
      guard.close()
      await store.close()
    },
  }
}

/** A Get of a row, and a Put of a value, as the parameters of their methods. */
export const GET: RpcMethod<
  MessageInitShape<typeof GetRequestSchema>,
  MessageShape<typeof GetResponseSchema>
> = rpcMethod(ClientService.method.get)
export const MUTATE: RpcMethod<
  MessageInitShape<typeof MutateRequestSchema>,
  MessageShape<typeof MutateResponseSchema>
> = rpcMethod(ClientService.method.mutate)

export function getOf({ region }: KerberosDoor, row: string): MessageInitShape<typeof GetRequestSchema> {
  return { region: { type: 1, value: region }, get: { row: Buffer.from(row) } }
}

export function putOf(
  { region }: KerberosDoor,
  row: string,
  value: Buffer,
): MessageInitShape<typeof MutateRequestSchema> {
  const columnValue = [
    { family: Buffer.from('f'), qualifierValue: [{ qualifier: Buffer.from('q'), value, timestamp: 1n }] },
  ]
  return {
    region: { type: 1, value: region },
    mutation: { row: Buffer.from(row), mutateType: 2, columnValue, durability: 0 },
  }
}
