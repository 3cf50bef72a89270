import type { Limits } from '../../../gateway/limits/limits.ts'
import type { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import { readInt32 } from '../../../model/bytes.ts'
import { BinaryScanner } from '../../../wire/thrift/binary-scanner.ts'
import { CompactScanner } from '../../../wire/thrift/compact-scanner.ts'
import type { MessageScanner } from '../../../wire/thrift/message-scanner.ts'
import { type ProtocolName, ThriftProtocolError } from '../../../wire/thrift/protocol.ts'
import { LENGTH_BYTES } from './reply-lengths.ts'

/** Cuts a connection's bytes into messages. */
export interface IncomingMessages {
  /** The next message, or undefined before it has come whole. Throws ThriftProtocolError. */
  next(): Buffer | undefined
  /** Drops the message that has begun, including its bytes that are still to come. False where its end cannot be found. */
  skip(): boolean
  /** The bytes that have come of that message. */
  readonly begun: Buffer
}

export type MessageLimits = Pick<Limits, 'depthMax' | 'elementsMax' | 'requestBytesMax'>

/** Most bytes of a message's head, which has the method's name. */
const HEAD_BYTES = 64

/** Messages in frames: each stands behind its int32 length. */
export class FramedMessages implements IncomingMessages {
  readonly #queue: ByteQueue
  readonly #bytesMax: number
  readonly #headBytes: number

  /** `headBytes`: bytes that must have come of a message beyond `bytesMax` before it is refused, so that the refusal can name its method. */
  constructor(queue: ByteQueue, bytesMax: number, headBytes: number = HEAD_BYTES) {
    this.#queue = queue
    this.#bytesMax = bytesMax
    this.#headBytes = headBytes
  }

  next(): Buffer | undefined {
    const queue = this.#queue
    if (queue.length < LENGTH_BYTES) return undefined
    const length = readInt32(queue.buffer, queue.start)
    if (length < 0) throw new ThriftProtocolError('NEGATIVE_SIZE', `a frame of ${length} bytes`)
    if (length > this.#bytesMax) {
      if (queue.length < LENGTH_BYTES + Math.min(length, this.#headBytes)) return undefined
      throw new ThriftProtocolError('SIZE_LIMIT', `a frame of ${length} bytes, of at most ${this.#bytesMax}`)
    }
    if (queue.length < LENGTH_BYTES + length) {
      queue.stated = LENGTH_BYTES + length
      return undefined
    }
    queue.skip(LENGTH_BYTES)
    return queue.take(length)
  }

  get begun(): Buffer {
    const { buffer, start, end } = this.#queue
    return buffer.subarray(Math.min(start + LENGTH_BYTES, end), end)
  }

  skip(): boolean {
    const queue = this.#queue
    if (queue.length < LENGTH_BYTES || readInt32(queue.buffer, queue.start) < 0) return false
    queue.skip(LENGTH_BYTES + readInt32(queue.buffer, queue.start))
    return true
  }
}

/** Messages without frames: a scanner reads through each to find its end. */
export class BufferedMessages implements IncomingMessages {
  readonly #queue: ByteQueue
  readonly #scanner: MessageScanner
  /** Number of bytes dropped so far of a message; undefined where none is being dropped. */
  #dropped: number | undefined

  constructor(queue: ByteQueue, protocol: ProtocolName, limits: MessageLimits) {
    this.#queue = queue
    const Scanner = protocol === 'binary' ? BinaryScanner : CompactScanner
    this.#scanner = new Scanner(limits.depthMax, limits.requestBytesMax, limits.elementsMax)
  }

  next(): Buffer | undefined {
    if (this.#dropped !== undefined && !this.#drop(this.#dropped)) return undefined
    const queue = this.#queue
    if (queue.length === 0) return undefined
    const length = this.#scanner.scan(queue.buffer, queue.start, queue.end)
    if (length >= 0) return queue.take(length)
    // A message with a long string states its least length before that has come.
    queue.stated = this.#scanner.passed
    return undefined
  }

  get begun(): Buffer {
    const { buffer, start, end } = this.#queue
    return buffer.subarray(start, end)
  }

  skip(): boolean {
    this.#scanner.skim()
    try {
      this.#drop(0)
      return true
    } catch {
      return false
    }
  }

  /** True once the whole message has been dropped. Throws ThriftProtocolError where its end cannot be found. */
  #drop(dropped: number): boolean {
    const queue = this.#queue
    const length = this.#scanner.scan(queue.buffer, queue.start - dropped, queue.end)
    const passed = length < 0 ? Math.min(this.#scanner.passed, dropped + queue.length) : length
    queue.skip(passed - dropped)
    this.#dropped = length < 0 ? passed : undefined
    return length >= 0
  }
}
