import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { BinaryReader } from '../../../src/wire/thrift/binary-reader.ts'
import { BinaryWriter } from '../../../src/wire/thrift/binary-writer.ts'
import { Output } from '../../../src/wire/thrift/output.ts'
import { MessageType, ThriftProtocolError, WireType } from '../../../src/wire/thrift/protocol.ts'
import { type MethodSchema, parseSchema, type ServiceSchema } from '../../../src/wire/thrift/schema.ts'
import { type ThriftObject, ValueCodecs } from '../../../src/wire/thrift/value-codec.ts'
import { idlFile } from '../data/package-files.ts'
import type { ThriftRequest } from './case.ts'
import { writeArguments } from './write-arguments.ts'

/** An answer: a result (undefined for void or a missing one), a declared exception, or the server's own. */
export type ThriftAnswer =
  | { readonly kind: 'result'; readonly value: unknown; readonly method: MethodSchema }
  | {
      readonly kind: 'exception'
      readonly name: string
      readonly fields: ThriftObject
      readonly method: MethodSchema
    }
  | { readonly kind: 'application'; readonly type: number; readonly message: string }

const DEPTH_MAX = 64
const FRAME_HEAD_BYTES = 4

/** TApplicationException's: the server stopped inside the message, and would read its rest as the next. */
const PROTOCOL_ERROR = 7

const codecs = new ValueCodecs()

function serviceOf(idl: string, service: string): ServiceSchema {
  const schema = parseSchema(readFileSync(idlFile(idl), 'utf8'))
  return schema.services.get(service)!
}

const SERVICES: Readonly<Record<ThriftRequest['door'], ServiceSchema>> = {
  thrift1: serviceOf('thrift1.thrift', 'Hbase'),
  thrift2: serviceOf('thrift2.thrift', 'THBaseService'),
}

/** Throws where the IDL has no such method. */
export function methodSchema({ door, method }: ThriftRequest): MethodSchema {
  const schema = SERVICES[door].methods.get(method)
  if (schema === undefined) throw new Error(`${SERVICES[door].name} has no method ${method}`)
  return schema
}

/**
 * A client of binary Thrift, buffered unless framed: one call at a time; a new connection after the server has
 * closed the last.
 */
export class ThriftClient {
  readonly #host: string
  readonly #port: number
  readonly #timeoutMs: number
  readonly #framed: boolean
  #socket: Socket | undefined

  constructor(address: { host: string; port: number }, timeoutMs: number, framed = false) {
    this.#host = address.host
    this.#port = address.port
    this.#timeoutMs = timeoutMs
    this.#framed = framed
  }

  /** Rejects where the server does not answer in time, or closes the connection instead. */
  async call(request: ThriftRequest, args: ThriftObject): Promise<ThriftAnswer> {
    const method = methodSchema(request)
    const output = new Output()
    const writer = new BinaryWriter(output)
    writer.writeMessageBegin(method.name, MessageType.CALL, 1)
    writeArguments(writer, method.args, args)
    const socket = await this.#connected()
    try {
      const answer = await this.#exchange(socket, output.take(), method)
      if (answer.kind === 'application' && answer.type === PROTOCOL_ERROR) this.close()
      return answer
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  async #connected(): Promise<Socket> {
    if (this.#socket !== undefined && !this.#socket.destroyed) return this.#socket
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true })
    this.#socket = socket
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return socket
  }

  #exchange(socket: Socket, message: Buffer, method: MethodSchema): Promise<ThriftAnswer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let bytes = 0
      const settle = (action: () => void): void => {
        clearTimeout(timer)
        socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('error')
        action()
      }
      const timer = setTimeout(
        () => settle(() => reject(new Error(`no answer within ${this.#timeoutMs} ms`))),
        this.#timeoutMs,
      )
      socket.on('error', (error) => settle(() => reject(error)))
      socket.on('close', () => settle(() => reject(new Error('the server closed the connection'))))
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (this.#framed && bytes < frameBytes(chunks)) return
        try {
          const received = Buffer.concat(chunks)
          const answer = decodeAnswer(this.#framed ? received.subarray(FRAME_HEAD_BYTES) : received, method)
          if (answer !== undefined) settle(() => resolve(answer))
        } catch (error) {
          settle(() => reject(error instanceof Error ? error : new Error(String(error))))
        }
      })
      if (this.#framed) socket.write(frameHead(message.length))
      socket.write(message)
    })
  }
}

function frameHead(length: number): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES)
  head.writeInt32BE(length)
  return head
}

/** Of the frame that begins with these chunks; Infinity while its length has not come. */
function frameBytes(chunks: readonly Buffer[]): number {
  const [first] = chunks
  const head = first!.length >= FRAME_HEAD_BYTES ? first! : Buffer.concat(chunks)
  return head.length < FRAME_HEAD_BYTES ? Number.POSITIVE_INFINITY : FRAME_HEAD_BYTES + head.readInt32BE(0)
}

/** Undefined where the bytes end inside the message. */
function decodeAnswer(bytes: Buffer, method: MethodSchema): ThriftAnswer | undefined {
  const reader = new BinaryReader(DEPTH_MAX)
  reader.reset(bytes, 0, bytes.length)
  try {
    reader.readMessageBegin()
    return reader.messageType === MessageType.EXCEPTION ? readApplication(reader) : readReply(reader, method)
  } catch (error) {
    if (error instanceof ThriftProtocolError && error.kind === 'UNDERFLOW') return undefined
    throw error
  }
}

function readReply(reader: BinaryReader, method: MethodSchema): ThriftAnswer {
  let answer: ThriftAnswer = { kind: 'result', value: undefined, method }
  for (;;) {
    const type = reader.readFieldBegin()
    if (type === WireType.STOP) return answer
    if (reader.fieldId === 0 && method.result !== undefined) {
      answer = { kind: 'result', value: codecs.of(method.result).read(reader), method }
      continue
    }
    const thrown = method.throws.find((field) => field.id === reader.fieldId)
    if (thrown?.type.kind !== 'struct') {
      reader.skip(type)
      continue
    }
    const fields = codecs.of(thrown.type).read(reader) as ThriftObject
    answer = { kind: 'exception', name: thrown.type.struct.name, fields, method }
  }
}

function readApplication(reader: BinaryReader): ThriftAnswer {
  let message = ''
  let kind = 0
  for (;;) {
    const type = reader.readFieldBegin()
    if (type === WireType.STOP) return { kind: 'application', type: kind, message }
    if (reader.fieldId === 1 && type === WireType.STRING) {
      const length = reader.readSpan()
      message = reader.buffer.toString('utf8', reader.spanStart, reader.spanStart + length)
    } else if (reader.fieldId === 2 && type === WireType.I32) kind = reader.readI32()
    else reader.skip(type)
  }
}
