import type { Socket } from 'node:net'
import type { AccessLog } from '../../gateway/access-log.ts'
import type { Limits } from '../../gateway/limits.ts'
import { type MemoryBudget, MemoryGrant } from '../../gateway/memory-budget.ts'
import type { DoorCounters } from '../../gateway/metrics.ts'
import type { RequestFailures } from '../../gateway/request-failures.ts'
import { SocketCall } from '../../gateway/socket-call.ts'
import { CellBlock, checkCellBlock } from '../../model/cell-block.ts'
import { HBaseError } from '../../model/errors.ts'
import type { Call } from '../../store/call.ts'
import { FrameReader } from '../../wire/rpc/frame-reader.ts'
import { MalformedMessage, MessageReader } from '../../wire/rpc/message-reader.ts'
import { MessageWriter } from '../../wire/rpc/message-writer.ts'
import { type RequestFrame, readRequest } from '../../wire/rpc/request-frame.ts'
import { writeExceptionResponse, writeResponse } from '../../wire/rpc/response-frame.ts'
import {
  type ClientIdentity,
  ConnectionRefused,
  PREAMBLE_BYTES,
  readIdentity,
  readPreamble,
  refusal,
} from './connection-start.ts'
import { javaException, unknownMethod } from './exceptions.ts'
import { NotedCall } from './noted-call.ts'
import type { RpcAnswer, RpcMethods, RpcServices } from './rpc-service.ts'

/** Unsent bytes of answers at which the connection reads no further. */
const UNSENT_BYTES_MAX = 4 * 1024 * 1024
/** Requests of a connection that may be worked on at a time; further ones wait in the socket. */
const CALLS_MAX = 1000
/** Encoded bytes at which answers are sent before the turn of the event loop ends. */
const TOGETHER_BYTES_MAX = 256 * 1024
/** What a larger request is made into takes memory that is asked for. */
const LARGE_BYTES = 64 * 1024
const NO_LIMIT = Number.POSITIVE_INFINITY

export interface ConnectionContext {
  readonly services: RpcServices
  readonly clusterId: () => Promise<string>
  readonly limits: Pick<Limits, 'requestBytesMax'>
  readonly memory: MemoryBudget
  readonly counters: DoorCounters
  readonly failures: RequestFailures
  readonly access?: AccessLog | undefined
}

/** A client's connection. Its calls run at the same time and are answered as they end. */
export class Connection {
  readonly #socket: Socket
  readonly #context: ConnectionContext
  readonly #socketCall: SocketCall
  readonly #frames: FrameReader
  readonly #writer = new MessageWriter()
  #preamble: Buffer = Buffer.alloc(0)
  #hasPreamble = false
  /** A client that wanted to log in has sent a first message of that kind. */
  #skipsFrame = false
  #identity: ClientIdentity | undefined
  #methods: RpcMethods | undefined
  #call: Call
  #running = 0
  #isClosing = false
  #flushIsDue = false
  #usedAt: number

  constructor(socket: Socket, context: ConnectionContext, nowMs: number) {
    this.#socket = socket
    this.#context = context
    this.#socketCall = SocketCall.of(socket)
    this.#call = this.#socketCall.call
    this.#usedAt = nowMs
    this.#frames = new FrameReader(context.limits.requestBytesMax, (buffer, start, end, release) =>
      this.#onFrame(buffer, start, end, release),
    )
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('drain', () => this.#resume())
    socket.on('end', () => this.#socketCall.hangUp())
  }

  /** Ends the connection where nothing has come or gone for so long. */
  expire(nowMs: number, idleMs: number): void {
    if (this.#running > 0) this.#usedAt = nowMs
    else if (nowMs - this.#usedAt >= idleMs) this.#socket.destroy()
  }

  /** Takes no further request; ends once the running ones are answered. */
  close(): void {
    this.#isClosing = true
    this.#endIfDone()
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosing) return
    this.#usedAt = Date.now()
    try {
      if (this.#hasPreamble) this.#frames.push(chunk)
      else this.#start(chunk)
    } catch (error) {
      this.#fatal(error)
    }
    if (this.#isBusy) this.#socket.pause()
  }

  get #isBusy(): boolean {
    return this.#running >= CALLS_MAX || this.#socket.writableLength >= UNSENT_BYTES_MAX
  }

  #resume(): void {
    if (this.#socket.isPaused() && !this.#isBusy) this.#socket.resume()
  }

  #start(chunk: Buffer): void {
    const bytes = Buffer.concat([this.#preamble, chunk])
    this.#preamble = bytes
    if (bytes.length < PREAMBLE_BYTES) return
    this.#socket.pause()
    this.#context.clusterId().then(
      (id) => {
        this.#socket.resume()
        this.#takePreamble(id)
      },
      (error: unknown) => this.#fatal(error),
    )
  }

  #takePreamble(clusterId: string): void {
    const bytes = this.#preamble
    const outcome = readPreamble(bytes.subarray(0, PREAMBLE_BYTES), clusterId)
    if (outcome.answer !== undefined) this.#socket.write(outcome.answer)
    if (outcome.kind === 'close') {
      this.#isClosing = true
      this.#socket.end()
      return
    }
    const rest = bytes.subarray(PREAMBLE_BYTES)
    this.#preamble = Buffer.alloc(0)
    if (outcome.kind === 'go on') {
      this.#hasPreamble = true
      this.#skipsFrame = outcome.skipsFrame
    }
    if (rest.length > 0) this.#receive(rest)
  }

  /** What cannot be read, or answered by its call id: the client is told, and the connection ends. */
  #fatal(error: unknown): void {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#context.counters.malformed()
    const message = error instanceof Error ? error.message : String(error)
    const { remoteAddress: remote } = this.#socket
    this.#context.failures.malformed('bytes', `closing: ${message}`, { remote })
    const javaClass = error instanceof ConnectionRefused ? error.javaClass : 'FatalConnectionException'
    this.#socket.end(refusal(javaClass, message))
  }

  #onFrame(buffer: Buffer, start: number, end: number, release: (() => void) | undefined): void {
    if (this.#isClosing) return
    if (this.#skipsFrame) {
      this.#skipsFrame = false
      release?.()
    } else if (this.#identity === undefined) this.#takeHeader(buffer.subarray(start, end))
    else this.#takeRequest(buffer, start, end, release)
  }

  #takeHeader(frame: Buffer): void {
    const identity = readIdentity(frame)
    const methods = this.#context.services.get(identity.service)
    if (methods === undefined) throw new ConnectionRefused('UnknownServiceException', identity.service)
    this.#identity = identity
    this.#methods = methods
    if (identity.user !== undefined) this.#call = { ...this.#call, principal: { user: identity.user } }
  }

  #takeRequest(buffer: Buffer, start: number, end: number, release: (() => void) | undefined): void {
    const frame = readRequest(buffer, start, end)
    const grant = new MemoryGrant(this.#context.memory)
    this.#running++
    const done = (): void => {
      this.#running--
      grant.release()
      release?.()
      this.#resume()
      this.#endIfDone()
    }
    this.#answer(frame, buffer, end - start, grant).then(done, (error: unknown) => {
      this.#fatal(error)
      done()
    })
  }

  async #answer(frame: RequestFrame, buffer: Buffer, bytes: number, grant: MemoryGrant): Promise<void> {
    const { access, counters } = this.#context
    const { service } = this.#identity!
    // A name that a client makes up is no label of a metric.
    const method = this.#methods!.has(frame.method) ? frame.method : 'unknown'
    const noted = access && new NotedCall(access, this.#call, service, frame, buffer, bytes)
    let sent: number
    let thrown: unknown
    try {
      if (bytes >= LARGE_BYTES || this.#context.memory.isFull) grant.take(2 * bytes, 'a call')
      const answer = await this.#run(frame, buffer)
      sent = this.#write(frame.callId, answer)
      counters.request(service, method).ok++
    } catch (error) {
      thrown = error
      this.#count(service, method, error)
      const before = this.#writer.length
      writeExceptionResponse(this.#writer, frame.callId, javaException(error))
      sent = this.#writer.length - before
    }
    noted?.end(sent, thrown)
    if (this.#writer.length >= TOGETHER_BYTES_MAX) this.#flush()
    this.#flushSoon()
  }

  #count(service: string, method: string, error: unknown): void {
    const { counters, failures } = this.#context
    const counts = counters.request(service, method)
    if (error instanceof MalformedMessage) {
      counters.malformed(counts)
      return
    }
    counters.threw(counts, error)
    failures.failed(error, { service, method })
  }

  #run(frame: RequestFrame, buffer: Buffer): Promise<RpcAnswer> {
    const handler = this.#methods!.get(frame.method)
    if (handler === undefined) throw unknownMethod(frame.method)
    if (frame.parameter === undefined) {
      throw new HBaseError('DO_NOT_RETRY', 'Invalid request header: should have param set in it')
    }
    const { start, end } = frame.parameter
    const { timeoutMs = 0, priority = 0 } = frame
    const deadline = timeoutMs > 0 ? Date.now() + timeoutMs : NO_LIMIT
    const call = timeoutMs > 0 || priority > 0 ? { ...this.#call, deadline, priority } : this.#call
    const { takesCellBlocks } = this.#identity!
    const parameter = new MessageReader(buffer, start, end)
    return handler({ parameter, cells: this.#cellsOf(frame), call, takesCellBlocks })
  }

  /** Throws CORRUPTION for bytes that are not whole cells. */
  #cellsOf({ cells }: RequestFrame): CellBlock {
    if (cells.byteLength === 0) return cells
    const { compressor } = this.#identity!
    const bytesMax = this.#context.limits.requestBytesMax
    const plain =
      compressor === undefined
        ? cells
        : new CellBlock(compressor.decompress(cells.buffer.subarray(cells.start, cells.end), bytesMax))
    checkCellBlock(plain)
    return plain
  }

  /** The bytes of the answer. */
  #write(callId: number, { write, cells = [], release }: RpcAnswer): number {
    const { compressor } = this.#identity!
    const writer = this.#writer
    const before = writer.length
    try {
      const packed =
        compressor === undefined
          ? cells
          : cells.map(
              ({ buffer, start, end }) => new CellBlock(compressor.compress(buffer.subarray(start, end))),
            )
      writeResponse(writer, callId, write, packed)
    } finally {
      release?.()
    }
    return writer.length - before
  }

  #flushSoon(): void {
    if (this.#flushIsDue) return
    this.#flushIsDue = true
    setImmediate(() => {
      this.#flushIsDue = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#writer.length === 0 || this.#socket.destroyed) return
    const bytes = this.#writer.take()
    const { memory } = this.#context
    memory.note(bytes.length)
    this.#socket.write(bytes, () => memory.give(bytes.length))
    this.#writer.shrink()
  }

  #endIfDone(): void {
    if (!this.#isClosing || this.#running > 0) return
    this.#flush()
    this.#socket.end()
  }
}
