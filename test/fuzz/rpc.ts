/** What servers of a cluster answer: frames, headers, answers of the frequent calls, cell blocks, plain and compressed. */

import { create, toBinary } from '@bufbuild/protobuf'
import { readMetaRows } from '../../adapters/hbase/cluster/meta-row.ts'
import { GET } from '../../adapters/hbase/messages/get-method.ts'
import { MULTI } from '../../adapters/hbase/messages/multi-method.ts'
import { MUTATE } from '../../adapters/hbase/messages/mutate-method.ts'
import { SCAN } from '../../adapters/hbase/messages/scan-method.ts'
import { readZnode } from '../../adapters/hbase/registry/znode-value.ts'
import { blockOf, CellBlock, cellsOf } from '../../src/model/cell-block.ts'
import { checkCellBlock } from '../../src/model/check-cell-block.ts'
import { isHBaseError } from '../../src/model/errors.ts'
import { DEFLATE, GZIP } from '../../src/wire/rpc/cell-block-compressor.ts'
import { decodeConnectionHeader, decodePreamble } from '../../src/wire/rpc/connection-preamble.ts'
import { FrameReader } from '../../src/wire/rpc/frame-reader.ts'
import { FrameTooLarge } from '../../src/wire/rpc/frame-too-large.ts'
import { CellType } from '../../src/wire/rpc/gen/cell_pb.ts'
import {
  MultiResponseSchema,
  RegionActionResultSchema,
  ResultSchema,
  ScanResponseSchema,
} from '../../src/wire/rpc/gen/client_pb.ts'
import { NameBytesPairSchema } from '../../src/wire/rpc/gen/hbase_pb.ts'
import { GetTableDescriptorsResponseSchema, MasterService } from '../../src/wire/rpc/gen/master_pb.ts'
import { MalformedMessage } from '../../src/wire/rpc/message-reader.ts'
import { MessageWriter } from '../../src/wire/rpc/message-writer.ts'
import { RemoteException } from '../../src/wire/rpc/remote-exception.ts'
import { readRequest } from '../../src/wire/rpc/request-frame.ts'
import { ResponseFrame, writeExceptionResponse, writeResponse } from '../../src/wire/rpc/response-frame.ts'
import { rpcMethod } from '../../src/wire/rpc/rpc-method.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { tryEach } from '../harness/fuzz/try-each.ts'
import { LIMITS } from './limits.ts'

const DESCRIPTORS = rpcMethod(MasterService.method.getTableDescriptors)
const METHODS = [GET, MULTI, MUTATE, SCAN, DESCRIPTORS] as const
const bytes = (text: string): Buffer => Buffer.from(text)

const CELL = { row: bytes('t,,1.e.'), family: bytes('info'), qualifier: bytes('server'), value: bytes('h:1') }
const CELLS = blockOf([
  { ...CELL, timestamp: 5n, type: 4 },
  { ...CELL, qualifier: bytes('q'), timestamp: 5n, type: 4 },
])

/** The adapter tells of any error of an answer as of a bad answer, but a TypeError shows that a check is missing. */
function isRefusal(error: unknown): boolean {
  const isOurs = isHBaseError(error) || error instanceof MalformedMessage || error instanceof FrameTooLarge
  return isOurs || (error instanceof Error && !(error instanceof TypeError) && !isOverflow(error))
}

function isOverflow({ message }: Error): boolean {
  return message.includes('call stack')
}

function answers(): Buffer[] {
  const scan = {
    cellsPerResult: [1, 1],
    partialFlagPerResult: [false, true],
    scannerId: 5n,
    moreResults: true,
  }
  const result = create(ResultSchema, {
    associatedCellCount: 2,
    cell: [{ ...CELL, timestamp: 5n, cellType: CellType.PUT }],
  })
  const exception = create(NameBytesPairSchema, {
    name: 'java.io.IOException',
    value: bytes('java.io.IOException: no\n\tat x'),
  })
  const results = create(RegionActionResultSchema, {
    resultOrException: [
      { index: 0, result },
      { index: 1, exception },
    ],
  })
  const multi = { regionActionResult: [results, create(RegionActionResultSchema, { exception })] }
  const tableSchema = [{ tableName: { namespace: bytes('n'), qualifier: bytes('t') }, columnFamilies: [] }]
  return [
    toBinary(ScanResponseSchema, create(ScanResponseSchema, scan)),
    toBinary(MultiResponseSchema, create(MultiResponseSchema, multi)),
    toBinary(GetTableDescriptorsResponseSchema, create(GetTableDescriptorsResponseSchema, { tableSchema })),
  ].map((answer) => Buffer.from(answer))
}

function framed(write: (writer: MessageWriter) => void): Buffer {
  const writer = new MessageWriter()
  write(writer)
  return Buffer.from(writer.take())
}

function readFrames(input: Buffer): unknown {
  const read: unknown[] = []
  const frames = new FrameReader(LIMITS.requestBytesMax, (buffer, start, end) => {
    const response = new ResponseFrame()
    response.read(buffer, start, end)
    const { cells, messageStart, messageEnd } = response
    read.push(response, useCells(cells))
    const answer = buffer.subarray(messageStart, messageEnd)
    read.push(tryEach(answer, [...METHODS.map((method) => decoderOf(method)), (bytes) => bytes], isRefusal))
  })
  frames.push(input)
  return read
}

function decoderOf(method: (typeof METHODS)[number]): (answer: Buffer) => unknown {
  return (answer) => method.decode(answer, 0, answer.length)
}

function useCells(block: CellBlock): unknown {
  if (checkCellBlock(block) === 0) return undefined
  return [cellsOf(block), tryEach(Buffer.alloc(0), [() => readMetaRows(block), () => undefined], isRefusal)]
}

export const rpc: FuzzTarget = {
  name: 'rpc',
  // Two bytes of protobuf may be an object; frames have a limit, and come from the cluster.
  kept: { base: 1.5 * 1024 * 1024, perByte: 64 },
  seeds: () => [
    ...answers(),
    ...answers().map((answer) =>
      framed((writer) => writeResponse(writer, 1, (to) => to.raw(answer), [CELLS])),
    ),
    framed((writer) =>
      writeExceptionResponse(writer, 2, RemoteException.ofPair('java.io.IOException', bytes('a: b\n\tat c'))),
    ),
    GZIP.compress(CELLS.buffer.subarray(CELLS.start, CELLS.end)),
    DEFLATE.compress(CELLS.buffer.subarray(CELLS.start, CELLS.end)),
    CELLS.buffer.subarray(CELLS.start, CELLS.end),
    // Fields of two bytes, most of which no message of idl/rpc has.
    Buffer.alloc(64, '8'),
    Buffer.concat([Buffer.from('ff00000003616263', 'hex'), bytes('PBUF'), Buffer.from('0a020a00', 'hex')]),
  ],
  run: (input) =>
    tryEach(
      input,
      [
        readFrames,
        (frame) => readRequest(frame, 0, frame.length),
        decodePreamble,
        decodeConnectionHeader,
        readZnode,
        (block) => useCells(new CellBlock(block)),
        ...[GZIP, DEFLATE].map((codec) => (block: Buffer) => {
          return useCells(new CellBlock(codec.decompress(block, LIMITS.requestBytesMax)))
        }),
        ...METHODS.map(decoderOf),
      ],
      isRefusal,
    ),
  isRefusal,
}
