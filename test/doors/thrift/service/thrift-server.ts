import { pino } from 'pino'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { openThriftServices } from '../../../../src/doors/thrift/service/thrift-services.ts'
import { startThriftDoor } from '../../../../src/doors/thrift/thrift-door.ts'
import { advertised } from '../../../../src/gateway/catalog/advertised.ts'
import type { DoorContext } from '../../../../src/gateway/door.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { withFacets } from '../../../../src/store/decorate.ts'
import type { Store } from '../../../../src/store/store.ts'
import { loadSchema } from '../../../../src/wire/thrift/idl-files.ts'
import {
  type ProtocolClass,
  type ThriftConnection,
  type ThriftTransportClass,
  thriftPackage,
} from '../../../harness/thrift-package.ts'
import { type StubClient, type ThriftStubs, thriftStubs } from '../../../harness/thrift-stubs.ts'

export interface Dialect {
  readonly name: string
  readonly transport: ThriftTransportClass
  readonly protocol: ProtocolClass
  readonly http: boolean
}

export const BUFFERED_BINARY: Dialect = {
  name: 'buffered binary',
  transport: thriftPackage.TBufferedTransport,
  protocol: thriftPackage.TBinaryProtocol,
  http: false,
}

/** The dialects of HBase's clients: the default, the one of --framed --compact, and HTTP. */
export const DIALECTS: readonly Dialect[] = [
  BUFFERED_BINARY,
  {
    name: 'framed compact',
    transport: thriftPackage.TFramedTransport,
    protocol: thriftPackage.TCompactProtocol,
    http: false,
  },
  {
    name: 'HTTP binary',
    transport: thriftPackage.TBufferedTransport,
    protocol: thriftPackage.TBinaryProtocol,
    http: true,
  },
]

export const THRIFT1: ThriftStubs = thriftStubs(loadSchema('thrift1'), 'Hbase')
export const THRIFT2: ThriftStubs = thriftStubs(loadSchema('thrift2'), 'THBaseService')

export interface ThriftServer {
  readonly port: number
  readonly store: Store
  readonly thrift1: (dialect?: Dialect) => StubClient
  readonly thrift2: (dialect?: Dialect) => StubClient
  close(): Promise<void>
}

/** Facets that replace the store's own. */
export type Facets = Partial<Pick<Store, 'rows' | 'handouts' | 'catalog' | 'upkeep'>>

/** Starts the Thrift door over the given store, or over a memory store. Closing the door closes the store. */
export async function startThriftServer(
  limits: Partial<Limits> = {},
  facets: (store: Store) => Facets = () => ({}),
  over: Store = openMemoryStore({ clock: Date }),
  {
    memory = new MemoryBudget(),
    decoding,
    siblings,
  }: Partial<Pick<DoorContext, 'memory' | 'decoding' | 'siblings'>> = {},
): Promise<ThriftServer> {
  const all = { ...DEFAULT_LIMITS, ...limits }
  const server = { host: 'tidegate.test', port: 16020, startCode: 1 }
  const store = advertised(withFacets(over, facets(over)), server)
  const door = await startThriftDoor(
    { limits: all, memory, decoding, siblings, logger: pino({ level: 'silent' }) },
    { host: '127.0.0.1', port: 0 },
    openThriftServices({ store, limits: all, memory, siblings }),
  )
  const connections: ThriftConnection[] = []
  const clientOf = (stubs: ThriftStubs, { transport, protocol, http }: Dialect): StubClient => {
    const options = { transport, protocol, path: '/' }
    const connection = http
      ? thriftPackage.createHttpConnection('127.0.0.1', door.port, options)
      : thriftPackage.createConnection('127.0.0.1', door.port, options)
    connection.on('error', () => {})
    if (http) return thriftPackage.createHttpClient(stubs, connection) as StubClient
    connections.push(connection)
    return thriftPackage.createClient(stubs, connection) as StubClient
  }
  return {
    port: door.port,
    store,
    thrift1: (dialect = BUFFERED_BINARY) => clientOf(THRIFT1, dialect),
    thrift2: (dialect = BUFFERED_BINARY) => clientOf(THRIFT2, dialect),
    close: async () => {
      for (const connection of connections) connection.destroy()
      await door.close()
      await store.close()
    },
  }
}
