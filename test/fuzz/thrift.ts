/** Thrift 1 and 2 in one protocol: messages cut out of a stream in pieces, and the arguments of every method. */

import { detectDialect } from '../../src/doors/thrift/transport/dialect.ts'
import { BufferedMessages, FramedMessages } from '../../src/doors/thrift/transport/incoming-messages.ts'
import { MemoryBudget } from '../../src/gateway/limits/memory-budget.ts'
import { ByteQueue } from '../../src/gateway/requests/byte-queue.ts'
import { BinaryReader } from '../../src/wire/thrift/binary-reader.ts'
import { CompactReader } from '../../src/wire/thrift/compact-reader.ts'
import { loadSchema } from '../../src/wire/thrift/idl-files.ts'
import { ThriftProtocolError } from '../../src/wire/thrift/protocol.ts'
import { type MethodCodec, serviceCodec } from '../../src/wire/thrift/service-codec.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { LIMITS } from './limits.ts'
import { thriftMessages } from './recorded-seeds.ts'

const PIECE_BYTES = 7
const PIECES_MAX = 2000

type ProtocolName = 'binary' | 'compact'

/** The methods by name, of both services. */
function allMethods(): ReadonlyMap<string, readonly MethodCodec[]> {
  const codecs = (['thrift1', 'thrift2'] as const).flatMap((idl) =>
    [...loadSchema(idl).services.values()].map(serviceCodec),
  )
  const names = new Set(codecs.flatMap((codec) => [...codec.keys()]))
  return new Map([...names].map((name) => [name, codecs.flatMap((codec) => codec.get(name) ?? [])]))
}

/** The number of messages of a stream that comes in pieces. */
function countMessages(input: Buffer, protocol: ProtocolName): number {
  const queue = new ByteQueue(new MemoryBudget())
  const dialect = detectDialect(input)
  const isFramed = typeof dialect === 'object' && dialect.transport === 'framed'
  const incoming = isFramed
    ? new FramedMessages(queue, LIMITS.requestBytesMax)
    : new BufferedMessages(queue, protocol, LIMITS)
  let messages = 0
  const step = Math.max(PIECE_BYTES, Math.ceil(input.length / PIECES_MAX))
  for (let at = 0; at < input.length; at += step) {
    queue.push(input.subarray(at, at + step))
    while (incoming.next() !== undefined) messages++
  }
  return messages
}

function thriftTarget(protocol: ProtocolName): FuzzTarget {
  const methods = allMethods()
  const Reader = protocol === 'binary' ? BinaryReader : CompactReader
  const reader = new Reader(LIMITS.depthMax, LIMITS.elementsMax)
  const readCall = (message: Buffer): unknown[] => {
    reader.reset(message, 0, message.length)
    const codecs = methods.get(reader.readMessageBegin()) ?? []
    const { position, depth } = reader
    return codecs.map((codec) => {
      reader.rewind(position, depth)
      return codec.readArguments(reader)
    })
  }
  return {
    name: `thrift-${protocol}`,
    seeds: () => thriftMessages(protocol),
    // A frame and an HTTP body hand the whole input to the reader, a buffered stream what its scanner cuts out of it.
    run: (input) => [readCall(input), countMessages(input, protocol)],
    isRefusal: (error) => error instanceof ThriftProtocolError,
  }
}

export const thriftBinary: FuzzTarget = thriftTarget('binary')
export const thriftCompact: FuzzTarget = thriftTarget('compact')
