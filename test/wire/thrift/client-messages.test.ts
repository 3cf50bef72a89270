/** What clients of Thrift 2 write is what the door reads, and the reverse: straight from cells and into cells. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { blockOf, cellsOf } from '../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { BinaryReader } from '../../../src/wire/thrift/binary-reader.ts'
import { BinaryWriter } from '../../../src/wire/thrift/binary-writer.ts'
import { ThriftApplicationError, ThriftClientCodec } from '../../../src/wire/thrift/client-codec.ts'
import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { Output } from '../../../src/wire/thrift/output.ts'
import { type ProtocolWriter, WireType } from '../../../src/wire/thrift/protocol.ts'
import { writePuts } from '../../../src/wire/thrift/puts-writer.ts'
import { RowResults } from '../../../src/wire/thrift/row-results.ts'
import { type ReadResults, readResult, readResults } from '../../../src/wire/thrift/row-results-reader.ts'
import {
  ApplicationError,
  serviceCodec,
  writeApplicationError,
} from '../../../src/wire/thrift/service-codec.ts'
import { ThriftException } from '../../../src/wire/thrift/thrift-exception.ts'
import { SEED, testRuns } from '../../harness/test-runs.ts'

const service = loadSchema('thrift2').services.get('THBaseService')!
const client = new ThriftClientCodec(service)
const server = serviceCodec(service)
const options = { numRuns: testRuns(100), ...(SEED !== undefined && { seed: SEED }) }

const anyBytes = (maxLength: number, minLength = 0): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => Buffer.from(bytes))
const anyRow = anyBytes(6, 1)
const anyCellOf =
  (type: fc.Arbitrary<number>) =>
  (row: Buffer): fc.Arbitrary<CellParts> =>
    fc.record({
      row: fc.constant(row),
      family: anyBytes(4, 1),
      qualifier: anyBytes(300),
      timestamp: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
      type,
      value: anyBytes(300),
    })
const anyRows = (type: fc.Arbitrary<number>): fc.Arbitrary<CellParts[][]> =>
  fc.array(
    anyRow.chain((row) => fc.array(anyCellOf(type)(row), { minLength: 1, maxLength: 5 })),
    { maxLength: 6 },
  )

test('puts', () => {
  const property = fc.property(
    anyRows(fc.constant(CellType.Put)),
    fc.integer({ min: 0, max: 4 }),
    (rows, durability) => {
      const puts = rows.map((cells) => ({ cells: blockOf(cells), durability }))
      const tputs = (writer: ProtocolWriter): void => writePuts(writer, puts)
      const message = client.writeCall({ method: 'putMultiple', args: { table: Buffer.from('t'), tputs } })
      const reader = new BinaryReader(64)
      reader.reset(message, 0, message.length)
      expect(reader.readMessageBegin()).toBe('putMultiple')
      const args = server.get('putMultiple')!.readArguments(reader)
      const batch = args['tputs'] as MutationBatch
      expect(batch).toBeInstanceOf(MutationBatch)
      expect(rows.map((_, index) => cellsOf(batch.blockOf(index)))).toEqual(rows)
      expect(reader.position).toBe(message.length)
    },
  )
  fc.assert(property, options)
})

function replyOf(method: string, value: unknown): Buffer {
  const output = new Output()
  server.get(method)!.writeReply(new BinaryWriter(output), 0, value)
  return output.take()
}

const NO_LENDER = { release: () => undefined }

test('results', () => {
  const types = fc.constantFrom(...Object.values(CellType).filter((type) => type > 0 && type < 255))
  const property = fc.property(anyRows(types), (rows) => {
    const cells = blockOf(rows.flat())
    const counts = rows.map(({ length }) => length)
    const results = new RowResults({ cells, counts }, NO_LENDER)
    const message = replyOf('getMultiple', results)
    const read = client.readReply(
      { method: 'getMultiple', args: {}, readResult: readResults },
      message,
    ) as ReadResults
    expect(read.counts).toEqual(counts)
    expect(cellsOf(read.cells)).toEqual(rows.flat())
  })
  fc.assert(property, options)
  const empty = replyOf('get', new RowResults({ cells: blockOf([]), counts: [0] }, NO_LENDER))
  expect(client.readReply({ method: 'get', args: {}, readResult }, empty)).toMatchObject({ counts: [0] })
})

test('exceptions, failures of the server, and answers to something else', () => {
  const output = new Output()
  const writer = new BinaryWriter(output)
  const thrown = new ThriftException('TIOError', { message: 'no', canRetry: true })
  server.get('get')!.writeThrown(writer, 0, thrown)
  const declared = output.take()
  const asked = { method: 'get', args: {}, readResult }
  expect(() => client.readReply(asked, declared)).toThrow(expect.objectContaining({ struct: 'TIOError' }))
  writeApplicationError(writer, 'get', 0, ApplicationError.INTERNAL_ERROR, 'broken')
  const broken = output.take()
  expect(() => client.readReply(asked, broken)).toThrow(ThriftApplicationError)
  expect(() => client.readReply({ ...asked, method: 'exists' }, declared)).toThrow(
    'an answer to get, not to exists',
  )
  for (let end = 0; end < declared.length; end++)
    expect(() => client.readReply(asked, declared.subarray(0, end))).toThrow()
})

test('a result that tells its cells twice has all of them, and is counted so', () => {
  const output = new Output()
  const writer = new BinaryWriter(output)
  const field = (type: number, id: number): void => writer.writeFieldBegin(type, id)
  writer.writeStructBegin()
  field(WireType.STRING, 1)
  writer.writeBinary(Buffer.from('row'))
  for (const qualifier of ['a', 'b']) {
    field(WireType.LIST, 2)
    writer.writeListBegin(WireType.STRUCT, 1)
    writer.writeStructBegin()
    for (const [id, text] of [
      [1, 'f'],
      [2, qualifier],
      [3, 'v'],
    ] as const) {
      field(WireType.STRING, id)
      writer.writeBinary(Buffer.from(text))
    }
    writer.writeStructEnd()
  }
  writer.writeStructEnd()
  const message = output.take()
  const reader = new BinaryReader(8)
  reader.reset(message, 0, message.length)
  const { cells, counts } = readResult(reader)
  expect(cellsOf(cells).map(({ qualifier }) => qualifier.toString())).toEqual(['a', 'b'])
  expect(counts).toEqual([2])
})
