/** Requests of native RPC as HBase's Java client sends them, ready to be written to a socket. */

import type { CellBlock } from '../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../src/model/descriptor.ts'
import { MutationBatch } from '../src/model/mutation.ts'
import { parseTableName } from '../src/model/table-name.ts'
import { OWN_CALL } from '../src/store/call.ts'
import { encodeConnectionStart } from '../src/wire/rpc/connection-preamble.ts'
import { ClientService, MutationProto_MutationType, Scan_ReadType } from '../src/wire/rpc/gen/client_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../src/wire/rpc/gen/hbase_pb.ts'
import { MessageWriter } from '../src/wire/rpc/message-writer.ts'
import { writeRequest } from '../src/wire/rpc/request-frame.ts'
import { type RpcMethod, rpcMethod } from '../src/wire/rpc/rpc-method.ts'
import type { ReadAnswer } from '../test/harness/answer-tally.ts'
import type { Preface } from '../test/harness/load-connection.ts'
import { openRpcStore } from '../test/harness/rpc-store.ts'
import { readGetAnswer, readMultiAnswer, readMutateAnswer, readScanAnswer } from './answers/rpc-answer.ts'

const TABLE = parseTableName('bench')
const ROWS = 20_000
const VALUE = Buffer.alloc(100, 'v')
const FAMILY = Buffer.from('f')
const QUALIFIER = Buffer.from('q')
const TOGETHER = 100
const SCANNED = 1000
/** Of a scan's answer: HBase's hbase.client.scanner.max.result.size. */
const RESULT_BYTES_MAX = 2n * 1024n * 1024n
const REQUESTS = 1000
const { REGION_NAME } = RegionSpecifier_RegionSpecifierType

/** The server answers nothing to it. */
export const PREFACE: Preface = prefaceOf('bench')

/** `password`: the server asks for it. */
export function prefaceOf(user: string, password?: string): Preface {
  return { bytes: encodeConnectionStart({ service: 'ClientService', user, password }), answerBytes: 0 }
}

function rowOf(number: number): Buffer {
  return Buffer.from(`row${String(number % ROWS).padStart(7, '0')}`)
}

/** Rows all over the table, in no order. */
function scattered(number: number): Buffer {
  return rowOf(number * 7919)
}

/** Makes the table and its rows, in one region, whose full name it resolves to. */
export async function fillRpcTable(port: number): Promise<Buffer> {
  const store = await openRpcStore(port)
  try {
    await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
    for (let from = 0; from < ROWS; from += 1000) {
      const batch = new MutationBatch()
      for (let row = from; row < from + 1000; row++)
        batch.put(rowOf(row), FAMILY, QUALIFIER, VALUE).endMutation()
      await store.rows.mutate(TABLE, batch, OWN_CALL)
    }
    const [region] = await store.catalog.regions(TABLE, OWN_CALL)
    return region!.name
  } finally {
    await store.close()
  }
}

const { method } = ClientService
const [GET, MUTATE, MULTI, SCAN] = [
  rpcMethod(method.get),
  rpcMethod(method.mutate),
  rpcMethod(method.multi),
  rpcMethod(method.scan),
]
const PUT = MutationProto_MutationType.PUT

function frame<Request>(
  rpc: RpcMethod<Request, unknown>,
  message: Request,
  cells: readonly CellBlock[] = [],
): Buffer {
  const writer = new MessageWriter()
  writeRequest(writer, { callId: 1 }, rpc, message, cells)
  return Buffer.from(writer.take())
}

/** The cells of puts of the rows, as they follow a request. */
function cellsOf(rows: readonly Buffer[]): CellBlock {
  const batch = new MutationBatch()
  for (const row of rows) batch.put(row, FAMILY, QUALIFIER, VALUE).endMutation()
  return batch.cells.block()
}

function rowsFrom(number: number): Buffer[] {
  return Array.from({ length: TOGETHER }, (_, index) => scattered(number * TOGETHER + index))
}

export interface RpcWorkload {
  readonly name: string
  /** Times the throughput of a real HBase. */
  readonly goal: number
  /** `region`: the full name. */
  readonly requestsOf: (region: Buffer) => Buffer[]
  readonly readAnswer: ReadAnswer
}

function workload(
  name: string,
  goal: number,
  count: number,
  readAnswer: ReadAnswer,
  request: (region: Specifier, number: number) => Buffer,
): RpcWorkload {
  return {
    name,
    goal,
    readAnswer,
    requestsOf: (region) =>
      Array.from({ length: count }, (_, number) => request({ type: REGION_NAME, value: region }, number)),
  }
}

interface Specifier {
  readonly type: RegionSpecifier_RegionSpecifierType
  readonly value: Buffer
}

const READS: readonly RpcWorkload[] = [
  workload('Get', 3, REQUESTS, readGetAnswer, (region, number) =>
    frame(GET, { region, get: { row: scattered(number) } }),
  ),
  workload(`Multi of ${TOGETHER} gets`, 4, REQUESTS / 10, readMultiAnswer, (region, number) => {
    const action = rowsFrom(number).map((row, index) => ({ index, get: { row } }))
    return frame(MULTI, { regionAction: [{ region, action }] })
  }),
  workload(`Scan of ${SCANNED}`, 6, 10, readScanAnswer, (region, number) => {
    const startRow = rowOf(number * SCANNED)
    // Of another type HBase ends its answer once it has read some blocks, and asks for a second call.
    const scan = {
      startRow,
      cacheBlocks: true,
      readType: Scan_ReadType.PREAD,
      maxResultSize: RESULT_BYTES_MAX,
    }
    const handled = { clientHandlesPartials: true, clientHandlesHeartbeats: true }
    return frame(SCAN, { region, scan, numberOfRows: SCANNED, closeScanner: true, ...handled })
  }),
]

const WRITES: readonly RpcWorkload[] = [
  workload('Put', 3, REQUESTS, readMutateAnswer, (region, number) => {
    const row = scattered(number)
    return frame(MUTATE, { region, mutation: { row, mutateType: PUT, associatedCellCount: 1 } }, [
      cellsOf([row]),
    ])
  }),
  workload(`Multi of ${TOGETHER} puts`, 4, REQUESTS / 10, readMultiAnswer, (region, number) => {
    const rows = rowsFrom(number)
    const action = rows.map((row, index) => ({
      index,
      mutation: { row, mutateType: PUT, associatedCellCount: 1 },
    }))
    return frame(MULTI, { regionAction: [{ region, action }] }, [cellsOf(rows)])
  }),
]

/** Rows are read as they were written once, and again after the writes, which leave many versions in memory and in files. */
export const RPC_WORKLOADS: readonly RpcWorkload[] = [
  ...READS,
  ...WRITES,
  ...READS.map((read) => ({ ...read, name: `${read.name}, overwritten` })),
]
