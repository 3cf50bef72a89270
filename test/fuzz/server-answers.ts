/** Answers of servers as `tidegate shell` and the commands that move data read them: of Thrift 2, with their framing, and of REST. */

import { MessageBuffer } from '../../adapters/servers/thrift/message-buffer.ts'
import { SaslReader } from '../../adapters/servers/thrift/sasl-frames.ts'
import { type CellParts, CellType } from '../../src/model/cell.ts'
import { blockOf } from '../../src/model/cell-block.ts'
import { isHBaseError } from '../../src/model/errors.ts'
import { decodeAnsweredCells } from '../../src/wire/rest/cells-of-set.ts'
import { clusterStatusDocument } from '../../src/wire/rest/cluster-status.ts'
import { decodeClusterStatus } from '../../src/wire/rest/cluster-status-decoder.ts'
import { decodeNames, decodeTableInfo } from '../../src/wire/rest/name-list-decoder.ts'
import { namespacesDocument } from '../../src/wire/rest/name-lists.ts'
import { tableInfoDocument } from '../../src/wire/rest/table-info.ts'
import { BinaryReader } from '../../src/wire/thrift/binary-reader.ts'
import { BinaryWriter } from '../../src/wire/thrift/binary-writer.ts'
import { ThriftApplicationError, ThriftClientCodec } from '../../src/wire/thrift/client-codec.ts'
import { loadSchema } from '../../src/wire/thrift/idl-files.ts'
import { Output } from '../../src/wire/thrift/output.ts'
import { ThriftProtocolError } from '../../src/wire/thrift/protocol.ts'
import { RowResults } from '../../src/wire/thrift/row-results.ts'
import { readResult, readResults } from '../../src/wire/thrift/row-results-reader.ts'
import { ApplicationError, serviceCodec, writeApplicationError } from '../../src/wire/thrift/service-codec.ts'
import { ThriftException } from '../../src/wire/thrift/thrift-exception.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { tryEach } from '../harness/fuzz/try-each.ts'
import { LIMITS } from './limits.ts'
import { restBodies } from './recorded-seeds.ts'

const service = loadSchema('thrift2').services.get('THBaseService')!
const client = new ThriftClientCodec(service)
const READERS = { get: readResult, getMultiple: readResults, getScannerRows: readResults } as const
const PIECE_BYTES = 7
const PIECES_MAX = 2000
const LENGTH_BYTES = 4
/** The status COMPLETE with no words, which ends a login. */
const LOGIN = Buffer.of(5, 0, 0, 0, 0)

const cell = (qualifier: string, value: string): CellParts => ({
  row: Buffer.from('row'),
  family: Buffer.from('f'),
  qualifier: Buffer.from(qualifier),
  timestamp: 1_700_000_000_000n,
  type: CellType.Put,
  value: Buffer.from(value),
})

function results(counts: readonly number[]): RowResults {
  const cells = blockOf([cell('a', '1'), cell('b', 'v'.repeat(40)), cell('c', '')])
  return new RowResults({ cells, counts }, { release: () => undefined })
}

function thriftAnswers(): Buffer[] {
  const server = serviceCodec(service)
  const output = new Output()
  const writer = new BinaryWriter(output)
  const answers = [
    ['get', results([3])],
    ['getMultiple', results([1, 0, 2])],
    ['getScannerRows', results([2, 1])],
    ['exists', true],
    ['openScanner', 7],
    ['getTableNamesByNamespace', [{ ns: Buffer.from('n'), qualifier: Buffer.from('t') }]],
    ['listNamespaceDescriptors', [{ name: 'n', configuration: new Map([['k', 'v']]) }]],
    [
      'getAllRegionLocations',
      [
        {
          serverName: { hostName: 'h', port: 1, startCode: 2n },
          regionInfo: {
            regionId: 3n,
            tableName: Buffer.from('t'),
            startKey: Buffer.of(0),
            endKey: Buffer.of(1),
          },
        },
      ],
    ],
  ] as const
  const seeds = answers.map(([method, value]) => {
    server.get(method)!.writeReply(writer, 0, value)
    return Buffer.from(output.take())
  })
  server
    .get('get')!
    .writeThrown(writer, 0, new ThriftException('TIOError', { message: 'no', canRetry: true }))
  seeds.push(Buffer.from(output.take()))
  writeApplicationError(writer, 'get', 0, ApplicationError.INTERNAL_ERROR, 'broken')
  return [...seeds, Buffer.from(output.take())]
}

/** The method's name stands in the answer. */
function readAnswer(message: Buffer): unknown {
  const reader = new BinaryReader(LIMITS.depthMax)
  reader.reset(message, 0, message.length)
  const method = reader.readMessageBegin()
  const asked = service.methods.has(method) ? method : 'get'
  const readResult = READERS[asked as keyof typeof READERS] as (typeof READERS)['get'] | undefined
  return client.readReply({ method: asked, args: {}, readResult }, message)
}

/** The message that the pieces of a stream become, framed or not, or within the frames of a login. */
function fromPieces(input: Buffer, way: 'buffered' | 'framed' | 'sasl'): unknown {
  const messages = new MessageBuffer(way === 'framed', LIMITS.requestBytesMax)
  const sasl = way === 'sasl' ? new SaslReader(LIMITS.requestBytesMax) : undefined
  sasl?.push(LOGIN)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeInt32BE(input.length)
  const stream = way === 'buffered' ? input : Buffer.concat([length, input])
  const step = Math.max(PIECE_BYTES, Math.ceil(stream.length / PIECES_MAX))
  for (let at = 0; at < stream.length; at += step) {
    const piece = stream.subarray(at, at + step)
    const bytes = sasl === undefined ? piece : sasl.push(piece)
    const message = bytes.length === 0 ? undefined : messages.push(bytes)
    if (message !== undefined) return message
  }
  return messages
}

function isThriftRefusal(error: unknown): boolean {
  return (
    error instanceof ThriftProtocolError ||
    error instanceof ThriftException ||
    error instanceof ThriftApplicationError ||
    isHBaseError(error)
  )
}

export const thriftAnswer: FuzzTarget = {
  name: 'thrift-answer',
  seeds: thriftAnswers,
  run: (input) =>
    tryEach(
      input,
      [
        readAnswer,
        (bytes) => fromPieces(bytes, 'buffered'),
        (bytes) => fromPieces(bytes, 'framed'),
        (bytes) => fromPieces(bytes, 'sasl'),
      ],
      isThriftRefusal,
    ),
  isRefusal: isThriftRefusal,
}

/** The raw input, as what a server says during a login. */
export const saslAnswer: FuzzTarget = {
  name: 'sasl-answer',
  seeds: () => [
    Buffer.concat([LOGIN, Buffer.of(0, 0, 0, 2), Buffer.from('ab'), Buffer.of(0, 0, 0, 1, 7)]),
    Buffer.concat([Buffer.of(2, 0, 0, 0, 2), Buffer.from('ok'), LOGIN]),
    Buffer.concat([Buffer.of(3, 0, 0, 0, 7), Buffer.from('refused')]),
  ],
  run: (input) => {
    const sasl = new SaslReader(LIMITS.requestBytesMax)
    const parts: Buffer[] = []
    const step = Math.max(PIECE_BYTES, Math.ceil(input.length / PIECES_MAX))
    for (let at = 0; at < input.length; at += step) {
      const part = sasl.push(input.subarray(at, at + step))
      if (part.length > 0) parts.push(part)
    }
    return [sasl, parts]
  },
}

function restAnswers(): Buffer[] {
  const region = {
    name: 'n:t,a,1.',
    startKey: Buffer.from('a'),
    endKey: Buffer.from('b'),
    id: 1,
    location: 'h:1',
  }
  const node = {
    name: 'h:1',
    startCode: 1_700_000_000_000,
    requests: 5,
    heapSizeMB: 1,
    maxHeapSizeMB: 2,
    regions: [{ name: Buffer.from('t,,1.0123.'), stores: 2, storefiles: 3, readRequestsCount: 2 ** 40 }],
  }
  const long = [clusterStatusDocument([node], ['h,2,3']), tableInfoDocument('t', [region])]
  return [
    ...long.map((document) => Buffer.concat([...document.protobuf()].map((part) => Buffer.from(part)))),
    Buffer.from(namespacesDocument(['a', 'b']).protobuf()),
  ]
}

export const restAnswer: FuzzTarget = {
  name: 'rest-answer',
  seeds: () => [...restBodies('protobuf'), ...restAnswers()],
  run: (input) => tryEach(input, [decodeAnsweredCells, decodeNames, decodeTableInfo, decodeClusterStatus]),
}
