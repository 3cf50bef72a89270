/** AggregateService: sums, counts and extremes over a region's rows. The client combines them for the table. HBase: AggregateImplementation. */

import { create, toBinary } from '@bufbuild/protobuf'
import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import { type CellBlock, CellCursor } from '../../../model/cell-block.ts'
import { detached } from '../../../model/detached.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { Scan } from '../../../model/query.ts'
import { Field } from '../../../wire/rpc/field.ts'
import { AggregateResponseSchema, AggregateService } from '../../../wire/rpc/gen/aggregate_pb.ts'
import { MalformedMessage, MessageReader } from '../../../wire/rpc/message-reader.ts'
import { readInTurns } from '../messages/read-in-turns.ts'
import { readScan } from '../messages/read-query.ts'
import { type ColumnInterpreter, withInterpreter } from './column-interpreter.ts'
import type { Endpoint, EndpointRequest } from './endpoint.ts'
import { regionRows } from './region-rows.ts'

interface Parts {
  readonly firstPart?: Uint8Array[]
  readonly secondPart?: Uint8Array
}

/** The cells of the rows, a batch of rows at a time. */
type Rows = AsyncIterable<readonly CellBlock[]>
type Aggregate = <T>(numbers: ColumnInterpreter<T>, rows: Rows, scan: Scan) => Promise<Parts>

export function aggregateEndpoint(store: Pick<AdvertisedStore, 'rows' | 'handouts'>): Endpoint {
  const over =
    (aggregate: Aggregate) =>
    async (request: EndpointRequest): Promise<Uint8Array> => {
      const { javaClass, scan } = await readRequest(request)
      if (scan.columns.length === 0) throw new HBaseError('DO_NOT_RETRY', 'an aggregation needs a family')
      const rows = regionRows(store, request.region, scan, request.call)
      return written(await withInterpreter(javaClass, (numbers) => aggregate(numbers, rows, scan)))
    }
  const { method } = AggregateService
  return {
    answerClassOf: () => 'org.apache.hadoop.hbase.protobuf.generated.AggregateProtos$AggregateResponse',
    methods: new Map([
      [method.getMax.name, over(extreme((difference) => difference > 0))],
      [method.getMin.name, over(extreme((difference) => difference < 0))],
      [method.getSum.name, over(sum)],
      [method.getAvg.name, over(sumAndRows)],
      [method.getStd.name, over(sumsAndRows)],
      [method.getMedian.name, over(sumAndWeights)],
      [
        method.getRowNum.name,
        async (request) => {
          const { scan } = await readRequest(request)
          const rows = regionRows(store, request.region, firstCells(scan), request.call)
          return written({ firstPart: [long(await countOf(rows))] })
        },
      ],
    ]),
  }
}

interface AggregateRequest {
  readonly javaClass: string
  readonly scan: Scan
}

/** Reads a request. Throws MalformedMessage. */
async function readRequest({ message }: EndpointRequest): Promise<AggregateRequest> {
  const reader = new MessageReader(Buffer.from(message.buffer, message.byteOffset, message.length))
  const { javaClass, scan } = await readInTurns(reader, () => requestOf(reader))
  return { javaClass, scan: detached(scan) }
}

function requestOf(reader: MessageReader): AggregateRequest {
  const field = Field.AggregateRequest
  let javaClass: string | undefined
  let scan: Scan | undefined
  while (reader.next()) {
    if (reader.field === field.interpreterClassName) javaClass = reader.string()
    else if (reader.field === field.scan) ({ scan } = readScan(reader.message()))
    else reader.skip()
  }
  if (javaClass === undefined || scan === undefined)
    throw new MalformedMessage('Message missing required fields: interpreter_class_name, scan')
  return { javaClass, scan }
}

function written(parts: Parts): Uint8Array {
  return toBinary(AggregateResponseSchema, create(AggregateResponseSchema, parts))
}

/** A number as the eight bytes of a Java long. */
function long(number: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(number))
  return bytes
}

function firstCells(scan: Scan): Scan {
  const hasQualifier = (scan.columns[0]?.qualifiers?.length ?? 0) > 0
  if (scan.filter !== undefined || hasQualifier) return scan
  return { ...scan, filter: { kind: 'FirstKeyOnlyFilter' } }
}

async function countOf(rows: Rows): Promise<number> {
  let count = 0
  for await (const batch of rows) count += batch.length
  return count
}

/** The numbers in a row's cells, of any column: HBase's interpreters ignore the qualifier. */
function* numbersOf<T>(numbers: ColumnInterpreter<T>, row: CellBlock): Generator<T> {
  const cursor = new CellCursor(row)
  while (cursor.next()) {
    const number = numbers.read(cursor.parts().value)
    if (number !== undefined) yield number
  }
}

/** The sum of a row's numbers; undefined where it has none. */
function rowSum<T>(numbers: ColumnInterpreter<T>, row: CellBlock): T | undefined {
  let total: T | undefined
  for (const number of numbersOf(numbers, row)) {
    total = total === undefined ? number : numbers.add(total, number)
  }
  return total
}

function extreme(isBetter: (difference: number) => boolean): Aggregate {
  return async (numbers, rows) => {
    let best: ReturnType<typeof numbers.read>
    for await (const batch of rows) {
      for (const row of batch) {
        for (const number of numbersOf(numbers, row)) {
          if (best === undefined || isBetter(numbers.compare(number, best))) best = number
        }
      }
    }
    return best === undefined ? {} : { firstPart: [numbers.toMessage(best)] }
  }
}

interface Totals<T> {
  readonly sum: T | undefined
  /** Sum of the squares of the rows' sums; undefined without numbers. */
  readonly squares: T | undefined
  readonly rows: number
}

async function totals<T>(numbers: ColumnInterpreter<T>, rows: Rows): Promise<Totals<T>> {
  const plus = (a: T | undefined, b: T): T => (a === undefined ? b : numbers.add(a, b))
  let total: T | undefined
  let squares: T | undefined
  let count = 0
  for await (const batch of rows) {
    for (const row of batch) {
      count++
      const ofRow = rowSum(numbers, row)
      if (ofRow === undefined) continue
      total = plus(total, ofRow)
      squares = plus(squares, numbers.multiply(ofRow, ofRow))
    }
  }
  return { sum: total, squares, rows: count }
}

const sum: Aggregate = async (numbers, rows) => {
  const { sum: total } = await totals(numbers, rows)
  return total === undefined ? {} : { firstPart: [numbers.toMessage(total)] }
}

const sumAndRows: Aggregate = async (numbers, rows) => {
  const { sum: total, rows: count } = await totals(numbers, rows)
  return total === undefined ? {} : { firstPart: [numbers.toMessage(total)], secondPart: long(count) }
}

const sumsAndRows: Aggregate = async (numbers, rows) => {
  const { sum: total, squares, rows: count } = await totals(numbers, rows)
  if (total === undefined) return {}
  return {
    firstPart: [numbers.toMessage(total), numbers.toMessage(squares!)],
    secondPart: long(count),
  }
}

/**
 * The sums that a client needs for the median of a table. As HBase does it, both the sum and the weight cover both columns. A region without
 * numbers adds nothing; HBase's server fails there.
 */
const sumAndWeights: Aggregate = async (numbers, rows, { columns }) => {
  const { sum: total = numbers.zero } = await totals(numbers, rows)
  const isWeighted = (columns[0]?.qualifiers?.length ?? 0) > 1
  return { firstPart: [numbers.toMessage(total), numbers.toMessage(isWeighted ? total : numbers.least)] }
}
