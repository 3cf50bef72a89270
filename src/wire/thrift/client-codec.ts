/** Calls of a service as its clients write them, and the answers as they read them, by the binary protocol. */

import { BinaryReader } from './binary-reader.ts'
import { BinaryWriter } from './binary-writer.ts'
import { Output } from './output.ts'
import {
  MessageType,
  type ProtocolReader,
  type ProtocolWriter,
  ThriftProtocolError,
  WireType,
} from './protocol.ts'
import type { MethodSchema, ServiceSchema } from './schema.ts'
import { ThriftException } from './thrift-exception.ts'
import { type ThriftObject, ValueCodecs } from './value-codec.ts'

const DEPTH_MAX = 64

/** Writes one argument, where that is not an object: rows as they lie in memory. */
export type ArgumentWriter = (writer: ProtocolWriter) => void
/** Reads the result, where that is not to be an object. */
export type ResultReader = (reader: ProtocolReader) => unknown

export interface ClientCall {
  readonly method: string
  readonly args: Readonly<Record<string, unknown>>
  readonly readResult?: ResultReader | undefined
}

/** The server's own failure, as an unknown method. */
export class ThriftApplicationError extends Error {
  override readonly name = 'ThriftApplicationError'
}

export class ThriftClientCodec {
  readonly #methods: ReadonlyMap<string, MethodSchema>
  readonly #codecs = new ValueCodecs()

  constructor(service: ServiceSchema) {
    this.#methods = service.methods
  }

  /** The whole message. An argument that is a function writes itself; one that is undefined is left out. */
  writeCall({ method, args }: ClientCall): Buffer {
    const output = new Output()
    const writer = new BinaryWriter(output)
    writer.writeMessageBegin(method, MessageType.CALL, 0)
    writer.writeStructBegin()
    for (const { name, id, type } of this.#methodOf(method).args.fields) {
      const value = args[name]
      if (value === undefined) continue
      const { wireType, write } = this.#codecs.of(type)
      writer.writeFieldBegin(wireType, id)
      if (typeof value === 'function') (value as ArgumentWriter)(writer)
      else write(writer, value)
    }
    writer.writeStructEnd()
    return output.take()
  }

  /** The result; undefined for void. Throws ThriftException, ThriftApplicationError, and ThriftProtocolError for bytes that are no answer. */
  readReply({ method, readResult }: ClientCall, message: Buffer): unknown {
    const reader = new BinaryReader(DEPTH_MAX)
    reader.reset(message, 0, message.length)
    const name = reader.readMessageBegin()
    if (reader.messageType === MessageType.EXCEPTION) throw readApplicationError(reader)
    if (reader.messageType !== MessageType.REPLY || name !== method)
      throw new ThriftProtocolError('INVALID_DATA', `an answer to ${name}, not to ${method}`)
    const { result, throws } = this.#methodOf(method)
    let answer: unknown
    reader.readStructBegin()
    for (let type = reader.readFieldBegin(); type !== WireType.STOP; type = reader.readFieldBegin()) {
      const { fieldId } = reader
      const thrown = throws.find(({ id }) => id === fieldId)
      if (fieldId === 0 && result !== undefined)
        answer = readResult === undefined ? this.#codecs.of(result).read(reader) : readResult(reader)
      else if (thrown?.type.kind === 'struct') {
        const fields = this.#codecs.of(thrown.type).read(reader) as ThriftObject
        throw new ThriftException(thrown.type.struct.name, fields)
      } else reader.skip(type)
    }
    return answer
  }

  #methodOf(name: string): MethodSchema {
    const method = this.#methods.get(name)
    if (method === undefined) throw new Error(`the service has no method ${name}`)
    return method
  }
}

/** The words of a message that is a server's own failure; undefined where the bytes are none. */
export function applicationErrorText(message: Buffer): string | undefined {
  try {
    const reader = new BinaryReader(DEPTH_MAX)
    reader.reset(message, 0, message.length)
    reader.readMessageBegin()
    return reader.messageType === MessageType.EXCEPTION ? readApplicationError(reader).message : undefined
  } catch (error) {
    if (error instanceof ThriftProtocolError) return undefined
    throw error
  }
}

function readApplicationError(reader: ProtocolReader): ThriftApplicationError {
  let message = 'the server gives no reason'
  reader.readStructBegin()
  for (let type = reader.readFieldBegin(); type !== WireType.STOP; type = reader.readFieldBegin()) {
    if (reader.fieldId === 1 && type === WireType.STRING) {
      const length = reader.readSpan()
      message = reader.buffer.toString('utf8', reader.spanStart, reader.spanStart + length)
    } else reader.skip(type)
  }
  return new ThriftApplicationError(message)
}
