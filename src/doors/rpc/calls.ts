import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { RequestLog } from '../../gateway/access-log.ts'
import type { Limits } from '../../gateway/limits.ts'
import { type MemoryBudget, MemoryGrant } from '../../gateway/memory-budget.ts'
import type { DoorCounters } from '../../gateway/metrics.ts'
import type { RequestFailures } from '../../gateway/request-failures.ts'
import { SocketCall } from '../../gateway/socket-call.ts'
import { CellBlock } from '../../model/cell-block.ts'
import { ElementCount } from '../../model/decode-limits.ts'
import { HBaseError } from '../../model/errors.ts'
import type { Call } from '../../store/call.ts'
import { MalformedMessage, MessageReader } from '../../wire/rpc/message-reader.ts'
import { MessageWriter } from '../../wire/rpc/message-writer.ts'
import { cellBlockBytes, type RequestFrame } from '../../wire/rpc/request-frame.ts'
import { writeExceptionResponse, writeResponse } from '../../wire/rpc/response-frame.ts'
import type { ClientIdentity } from './connection-start.ts'
import { javaException, unknownMethod } from './exceptions.ts'
import type { ForwardedCalls } from './forwarded-calls.ts'
import { NotedCall } from './noted-call.ts'
import { receivedCells } from './received-cells.ts'
import type { RpcAnswer, RpcMethods } from './rpc-service.ts'

/** Encoded bytes at which answers are sent before the turn of the event loop ends. */
const TOGETHER_BYTES_MAX = 256 * 1024
/** What a larger request is made into takes memory that is asked for, and so does a larger answer. */
const LARGE_BYTES = 64 * 1024
const NO_LIMIT = Number.POSITIVE_INFINITY

export interface CallsContext {
  readonly limits: Limits
  readonly memory: MemoryBudget
  readonly counters: DoorCounters
  readonly failures: RequestFailures
  readonly access?: RequestLog | undefined
  /** Undefined: no other process has scanners of this server. */
  readonly forwarding?: ForwardedCalls | undefined
  readonly logger: Logger
}

/** Who calls, and what the service has that the client has named. */
export interface Caller {
  readonly identity: ClientIdentity
  readonly methods: RpcMethods
  /** The connection header as it came; undefined where nothing is forwarded. */
  readonly header?: Buffer | undefined
}

/** The calls of a connection, from their frames to their answers. */
interface PackedAnswer extends RpcAnswer {
  /** The cells are compressed already. */
  readonly isPacked?: boolean
}

export class Calls {
  running = 0
  readonly #socket: Socket
  readonly #context: CallsContext
  readonly #caller: Caller
  readonly #onAnswer: (bytes: number) => void
  readonly #socketCall: SocketCall
  readonly #call: Call
  readonly #writer = new MessageWriter()
  #flushIsDue = false

  /** `onAnswer`: called once a call does not run any more, with the bytes of its answer. */
  constructor(socket: Socket, context: CallsContext, caller: Caller, onAnswer: (bytes: number) => void) {
    this.#socket = socket
    this.#context = context
    this.#caller = caller
    this.#onAnswer = onAnswer
    this.#socketCall = SocketCall.of(socket)
    const { user, realUser } = caller.identity
    const { call } = this.#socketCall
    // Where clients must show who they are, what they state counts for nothing.
    const isStated = user !== undefined && call.principal === undefined
    this.#call = isStated ? { ...call, principal: { user, realUser } } : call
  }

  /** The client no longer waits for answers. */
  hangUp(): void {
    this.#socketCall.hangUp()
  }

  /** Never throws. `bytes` are those of the frame. */
  begin(frame: RequestFrame, bytes: Buffer): void {
    const grant = new MemoryGrant(this.#context.memory)
    this.running++
    void this.#answer(frame, bytes, grant).then((length) => {
      this.running--
      grant.release()
      this.#flushSoon()
      this.#onAnswer(length)
    })
  }

  /** Answers a call that has not begun. */
  refuse(callId: number, error: unknown): void {
    this.#context.failures.failed(error, {})
    writeExceptionResponse(this.#writer, callId, javaException(error))
    this.#flushSoon()
  }

  /** Sends the answers that wait. */
  flush(): void {
    if (this.#writer.length === 0) return
    const bytes = this.#writer.take()
    this.#writer.shrink()
    if (!this.#socket.writable) return
    const { memory } = this.#context
    memory.note(bytes.length)
    this.#socket.write(bytes, () => memory.give(bytes.length))
  }

  /** Resolves to the length of the answer. */
  async #answer(frame: RequestFrame, buffer: Buffer, grant: MemoryGrant): Promise<number> {
    const { access, counters, failures, memory } = this.#context
    const { callId } = frame
    const { service } = this.#caller.identity
    // A name that a client makes up is no label of a metric.
    const method = this.#caller.methods.has(frame.method) ? frame.method : 'unknown'
    const counts = counters.request(service, method)
    const since = performance.now()
    const { length } = buffer
    const noted = access && new NotedCall(access, this.#call, service, frame, buffer, length)
    try {
      if (length >= LARGE_BYTES || memory.isFull) grant.take(2 * length, 'a call')
      if (this.#context.forwarding !== undefined) {
        const forwarded = await this.#forwarded(this.#context.forwarding, frame, buffer)
        if (forwarded !== undefined) {
          noted?.end(forwarded, undefined)
          return forwarded
        }
      }
      const answer = await this.#run(frame, buffer, grant, noted?.trace)
      const written = this.#write(callId, this.#isPackedAside(answer) ? await this.#packed(answer) : answer)
      counts.ok++
      counts.latencies.add(performance.now() - since)
      noted?.end(written, undefined)
      return written
    } catch (error) {
      counts.latencies.add(performance.now() - since)
      if (error instanceof MalformedMessage) counters.malformed(counts)
      else {
        counters.threw(counts, error)
        failures.failed(error, { service, method })
      }
      const before = this.#writer.length
      if (this.#socket.writable) writeExceptionResponse(this.#writer, callId, javaException(error))
      noted?.end(this.#writer.length - before, error)
      return 0
    }
  }

  /** Resolves to the length of the answer of a sibling, which has counted the call; undefined where it is none of a sibling's. */
  async #forwarded(
    forwarding: ForwardedCalls,
    frame: RequestFrame,
    buffer: Buffer,
  ): Promise<number | undefined> {
    const address = forwarding.addressOf(frame, buffer)
    const { header } = this.#caller
    if (address === undefined || header === undefined) return undefined
    const answer = await forwarding.ask(address, header, buffer, this.#call)
    if (answer === undefined) return undefined
    if (this.#socket.writable) this.#writer.raw(answer)
    if (this.#writer.length >= TOGETHER_BYTES_MAX) this.flush()
    return answer.length
  }

  #run(frame: RequestFrame, buffer: Buffer, grant: MemoryGrant, trace?: string): Promise<RpcAnswer> {
    const { identity, methods } = this.#caller
    const handler = methods.get(frame.method)
    if (handler === undefined) throw unknownMethod(frame.method)
    if (frame.parameter === undefined) {
      throw new HBaseError('DO_NOT_RETRY', 'Invalid request header: should have param set in it')
    }
    const { start, end } = frame.parameter
    const { timeoutMs = 0, priority = 0 } = frame
    const deadline = timeoutMs > 0 ? Date.now() + timeoutMs : NO_LIMIT
    const isPlain = timeoutMs === 0 && priority === 0 && trace === undefined
    const call = isPlain ? this.#call : { ...this.#call, deadline, priority, trace }
    const { limits } = this.#context
    const received = receivedCells(frame.cells, identity.compressor, { limits, grant })
    const elements = buffer.length >= LARGE_BYTES ? new ElementCount(limits) : undefined
    const parameter = new MessageReader(buffer, start, end, elements)
    const { takesCellBlocks, takesTags } = identity
    const run = (cells: CellBlock): Promise<RpcAnswer> =>
      handler({ parameter, cells, call, takesCellBlocks, takesTags })
    return received instanceof CellBlock ? run(received) : received.then(run)
  }

  /** Whether its cells are to be compressed, and are so many that others would have to wait meanwhile. */
  #isPackedAside({ cells = [] }: RpcAnswer): boolean {
    return this.#caller.identity.compressor !== undefined && cellBlockBytes(cells) > LARGE_BYTES
  }

  async #packed(answer: RpcAnswer): Promise<PackedAnswer> {
    const { cells = [], release } = answer
    const { compressor } = this.#caller.identity
    try {
      const packed = await compressor!.compressAside(oneBlock(cells))
      return { ...answer, cells: [new CellBlock(packed)], isPacked: true }
    } catch (error) {
      release?.()
      throw error
    }
  }

  /** Returns the answer's length. Throws OVERLOADED where there is no memory for its encoded form: the client can ask again. */
  #write(
    callId: number,
    { write, cells = [], bytes = cellBlockBytes(cells), release, isPacked = false }: PackedAnswer,
  ): number {
    const { compressor } = this.#caller.identity
    const writer = this.#writer
    const start = writer.length
    try {
      if (!this.#socket.writable) return 0
      if (bytes > LARGE_BYTES) this.#context.memory.check(bytes, 'the answer')
      const isPlain = compressor === undefined || isPacked || cellBlockBytes(cells) === 0
      const packed = isPlain ? cells : [new CellBlock(compressor.compress(oneBlock(cells)))]
      writeResponse(writer, callId, write, packed)
    } catch (error) {
      // Nothing of it is sent: the next answer would begin within it.
      writer.length = start
      throw error
    } finally {
      release?.()
    }
    const { length } = writer
    if (length >= TOGETHER_BYTES_MAX) this.flush()
    return length - start
  }

  #flushSoon(): void {
    if (this.#flushIsDue) return
    this.#flushIsDue = true
    setImmediate(() => {
      this.#flushIsDue = false
      this.flush()
    })
  }
}

/** Clients read one compressed stream: zlib's own format has no way to say that another one follows. */
function oneBlock(cells: readonly CellBlock[]): Buffer {
  const blocks = cells.map(({ buffer, start, end }) => buffer.subarray(start, end))
  return blocks.length === 1 ? blocks[0]! : Buffer.concat(blocks)
}
