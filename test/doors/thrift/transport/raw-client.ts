/** Calls as bytes, and a socket that gathers the replies. */

import { connect, type Socket } from 'node:net'
import { MessageType, type ProtocolReader } from '../../../../src/wire/thrift/protocol.ts'
import { ValueCodecs } from '../../../../src/wire/thrift/value-codec.ts'
import { PROTOCOLS, readerOf } from '../../../wire/thrift/protocols.ts'
import { toySchema } from './toy-services.ts'

const codecs = new ValueCodecs()

export type ProtocolName = 'binary' | 'compact'

/** A call of the toy service `Old`. */
export function callBytes(
  protocolName: ProtocolName,
  method: string,
  args: Readonly<Record<string, unknown>>,
  sequenceId = 1,
): Buffer {
  const protocol = PROTOCOLS.find(({ name }) => name === protocolName)!
  return protocol.write((writer) => {
    writer.writeMessageBegin(method, MessageType.CALL, sequenceId)
    const declared = [...toySchema.services.values()].map(({ methods }) => methods.get(method))
    codecs.struct(declared.find((each) => each !== undefined)!.args).write(writer, args)
  })
}

export function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeInt32BE(message.length)
  return Buffer.concat([head, message])
}

export interface Reply {
  readonly method: string
  readonly type: number
  readonly sequenceId: number
  /** The fields of the result or the exception, by id: strings as text, other values as read. */
  readonly fields: ReadonlyMap<number, unknown>
}

/** The complete replies in the bytes. Buffered replies stand back to back. */
export function repliesOf(protocolName: ProtocolName, bytes: Buffer, areFramed = false): Reply[] {
  const protocol = PROTOCOLS.find(({ name }) => name === protocolName)!
  const replies: Reply[] = []
  let rest = bytes
  while (rest.length > (areFramed ? 4 : 0)) {
    const start = areFramed ? 4 : 0
    const reader = readerOf(protocol, rest.subarray(start))
    try {
      replies.push(readReply(reader))
    } catch {
      break
    }
    rest = rest.subarray(start + reader.position)
  }
  return replies
}

function readReply(reader: ProtocolReader): Reply {
  const method = reader.readMessageBegin()
  const { messageType: type, sequenceId } = reader
  const fields = new Map<number, unknown>()
  reader.readStructBegin()
  for (let each = reader.readFieldBegin(); each !== 0; each = reader.readFieldBegin()) {
    const id = reader.fieldId
    if (each === 11) {
      const length = reader.readSpan()
      fields.set(id, reader.buffer.toString('latin1', reader.spanStart, reader.spanStart + length))
    } else if (each === 10) fields.set(id, reader.readI64())
    else if (each === 8) fields.set(id, reader.readI32())
    else reader.skip(each)
  }
  reader.readStructEnd()
  return { method, type, sequenceId, fields }
}

export class RawClient {
  readonly socket: Socket
  received: Buffer = Buffer.alloc(0)
  chunks = 0
  isClosed = false
  #waiting: (() => void)[] = []

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk])
      this.chunks++
      this.#wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.isClosed = true
      this.#wake()
    })
  }

  /** `from`: the client's address. */
  static open(port: number, allowHalfOpen = false, from = '127.0.0.1'): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen, localAddress: from })
      socket.once('connect', () => resolve(new RawClient(socket)))
      socket.once('error', reject)
    })
  }

  send(bytes: Buffer | string): void {
    this.socket.write(bytes)
  }

  /** Resolves once the condition holds. It is checked whenever bytes come. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.isClosed) throw new Error('the connection was closed meanwhile')
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  async replies(count: number, protocol: ProtocolName = 'binary', areFramed = false): Promise<Reply[]> {
    await this.until(() => repliesOf(protocol, this.received, areFramed).length >= count)
    return repliesOf(protocol, this.received, areFramed)
  }

  closed(): Promise<void> {
    return this.isClosed
      ? Promise.resolve()
      : new Promise((resolve) => this.socket.once('close', () => resolve()))
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
