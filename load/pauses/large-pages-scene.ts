/** Answers to one call of a scan, of the 100 MB that a server gives at most: large values, small ones, and one row of it all. */

import { DEFAULT_SERVER_LIMITS } from '../../adapters/servers/requests/server-options.ts'
import { SERVER_TIME } from '../../adapters/servers/requests/server-time.ts'
import { ThriftServer } from '../../adapters/servers/thrift/thrift-server.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { ClientService } from '../../src/wire/rpc/gen/client_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../src/wire/rpc/gen/hbase_pb.ts'
import { type ReadResults, readResults } from '../../src/wire/thrift/row-results-reader.ts'
import { FAMILY, numbered, QUALIFIER, ROWS } from './attacked-table.ts'
import { gets } from './http-requests.ts'
import { frameOf, rawCall } from './raw-call.ts'
import type { Attacked, HostileRequest, Scene } from './scene.ts'

const PAGE_BYTES = 100 * 1024 * 1024
const ROWS_MAX = 10_000_000
const LARGE_BYTES = 1_000_000
const SMALL_BYTES = 100
/** Bytes of cells that a batch of puts has. */
const BATCH_BYTES = 2_000_000

interface Shape {
  readonly name: string
  /** Rows begin with it. */
  readonly prefix: string
  readonly valueBytes: number
  readonly isOneRow: boolean
}

const SHAPES: readonly Shape[] = [
  { name: 'rows of 1 MB', prefix: 'large', valueBytes: LARGE_BYTES, isOneRow: false },
  { name: 'rows of 100 bytes', prefix: 'rows', valueBytes: SMALL_BYTES, isOneRow: false },
  { name: 'a row of columns of 1 MB', prefix: 'wide', valueBytes: LARGE_BYTES, isOneRow: true },
  { name: 'a row of columns of 100 bytes', prefix: 'columns', valueBytes: SMALL_BYTES, isOneRow: true },
]

/** Bytes of a cell beside its value, about. */
const CELL_BYTES = 45

async function fill({ store, table, sizes }: Attacked, shape: Shape): Promise<void> {
  const bytes = PAGE_BYTES * (sizes.largeBytes / 9_000_000)
  const count = Math.ceil(bytes / (shape.valueBytes + CELL_BYTES))
  let batch = new MutationBatch()
  const send = async (): Promise<void> => {
    const [failure] = await store.rows.mutate(table, batch, OWN_CALL)
    if (failure !== undefined) throw failure.error
    batch = new MutationBatch()
  }
  const value = Buffer.alloc(shape.valueBytes, 'x')
  for (let i = 0; i < count; i++) {
    const row = shape.isOneRow ? Buffer.from(shape.prefix) : numbered(shape.prefix, i)
    batch.put(row, FAMILY, numbered('q', shape.isOneRow ? i : 0), value).endMutation()
    if (batch.cells.length >= BATCH_BYTES) await send()
  }
  await send()
}

async function prepare(attacked: Attacked): Promise<void> {
  const { store, table } = attacked
  // One region answers.
  const attributes: [string, string][] = [['SPLIT_ENABLED', 'false']]
  await store.catalog.createTable(tableDescriptor(table, [familyDescriptor('f')], attributes), [], OWN_CALL)
  const made = new MutationBatch()
  made.put(ROWS.small, FAMILY, QUALIFIER, QUALIFIER).endMutation()
  await store.rows.mutate(table, made, OWN_CALL)
  for (const shape of SHAPES) await fill(attacked, shape)
}

/** One call, of whose rows and bytes the client states no limit. */
async function rpcPage(attacked: Attacked, { prefix }: Shape, allowPartial: boolean): Promise<string> {
  const [region] = await attacked.store.catalog.regions(attacked.table, OWN_CALL)
  const { REGION_NAME: type } = RegionSpecifier_RegionSpecifierType
  const message = {
    region: { type, value: region!.name },
    scan: {
      startRow: Buffer.from(prefix),
      stopRow: Buffer.from(`${prefix}~`),
      maxResultSize: BigInt(PAGE_BYTES),
    },
    numberOfRows: ROWS_MAX,
    clientHandlesPartials: allowPartial,
    clientHandlesHeartbeats: allowPartial,
  }
  return rawCall(attacked, frameOf(ClientService.method.scan, message))
}

/** `getScannerResults` of Thrift 2, whose numbers of rows are the client's. */
async function thriftPage({ server, table }: Attacked, { prefix }: Shape): Promise<string> {
  if (server.thrift === undefined) throw new Error('the server has no such door')
  const endpoint = { host: '127.0.0.1', port: server.thrift }
  const thrift = new ThriftServer({
    endpoint,
    transport: 'buffered',
    limits: DEFAULT_SERVER_LIMITS,
    time: SERVER_TIME,
  })
  try {
    const tscan = { startRow: Buffer.from(prefix), stopRow: Buffer.from(`${prefix}~`) }
    const { counts, cells } = await thrift.ask<ReadResults>(
      {
        operation: 'a page',
        method: 'getScannerResults',
        args: { table: Buffer.from(table), tscan, numRows: ROWS_MAX },
        readResult: readResults,
      },
      OWN_CALL,
    )
    return `${counts.length} results, ${cells.byteLength} bytes`
  } finally {
    thrift.close()
  }
}

function requestsOf(shape: Shape): HostileRequest[] {
  const { name, prefix } = shape
  return [
    { name: `RPC: 100 MB, ${name}`, send: (attacked) => rpcPage(attacked, shape, false) },
    { name: `RPC: 100 MB, ${name}, in parts`, send: (attacked) => rpcPage(attacked, shape, true) },
    { name: `Thrift: 100 MB, ${name}`, send: (attacked) => thriftPage(attacked, shape) },
    ...['application/json', 'application/x-protobuf'].map((accept) => ({
      name: `REST: 100 MB, ${name}, as ${accept}`,
      send: (attacked: Attacked) => gets(attacked, 'rest', `/${attacked.table}/${prefix}*`, accept),
    })),
  ]
}

export const LARGE_PAGES_SCENE: Scene = {
  name: 'large pages',
  args: [],
  isOfHBase: false,
  prepare,
  requests: SHAPES.flatMap(requestsOf),
}
