import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CellBlock } from '../../../src/model/cell-block.ts'
import {
  decodeConnectionHeader,
  decodePreamble,
  encodeConnectionStart,
} from '../../../src/wire/rpc/connection-preamble.ts'
import { FrameReader } from '../../../src/wire/rpc/frame-reader.ts'
import { FrameTooLarge } from '../../../src/wire/rpc/frame-too-large.ts'
import { RequestHeaderSchema, ResponseHeaderSchema } from '../../../src/wire/rpc/gen/rpc_pb.ts'
import { MalformedMessage, MessageReader } from '../../../src/wire/rpc/message-reader.ts'
import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import { readRequest, writeRequest } from '../../../src/wire/rpc/request-frame.ts'
import { ResponseFrame, writeExceptionResponse, writeResponse } from '../../../src/wire/rpc/response-frame.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { readTraceInfo } from '../../../src/wire/rpc/trace-info.ts'
import { anyBytes } from '../../model/arbitrary-cells.ts'

const ECHO: RpcMethod<Buffer, Buffer> = {
  service: 'EchoService',
  name: 'Echo',
  encode: (request, writer) => writer.raw(request),
  decode: (buffer, start, end) => buffer.subarray(start, end),
}

const anyCells = fc.array(anyBytes(0, 300), { maxLength: 3 })

describe('the start of a connection', () => {
  test('is HBas, version 0, SIMPLE, and the header behind its length', () => {
    const start = encodeConnectionStart({ service: 'ClientService', user: 'ann', compressorClass: 'a.Codec' })
    expect(start.subarray(0, 6)).toEqual(Buffer.from('HBas\x00\x50', 'latin1'))
    expect(decodePreamble(start)).toEqual({ version: 0, authentication: 0x50 })
    expect(start.readInt32BE(6)).toBe(start.length - 10)
    const header = decodeConnectionHeader(start.subarray(10))
    expect(header.serviceName).toBe('ClientService')
    expect(header.userInfo?.effectiveUser).toBe('ann')
    expect(header.cellBlockCodecClass).toBe('org.apache.hadoop.hbase.codec.KeyValueCodec')
    expect(header.cellBlockCompressorClass).toBe('a.Codec')
    expect(decodePreamble(Buffer.from('GET / '))).toBeUndefined()
  })
})

describe('a request', () => {
  test('ends with its frame though it states a greater length, but not where cells follow', () => {
    const parameter = Buffer.alloc(200, 7)
    const framed = (cells: Buffer[]): Buffer => {
      const writer = new MessageWriter()
      const blocks = cells.map((block) => new CellBlock(block))
      writeRequest(writer, { callId: 1 }, ECHO, parameter, blocks)
      const frame = Buffer.from(writer.take())
      const at = frame.indexOf(Buffer.from([0xc8, 0x01]))
      // As hbase-driver writes it: the varint's bytes as if they were characters, in UTF-8.
      return Buffer.concat([frame.subarray(4, at), Buffer.from([0xc3, 0x88, 0x01]), frame.subarray(at + 2)])
    }
    const frame = framed([])
    const { start, end } = readRequest(frame, 0, frame.length).parameter!
    expect(frame.subarray(start, end)).toEqual(parameter)
    const withCells = framed([Buffer.alloc(4)])
    expect(() => readRequest(withCells, 0, withCells.length)).toThrow(MalformedMessage)
  })

  test('comes back from its frame as it was', () => {
    const writer = new MessageWriter()
    const anyHeader = fc.record({
      callId: fc.nat(),
      priority: fc.option(fc.nat(), { nil: undefined }),
      timeoutMs: fc.option(fc.nat(), { nil: undefined }),
    })
    fc.assert(
      fc.property(anyHeader, anyBytes(0, 70_000), anyCells, (header, parameter, blocks) => {
        const cells = blocks.map((block) => new CellBlock(block))
        writeRequest(writer, header, ECHO, parameter, cells)
        const frame = writer.take()
        expect(frame.readInt32BE(0)).toBe(frame.length - 4)
        const read = readRequest(frame, 4, frame.length)
        expect(read).toMatchObject({ ...header, method: 'Echo' })
        expect(frame.subarray(read.parameter!.start, read.parameter!.end).equals(parameter)).toBe(true)
        const { buffer, start, end } = read.cells
        expect(buffer.subarray(start, end).equals(Buffer.concat(blocks))).toBe(true)
      }),
    )
  })

  test('has the header that idl/rpc describes', () => {
    const writer = new MessageWriter()
    const cells = [new CellBlock(Buffer.alloc(200))]
    writeRequest(writer, { callId: 70_000, priority: 200, timeoutMs: 1234 }, ECHO, Buffer.alloc(0), cells)
    const header = new MessageReader(writer.take(), 4).delimited()
    expect(fromBinary(RequestHeaderSchema, header.buffer.subarray(header.at, header.end))).toMatchObject({
      callId: 70_000,
      methodName: 'Echo',
      requestParam: true,
      cellBlockMeta: { length: 200 },
      priority: 200,
      timeout: 1234,
    })
  })
})

describe('a response', () => {
  test('comes back from its frame as it was', () => {
    const writer = new MessageWriter()
    const response = new ResponseFrame()
    fc.assert(
      fc.property(fc.nat(), anyBytes(0, 70_000), anyCells, (callId, message, blocks) => {
        const cells = blocks.map((block) => new CellBlock(block))
        writeResponse(writer, callId, (into) => into.raw(message), cells)
        const frame = writer.take()
        response.read(frame, 4, frame.length)
        expect(response.callId).toBe(callId)
        expect(response.concernsConnection).toBe(false)
        expect(frame.subarray(response.messageStart, response.messageEnd).equals(message)).toBe(true)
        const { buffer, start, end } = response.cells
        expect(buffer.subarray(start, end).equals(Buffer.concat(blocks))).toBe(true)
      }),
    )
  })

  test('carries an exception instead of a message', () => {
    const exception = new RemoteException({
      javaClass: 'a.b.RegionMovedException',
      stackTrace: 'a.b.RegionMovedException: Region moved to: h\n\tat a.b.C(D.java:1)\n',
      doNotRetry: true,
      serverOverloaded: true,
      host: 'h',
      port: 16020,
    })
    const writer = new MessageWriter()
    writeExceptionResponse(writer, 7, exception)
    const frame = writer.take()
    const response = new ResponseFrame()
    response.read(frame, 4, frame.length)
    expect(response.callId).toBe(7)
    expect(response.exception).toEqual(exception)
    expect(response.exception?.message).toBe('Region moved to: h')
  })

  test('with a negative call id concerns the connection', () => {
    // As Java writes a uint32 of -1.
    const header = toBinary(ResponseHeaderSchema, create(ResponseHeaderSchema, { callId: 0xffffffff }))
    const frame = Buffer.from([header.length, ...header])
    const response = new ResponseFrame()
    response.read(frame, 0, frame.length)
    expect(response.concernsConnection).toBe(true)
  })

  test('that is cut or changed anywhere is malformed or something else, and nothing worse', () => {
    const writer = new MessageWriter()
    writeResponse(writer, 300, (into) => into.raw(Buffer.alloc(300, 7)), [new CellBlock(Buffer.alloc(300))])
    const frame = writer.take()
    const response = new ResponseFrame()
    for (let end = 4; end < frame.length; end++) {
      // A frame may end behind its header: that of a call without a message.
      if (end === 4 + 1 + frame[4]!) continue
      expect(() => response.read(frame, 4, end), `cut at ${end}`).toThrow(MalformedMessage)
    }
    fc.assert(
      fc.property(fc.nat(frame.length - 5), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const bad = Buffer.from(frame)
        bad[4 + at] = byte
        try {
          response.read(bad, 4, bad.length)
          expect(response.cells.end).toBeLessThanOrEqual(bad.length)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
    )
  })
})

function streamOf(frames: Buffer[]): Buffer {
  const pieces = frames.flatMap((frame) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(frame.length)
    return [length, frame]
  })
  return Buffer.concat(pieces)
}

describe('a stream of frames', () => {
  test('comes apart into its frames wherever it is cut', () => {
    const anyFrames = fc.array(fc.oneof(anyBytes(0, 100), anyBytes(60_000, 70_000), anyBytes(0, 20_000)), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(
        anyFrames,
        fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1 }),
        (frames, cuts) => {
          const stream = streamOf(frames)
          const seen: { buffer: Buffer; start: number; end: number }[] = []
          const reader = new FrameReader(2 ** 20, (buffer, start, end) => seen.push({ buffer, start, end }))
          for (let at = 0, i = 0; at < stream.length; i++) {
            const end = Math.min(stream.length, at + cuts[i % cuts.length]!)
            reader.push(stream.subarray(at, end))
            at = end
          }
          // Read only at the end: what was handed out is never written over.
          const received = seen.map(({ buffer, start, end }) => buffer.subarray(start, end))
          expect(received.length).toBe(frames.length)
          expect(received.every((frame, i) => frame.equals(frames[i]!))).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('has the memory of what was given back again, and of nothing else', () => {
    const anyFrames = fc.array(fc.tuple(anyBytes(60_000, 300_000), fc.boolean()), {
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(anyFrames, (frames) => {
        const kept: { frame: Buffer; expected: Buffer }[] = []
        let next = 0
        const reader = new FrameReader(2 ** 20, (buffer, start, end, release) => {
          const frame = buffer.subarray(start, end)
          const [expected, isGivenBack] = frames[next++]!
          expect(frame.equals(expected)).toBe(true)
          if (isGivenBack) release?.()
          else kept.push({ frame, expected })
        })
        reader.push(streamOf(frames.map(([frame]) => frame)))
        expect(next).toBe(frames.length)
        expect(kept.every(({ frame, expected }) => frame.equals(expected))).toBe(true)
      }),
      { numRuns: 40 },
    )
    const memories = new Set<ArrayBufferLike>()
    const reader = new FrameReader(2 ** 20, (buffer, _start, _end, release) => {
      memories.add(buffer.buffer)
      release!()
    })
    for (const bytes of [200_000, 190_000, 180_000]) reader.push(streamOf([Buffer.alloc(bytes)]))
    expect(memories.size).toBe(1)
  })

  test('ends at a frame above the limit, and at a negative length', () => {
    for (const length of [1001, 0x7fffffff, -1, -0x80000000]) {
      const reader = new FrameReader(1000, () => {})
      const bytes = Buffer.alloc(4)
      bytes.writeInt32BE(length)
      expect(() => reader.push(bytes)).toThrow(FrameTooLarge)
    }
    const reader = new FrameReader(1000, () => {})
    reader.push(streamOf([Buffer.alloc(1000)]))
  })

  test('tells an answer of HTTP', () => {
    const reader = new FrameReader(1000, () => {})
    expect(() => reader.push(Buffer.from('HTTP/1.1 400 Bad Request\r\n'))).toThrow('is this the right port?')
  })
})

test('a request has the trace that its client has sent', () => {
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 vendor=1'
  const writer = new MessageWriter()
  writeRequest(writer, { callId: 7, trace }, ECHO, Buffer.from('x'), [])
  const bytes = writer.take()
  expect(readTraceInfo(readRequest(bytes, 4, bytes.length).traceInfo)).toBe(trace)
})
