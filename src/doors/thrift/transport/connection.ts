import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { takeBytes } from '../../../gateway/connections/direct-reading.ts'
import { type Deadlines, PeerClock } from '../../../gateway/connections/peer-clock.ts'
import { SocketCall } from '../../../gateway/connections/socket-call.ts'
import { isTooLarge, NoRoom } from '../../../gateway/limits/memory-line.ts'
import { AwaitedRoom } from '../../../gateway/requests/awaited-room.ts'
import type { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import type { Call } from '../../../store/call.ts'
import { type ProtocolName, ThriftProtocolError } from '../../../wire/thrift/protocol.ts'
import { CallMemory } from './call-memory.ts'
import type { CallProcessor } from './call-processor.ts'
import type { Caller, Session } from './caller.ts'
import type { Conversation } from './conversation.ts'
import { endAfterReply } from './end-after-reply.ts'
import type { Peer } from './peer.ts'
import { PeerDoubt } from './peer-doubt.ts'
import { ProtectedQueue } from './protected-queue.ts'
import type { LengthsOfReplies } from './reply-lengths.ts'
import { ReplyWriter } from './reply-writer.ts'

/** Unsent bytes of replies. From so many on, the connection runs no further call and reads nothing. */
const UNSENT_BYTES_MAX = 1024 * 1024
/** Most bytes that the peer may send ahead while a call runs. */
const AHEAD_BYTES_MAX = 256 * 1024

/**
 * A connection that speaks buffered or framed Thrift. It runs its calls one after the other, and sends the replies of one turn of the event
 * loop together.
 */
export class Connection implements Caller, Peer {
  readonly protocol: ProtocolName
  readonly lengths: LengthsOfReplies
  readonly session: Session = { lastService: undefined }
  readonly call: Call
  readonly #socketCall: SocketCall
  readonly #socket: Socket
  readonly #conversation: Conversation
  readonly #queue: ByteQueue
  readonly #room: AwaitedRoom
  /** The memory of the running call. */
  readonly #callMemory: CallMemory
  readonly #processor: CallProcessor
  readonly #logger: Logger
  readonly #replies: ReplyWriter
  #isRunning = false
  /** True while #pump is on the stack. */
  #isPumping = false
  /** True once the peer has sent its FIN. */
  #isEnded = false
  #doubt: PeerDoubt | undefined
  /** True once the connection runs no further call. */
  #isClosing = false
  /** Number of calls received. */
  calls = 0
  readonly #clock: PeerClock

  constructor(socket: Socket, conversation: Conversation, processor: CallProcessor, logger: Logger) {
    this.#socket = socket
    this.#conversation = conversation
    this.protocol = conversation.protocol
    this.lengths = conversation.lengths
    this.#queue = conversation.queue
    this.#room = new AwaitedRoom(socket, this.#queue, conversation.memory)
    this.#callMemory = new CallMemory(conversation.memory)
    const { memory, isBehindSasl, line, queue } = conversation
    if (queue instanceof ProtectedQueue) queue.ready = () => this.#pump()
    const giveBack = (reply: Buffer): void => processor.giveBack(reply)
    const sentInTurns = (): void => this.#goOn()
    this.#replies = new ReplyWriter(socket, { memory, isBehindSasl, line, giveBack, sentInTurns })
    this.#processor = processor
    this.#logger = logger
    this.#clock = new PeerClock(conversation.nowMs)
    this.#socketCall = SocketCall.of(socket)
    // One memory for all calls: the connection runs one at a time.
    this.call = { ...this.#socketCall.call, memory: this.#callMemory }
    takeBytes(socket, (chunk) => this.#receive(chunk))
    socket.on('end', () => {
      this.#isEnded = true
      if (this.#neverComesWhole) this.#socketCall.hangUp()
      this.#pump()
      this.#doubt = new PeerDoubt(this, this.#socketCall)
      this.#doubt.begin()
    })
    socket.on('drain', () => this.#pump())
    socket.on('close', () => {
      this.#isClosing = true
      this.#doubt?.end()
      this.#queue.clear()
    })
    this.#pump()
  }

  expire(nowMs: number, deadlines: Deadlines): void {
    const receives = this.#queue.waiting > 0 && !this.#isRunning ? 'request' : 'nothing'
    const isRunning = this.#isRunning || this.#isReading
    const activity = { isRunning, calls: this.calls, receives } as const
    const lateness = this.#clock.lateness(nowMs, this.#socket, activity, deadlines)
    if (lateness === undefined) return
    this.#logger.debug({ unsent: this.#socket.writableLength }, `a client is late with ${lateness}`)
    this.#socket.destroy()
  }

  close(): void {
    this.#isClosing = true
    if (this.#isRunning) return
    this.#replies.flush()
    if (!this.#replies.isInTurns) this.#socket.destroySoon()
  }

  fail(error: unknown): void {
    this.#endCall()
    this.#refuse(error)
    this.#pump()
  }

  takeMemory(bytes: number): void {
    this.#callMemory.take(bytes)
  }

  #endCall(): void {
    this.#isRunning = false
    this.#callMemory.end()
  }

  settle(reply: Buffer | undefined): void {
    this.#endCall()
    if (reply !== undefined) this.#replies.add(reply)
    this.#pump()
  }

  /** True while a call runs, is being read, or waits for memory. */
  get isBusy(): boolean {
    return this.#isRunning || this.#isReading || this.#room.isWaiting
  }

  get #isReading(): boolean {
    return this.#queue instanceof ProtectedQueue && this.#queue.isReading
  }

  /** True if the peer sends no more and the message that waits for memory is incomplete. */
  get #neverComesWhole(): boolean {
    return this.#room.isWaiting && this.#queue.stated > this.#queue.length + this.#room.keptBytes
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosing) return
    if (this.#room.keeps(chunk) || !this.#take(chunk)) return
    if (!this.#isRunning) this.#pump()
    else if (this.#queue.waiting > AHEAD_BYTES_MAX || this.#isReading) this.#socket.pause()
  }

  /** Queues the chunk; without one, keeps the memory of the bytes that wait. False where the connection ends, or must wait for memory. */
  #take(chunk?: Buffer): boolean {
    try {
      // Bytes that come while a call runs are taken in any case: they are few, and a refusal could be sent only after the call.
      if (chunk !== undefined) this.#queue.push(chunk, !this.#isRunning)
      else this.#queue.keep()
      return true
    } catch (error) {
      if (error instanceof NoRoom) this.#awaitRoom(error, chunk)
      else if (this.#refuseBegun(error) && isTooLarge(error)) return this.#take(chunk)
      return false
    }
  }

  /** Reads nothing until other requests have given memory back. After a wait in vain, the message that has begun is refused. */
  #awaitRoom(refusal: NoRoom, chunk: Buffer | undefined): void {
    // The replies of ended calls do not wait for the memory.
    this.#replies.flush()
    void this.#room.after(refusal, chunk, ({ room, chunks }) => {
      if (room === 'gone') this.#finish()
      if (this.#isClosing || (room === 'refused' && !this.#refuseBegun(refusal))) return
      for (const waited of chunks) this.#receive(waited)
      if (!this.#room.isWaiting) this.#pump()
    })
  }

  /** Answers the message that has begun with an error, and drops it. False where that ends the connection. */
  #refuseBegun(error: unknown): boolean {
    const reply = this.#processor.refuse(this.#conversation.messages.begun, this, error)
    if (reply !== undefined) this.#replies.add(reply)
    if (reply !== undefined && this.#conversation.messages.skip()) {
      this.#replies.flush()
      return true
    }
    this.#processor.failures.failed(error, { action: 'closing' })
    this.#replies.flush()
    this.#finish()
    return false
  }

  /** Runs calls, as long as each one ends at once. */
  #pump(): void {
    if (this.#isPumping || this.#isRunning || this.#room.isWaiting) return
    this.#isPumping = true
    let goesOn = true
    while (goesOn) goesOn = this.#runNext()
    this.#isPumping = false
    if (this.#isRunning) this.#replies.flushSoon()
    else if (this.#isClosing || this.#take()) this.#rest()
  }

  /** Runs the next call. False where none has come whole, or the call has not ended at once. */
  #runNext(): boolean {
    if (this.#isClosing || this.#hasMuchUnsent) return false
    try {
      const message = this.#conversation.messages.next()
      if (message === undefined) return false
      this.calls++
      this.#isRunning = true
      this.#call(message)
    } catch (error) {
      const hasMessage = this.#isRunning
      this.#endCall()
      if (hasMessage || !this.#refuseTooLarge(error)) this.#refuse(error)
    }
    return !this.#isRunning
  }

  /** Answers a too large message, and drops it. False for any other error, and where the message's end cannot be found: then the connection ends. */
  #refuseTooLarge(error: unknown): boolean {
    if (!(error instanceof ThriftProtocolError) || error.kind !== 'SIZE_LIMIT') return false
    // The message of a client that must log in, and has not, is not read to its end.
    if (this.#conversation.refusal !== undefined) return false
    const reply = this.#processor.refusal(this.#conversation.messages.begun, this, error)
    if (reply === undefined || !this.#conversation.messages.skip()) return false
    this.#processor.countMalformed()
    this.#processor.logMalformed(error, 'refused', this.protocol)
    this.#replies.add(reply)
    return true
  }

  #call(message: Buffer): void {
    const { refusal } = this.#conversation
    try {
      if (refusal !== undefined) throw refusal
      this.#callMemory.begin(message, this.#room.takeWaits())
    } catch (error) {
      if (error instanceof NoRoom) {
        void this.#callOnceRoom(message, error)
        return
      }
      const reply = this.#processor.refuse(message, this, error, refusal !== undefined)
      this.#isClosing ||= refusal !== undefined
      if (reply === undefined && !this.#isClosing) throw error
      this.settle(reply)
      return
    }
    // An empty queue does not use the message's memory any more.
    this.#processor.call(message, this, this.#queue.length === 0)
  }

  async #callOnceRoom(message: Buffer, refusal: NoRoom): Promise<void> {
    const isAlone = this.#queue.length === 0
    const room = await this.#callMemory.beginOnceRoom(message, refusal, this.call.signal)
    if (room === 'gone') {
      this.#endCall()
      this.#finish()
    } else if (room === 'refused') {
      const reply = this.#processor.refuse(message, this, refusal)
      if (reply === undefined) this.fail(refusal)
      else this.settle(reply)
    } else {
      try {
        this.#processor.call(message, this, isAlone)
      } catch (error) {
        this.fail(error)
      }
    }
  }

  get #hasMuchUnsent(): boolean {
    return this.#replies.isInTurns || this.#socket.writableLength >= UNSENT_BYTES_MAX
  }

  /** Goes on once a long reply has been sent. */
  #goOn(): void {
    if (this.#isClosing || this.#socket.destroyed) {
      if (!this.#isRunning) this.#finish()
    } else this.#pump()
  }

  /** Waits for the next call: none is running, and none can run now. */
  #rest(): void {
    this.#replies.flush()
    const socket = this.#socket
    if (this.#isClosing) this.#finish()
    else if (this.#hasMuchUnsent || this.#isReading) socket.pause()
    else if (this.#isEnded) this.#finish()
    else if (socket.isPaused()) socket.resume()
  }

  /** Ends the connection after an illegal message or a bug. */
  #refuse(error: unknown): void {
    this.#isClosing = true
    if (!(error instanceof ThriftProtocolError)) {
      this.#processor.failures.failed(error, { action: 'closing' })
      return
    }
    this.#processor.countMalformed()
    this.#processor.logMalformed(error, 'closing', this.protocol)
    const { kind } = error
    const isLimit = kind === 'SIZE_LIMIT' || kind === 'DEPTH_LIMIT'
    // HBase's server, too, answers the next two kinds before it hangs up. After other kinds it hangs up at once.
    if (!isLimit && kind !== 'NEGATIVE_SIZE' && kind !== 'INVALID_DATA') return
    const { buffer, start, end } = this.#queue
    const begun = isLimit ? this.#conversation.messages.begun : buffer.subarray(start, end)
    const reply = this.#processor.refusal(begun, this, error)
    if (reply !== undefined) this.#replies.add(reply)
  }

  #finish(): void {
    const socket = this.#socket
    this.#isClosing = true
    this.#queue.clear()
    // The rest of a long reply comes first.
    if (!this.#replies.isInTurns) endAfterReply(socket)
  }
}
