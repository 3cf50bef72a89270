import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { ByteQueue } from '../../../gateway/byte-queue.ts'
import type { MemoryBudget } from '../../../gateway/memory-budget.ts'
import { type Deadlines, PeerClock } from '../../../gateway/peer-clock.ts'
import { SocketCall } from '../../../gateway/socket-call.ts'
import type { Call } from '../../../store/call.ts'
import { hasOwnSlab } from '../../../wire/thrift/output.ts'
import { ThriftProtocolError } from '../../../wire/thrift/protocol.ts'
import type { CallProcessor } from './call-processor.ts'
import type { Caller, Session } from './caller.ts'
import type { Conversation } from './conversation.ts'
import type { ProtocolName } from './dialect.ts'
import { joinAdjacent } from './join-adjacent.ts'
import type { Peer } from './peer.ts'
import type { LengthsOfReplies } from './reply-lengths.ts'
import { saslFrames } from './sasl-frames.ts'

/** Unsent bytes of replies at which the connection runs no further call and reads nothing. */
const UNSENT_BYTES_MAX = 1024 * 1024
/** Bytes of waiting replies at which they are sent before the turn of the event loop ends. */
const TOGETHER_BYTES_MAX = 64 * 1024
/** Bytes that the peer may send ahead while a call runs. */
const AHEAD_BYTES_MAX = 256 * 1024
/** What a larger message is made into takes memory that is asked for. */
const LARGE_BYTES = 64 * 1024
/** Cells of a message, and how the store takes them. */
const MADE_OF_MESSAGE = 2
/** Time that a peer has to read a refusal before the connection is destroyed. */
const LINGER_MS = 1000
/** Running time of a call after which a peer that sends no more counts as gone. */
const UNHEARD_MS = 5000

/**
 * A connection that speaks buffered or framed Thrift. It runs its calls one after the other, and sends together the
 * replies that come about in one turn of the event loop.
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
  readonly #memory: MemoryBudget
  /** Taken for the running call. */
  #callBytes = 0
  readonly #processor: CallProcessor
  readonly #logger: Logger
  #replies: Buffer[] = []
  #replyBytes = 0
  #isRunning = false
  /** #pump is on the stack. */
  #isPumping = false
  #flushIsDue = false
  /** The peer has sent its FIN. */
  #isEnded = false
  #doubt: NodeJS.Timeout | undefined
  /** The connection runs no further call. */
  #isClosing = false
  /** Calls received. */
  #calls = 0
  readonly #clock: PeerClock

  constructor(socket: Socket, conversation: Conversation, processor: CallProcessor, logger: Logger) {
    this.#socket = socket
    this.#conversation = conversation
    this.protocol = conversation.protocol
    this.lengths = conversation.lengths
    this.#queue = conversation.queue
    this.#memory = conversation.memory
    this.#processor = processor
    this.#logger = logger
    this.#clock = new PeerClock(conversation.nowMs)
    this.#socketCall = SocketCall.of(socket)
    this.call = this.#socketCall.call
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('end', () => {
      this.#isEnded = true
      this.#pump()
      this.#doubtPeer()
    })
    socket.on('drain', () => this.#pump())
    socket.on('close', () => {
      this.#isClosing = true
      clearTimeout(this.#doubt)
      this.#queue.clear()
    })
    this.#pump()
  }

  expire(nowMs: number, deadlines: Deadlines): void {
    const receives = this.#queue.length > 0 && !this.#isRunning ? 'request' : 'nothing'
    const activity = { isRunning: this.#isRunning, calls: this.#calls, receives } as const
    const lateness = this.#clock.lateness(nowMs, this.#socket, activity, deadlines)
    if (lateness === undefined) return
    this.#logger.debug({ unsent: this.#socket.writableLength }, `a client is late with ${lateness}`)
    this.#socket.destroy()
  }

  close(): void {
    this.#isClosing = true
    if (this.#isRunning) return
    this.#flush()
    this.#socket.destroySoon()
  }

  fail(error: unknown): void {
    this.#endCall()
    this.#refuse(error)
    this.#pump()
  }

  #endCall(): void {
    this.#isRunning = false
    if (this.#callBytes > 0) this.#memory.give(this.#callBytes)
    this.#callBytes = 0
  }

  settle(reply: Buffer | undefined): void {
    this.#endCall()
    if (reply !== undefined) {
      this.#replies.push(reply)
      this.#replyBytes += reply.length
      if (this.#replyBytes >= TOGETHER_BYTES_MAX) this.#flush()
    }
    this.#pump()
  }

  /**
   * A peer that sends no more has closed its socket or waits for its replies: TCP shows which only once a reply is sent.
   * Its calls run nevertheless, but not for minutes: by then most such peers are gone.
   */
  #doubtPeer(): void {
    if (!this.#isRunning) return
    const call = this.#calls
    this.#doubt = setTimeout(() => {
      if (this.#calls === call && this.#isRunning) this.#socketCall.hangUp()
      else this.#doubtPeer()
    }, UNHEARD_MS).unref()
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosing) return
    if (!this.#take(chunk)) return
    if (!this.#isRunning) this.#pump()
    else if (this.#queue.length > AHEAD_BYTES_MAX) this.#socket.pause()
  }

  /** Takes the chunk, or keeps what waits. Without memory the first message is answered, and dropped. False: the connection ends. */
  #take(chunk?: Buffer): boolean {
    try {
      // Bytes that come while a call runs are few, and could be answered only after it.
      if (chunk !== undefined) this.#queue.push(chunk, !this.#isRunning)
      else this.#queue.keep()
    } catch (error) {
      const reply = this.#processor.refuse(this.#conversation.messages.begun, this, error)
      if (reply !== undefined) this.#replies.push(reply)
      if (reply !== undefined && this.#conversation.messages.skip()) {
        if (chunk !== undefined) this.#queue.push(chunk, false)
        this.#flush()
      } else {
        this.#processor.failures.failed(error, { action: 'closing' })
        this.#flush()
        this.#finish()
        return false
      }
    }
    return true
  }

  /** Takes memory for a call. Throws OVERLOADED, also where answers that wait for their readers have taken it all. */
  #takeMemory(message: Buffer): void {
    const bytes = message.length > LARGE_BYTES ? message.length * MADE_OF_MESSAGE : 0
    if (bytes > 0 || this.#memory.isFull) this.#memory.take(bytes, 'another call')
    this.#callBytes = bytes
  }

  /** Runs calls as long as each ends at once. */
  #pump(): void {
    if (this.#isPumping || this.#isRunning) return
    this.#isPumping = true
    let goesOn = true
    while (goesOn) goesOn = this.#runNext()
    this.#isPumping = false
    if (this.#isRunning) this.#flushSoon()
    else if (this.#isClosing || this.#take()) this.#rest()
  }

  /** Returns false where there is no call to run, or the call has not ended at once. */
  #runNext(): boolean {
    if (this.#isClosing || this.#socket.writableLength >= UNSENT_BYTES_MAX) return false
    try {
      const message = this.#conversation.messages.next()
      if (message === undefined) return false
      this.#calls++
      this.#isRunning = true
      this.#call(message)
    } catch (error) {
      this.#endCall()
      this.#refuse(error)
    }
    return !this.#isRunning
  }

  #call(message: Buffer): void {
    const { refusal } = this.#conversation
    try {
      if (refusal !== undefined) throw refusal
      this.#takeMemory(message)
    } catch (error) {
      const reply = this.#processor.refuse(message, this, error, refusal !== undefined)
      this.#isClosing ||= refusal !== undefined
      if (reply === undefined && !this.#isClosing) throw error
      this.settle(reply)
      return
    }
    // A queue that has handed out all it had keeps nothing of its memory.
    this.#processor.call(message, this, this.#queue.length === 0)
  }

  /** No call is running and none can run now. */
  #rest(): void {
    this.#flush()
    const socket = this.#socket
    if (this.#isClosing) this.#finish()
    else if (socket.writableLength >= UNSENT_BYTES_MAX) socket.pause()
    else if (this.#isEnded) this.#finish()
    else if (socket.isPaused()) socket.resume()
  }

  #flush(): void {
    if (this.#replies.length === 0) return
    const pieces = joinAdjacent(this.#replies)
    this.#replies = []
    this.#replyBytes = 0
    const socket = this.#socket
    if (!socket.writable) return
    if (pieces.length > 1) socket.cork()
    for (const piece of pieces) {
      if (hasOwnSlab(piece)) this.#writeLarge(piece)
      else socket.write(piece)
    }
    if (pieces.length > 1) socket.uncork()
  }

  /** A slow reader's reply counts as long as it waits. */
  #writeLarge(piece: Buffer): void {
    this.#memory.note(piece.length)
    const parts = this.#conversation.isBehindSasl ? saslFrames(piece) : [piece]
    const last = parts.pop()!
    for (const part of parts) this.#socket.write(part)
    this.#socket.write(last, () => {
      this.#memory.give(piece.length)
      this.#processor.giveBack(piece)
    })
  }

  /** Sends replies at the end of the turn: they must not wait for a longer call. */
  #flushSoon(): void {
    if (this.#flushIsDue || this.#replies.length === 0) return
    this.#flushIsDue = true
    setImmediate(() => {
      this.#flushIsDue = false
      this.#flush()
    })
  }

  /** Ends the connection after an illegal message or a bug. */
  #refuse(error: unknown): void {
    this.#isClosing = true
    if (!(error instanceof ThriftProtocolError)) {
      this.#processor.failures.failed(error, { action: 'closing' })
      return
    }
    this.#processor.malformed()
    this.#processor.strange(error, 'closing', this.protocol)
    // HBase's server too answers these two kinds before it hangs up; after other kinds it hangs up at once.
    if (error.kind !== 'NEGATIVE_SIZE' && error.kind !== 'INVALID_DATA') return
    const { buffer, start, end } = this.#queue
    const reply = this.#processor.refusal(buffer.subarray(start, end), this, error)
    if (reply !== undefined) this.#replies.push(reply)
  }

  /** Sends the waiting replies and a FIN, then reads on and drops the bytes: a reset could outrun the reply. */
  #finish(): void {
    const socket = this.#socket
    this.#isClosing = true
    this.#queue.clear()
    if (socket.destroyed || socket.writableEnded) return
    socket.end(() => {
      const timer = setTimeout(() => socket.destroy(), LINGER_MS)
      socket.once('close', () => clearTimeout(timer))
    })
    socket.resume()
  }
}
