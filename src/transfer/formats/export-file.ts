/** The files of HBase's jobs Export and Import: sequence files whose records are a row and its Result, as protobuf. */

import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { CellCursor } from '../../model/cell-block.ts'
import type { Results } from '../../model/results.ts'
import type { CellType } from '../../wire/rpc/gen/cell_pb.ts'
import { type Result, ResultSchema } from '../../wire/rpc/gen/client_pb.ts'
import { type CellWriter, MalformedFile, type ReadCells } from './cell-format.ts'
import { GatheredCells } from './gathered-cells.ts'
import { SequenceWriter, sequenceRecords } from './sequence-file.ts'

const KEY_CLASS = 'org.apache.hadoop.hbase.io.ImmutableBytesWritable'
const VALUE_CLASS = 'org.apache.hadoop.hbase.client.Result'

export function exportFileWriter(): CellWriter {
  const writer = new SequenceWriter()
  return {
    begin: () => writer.header(KEY_CLASS, VALUE_CLASS),
    results: (results) => Buffer.concat(recordsOf(writer, results)),
    end: () => Buffer.alloc(0),
  }
}

function recordsOf(writer: SequenceWriter, { cells, counts }: Results): Buffer[] {
  const cursor = new CellCursor(cells)
  const records: Buffer[] = []
  for (const count of counts) {
    const parts = Array.from({ length: count }, () => {
      cursor.next()
      return cursor.parts()
    })
    const [first] = parts
    if (first === undefined) continue
    const message = create(ResultSchema, {
      cell: parts.map(({ row, family, qualifier, timestamp, type, value }) => ({
        row,
        family,
        qualifier,
        timestamp: BigInt.asUintN(64, timestamp),
        cellType: type as CellType,
        value,
      })),
    })
    records.push(writer.record(lengthPrefixed(first.row), delimited(toBinary(ResultSchema, message))))
  }
  return records
}

/** The bytes behind their int32 length. HBase: ImmutableBytesWritable.write. */
function lengthPrefixed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** The message behind its length. Protobuf: writeDelimitedTo. */
function delimited(message: Uint8Array): Buffer {
  const length: number[] = []
  for (let rest = message.length; ; rest >>>= 7) {
    if (rest < 0x80) {
      length.push(rest)
      return Buffer.concat([Buffer.from(length), message])
    }
    length.push((rest & 0x7f) | 0x80)
  }
}

export async function* readExportFile(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadCells> {
  const gathered = new GatheredCells()
  for await (const { value, offset } of sequenceRecords(chunks, KEY_CLASS, VALUE_CLASS)) {
    const place = `byte ${offset}`
    for (const cell of resultOf(value, place).cell) {
      gathered.add(
        {
          row: Buffer.from(cell.row),
          family: Buffer.from(cell.family),
          qualifier: Buffer.from(cell.qualifier),
          timestamp: BigInt.asIntN(64, cell.timestamp),
          type: cell.cellType,
          value: Buffer.from(cell.value),
        },
        place,
      )
    }
    if (gathered.isFull) yield gathered.take()
  }
  yield gathered.take()
}

function resultOf(value: Buffer, place: string): Result {
  let [length, at] = [0, 0]
  for (let shift = 0; at < 5; shift += 7) {
    const byte = value[at++] ?? 0
    length += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  if (at + length > value.length) throw new MalformedFile(`${place}: a Result reaches past its record`)
  try {
    return fromBinary(ResultSchema, value.subarray(at, at + length))
  } catch (error) {
    throw new MalformedFile(`${place}: a Result is malformed: ${(error as Error).message}`)
  }
}
