import type { ByteQueue } from '../../../gateway/byte-queue.ts'
import type { Limits } from '../../../gateway/limits.ts'
import { readInt32 } from '../../../model/bytes.ts'
import { BinaryScanner } from '../../../wire/thrift/binary-scanner.ts'
import { CompactScanner } from '../../../wire/thrift/compact-scanner.ts'
import type { MessageScanner } from '../../../wire/thrift/message-scanner.ts'
import { ThriftProtocolError } from '../../../wire/thrift/protocol.ts'
import type { ProtocolName } from './dialect.ts'
import { LENGTH_BYTES } from './reply-lengths.ts'

/** Cuts a connection's bytes into messages. */
export interface IncomingMessages {
  /** The next message, or undefined until it has come whole. Throws ThriftProtocolError. */
  next(): Buffer | undefined
  /** Drops the message that has begun, also what is still to come of it. False where nobody knows its end. */
  skip(): boolean
  /** What has come of that message. */
  readonly begun: Buffer
}

export type MessageLimits = Pick<Limits, 'depthMax' | 'elementsMax' | 'requestBytesMax'>

/** Each message behind its int32 length. */
export class FramedMessages implements IncomingMessages {
  readonly #queue: ByteQueue
  readonly #bytesMax: number

  constructor(queue: ByteQueue, bytesMax: number) {
    this.#queue = queue
    this.#bytesMax = bytesMax
  }

  next(): Buffer | undefined {
    const queue = this.#queue
    if (queue.length < LENGTH_BYTES) return undefined
    const length = readInt32(queue.buffer, queue.start)
    if (length < 0) throw new ThriftProtocolError('NEGATIVE_SIZE', `a frame of ${length} bytes`)
    if (length > this.#bytesMax) {
      throw new ThriftProtocolError('SIZE_LIMIT', `a frame of ${length} bytes, of at most ${this.#bytesMax}`)
    }
    if (queue.length < LENGTH_BYTES + length) return undefined
    queue.skip(LENGTH_BYTES)
    return queue.take(length)
  }

  get begun(): Buffer {
    const { buffer, start, end } = this.#queue
    return buffer.subarray(Math.min(start + LENGTH_BYTES, end), end)
  }

  skip(): boolean {
    const queue = this.#queue
    if (queue.length < LENGTH_BYTES) return false
    queue.skip(LENGTH_BYTES + readInt32(queue.buffer, queue.start))
    return true
  }
}

/** Messages back to back: a scanner goes over each to find its end. */
export class BufferedMessages implements IncomingMessages {
  readonly #queue: ByteQueue
  readonly #scanner: MessageScanner

  constructor(queue: ByteQueue, protocol: ProtocolName, limits: MessageLimits) {
    this.#queue = queue
    const Scanner = protocol === 'binary' ? BinaryScanner : CompactScanner
    this.#scanner = new Scanner(limits.depthMax, limits.requestBytesMax, limits.elementsMax)
  }

  next(): Buffer | undefined {
    const queue = this.#queue
    if (queue.length === 0) return undefined
    const length = this.#scanner.scan(queue.buffer, queue.start, queue.end)
    return length < 0 ? undefined : queue.take(length)
  }

  get begun(): Buffer {
    const { buffer, start, end } = this.#queue
    return buffer.subarray(start, end)
  }

  skip(): boolean {
    return false
  }
}
