import type { Socket } from 'node:net'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { EMPTY } from '../../../model/bytes.ts'
import { CellBlock } from '../../../model/cell-block.ts'
import { HBaseError } from '../../../model/errors.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import { ownMemory } from '../../../model/mapped-memory.ts'
import type { CellBlockCompressor } from '../../../wire/rpc/cell-block-compressor.ts'
import { MessageWriter } from '../../../wire/rpc/message-writer.ts'
import { oneBlock } from '../../../wire/rpc/one-block.ts'
import { cellBlockBytes } from '../../../wire/rpc/request-frame.ts'
import { responseInSteps, writeExceptionResponse, writeResponse } from '../../../wire/rpc/response-frame.ts'
import { LARGE_BYTES, type RpcAnswer } from '../contract/rpc-service.ts'
import { javaException } from '../messages/exceptions.ts'
import { AnswerMemory } from './answer-memory.ts'
import type { PackedAnswer } from './packed-answer.ts'
import { TurnEnds } from './turn-ends.ts'

/** Encoded bytes at which answers are sent before the turn of the event loop ends. */
const TOGETHER_BYTES_MAX = 256 * 1024
/** Room for an answer beside its cells, which most answers need no more of. */
const HEAD_BYTES = 4096

const SETTLED: Promise<void> = Promise.resolve()
const turnEnds = new TurnEnds()

/** Of all connections of the process. */
const answerMemory = new AnswerMemory()

/** Gathers the answers of one connection, and sends them together. */
export class AnswerWriter {
  readonly #socket: Socket
  readonly #isEncrypted: boolean
  readonly #memory: MemoryBudget
  readonly #compressor: CellBlockCompressor | undefined
  /** Has memory only while answers wait. */
  readonly #writer = new MessageWriter(EMPTY)
  #flushIsDue = false
  readonly #flushNow = (): void => {
    this.#flushIsDue = false
    this.flush()
  }

  constructor(socket: Socket, memory: MemoryBudget, compressor: CellBlockCompressor | undefined) {
    this.#socket = socket
    // As a TLSSocket says of itself.
    this.#isEncrypted = (socket as { readonly encrypted?: boolean }).encrypted === true
    this.#memory = memory
    this.#compressor = compressor
  }

  /** Returns the answer's length. */
  exception(callId: number, error: unknown): number {
    if (!this.#socket.writable) return 0
    const before = this.#begin(HEAD_BYTES)
    writeExceptionResponse(this.#writer, callId, javaException(error))
    return this.#writer.length - before
  }

  /** An encoded answer. Returns its length. */
  encoded(answer: Buffer): number {
    if (this.#socket.writable) {
      this.#begin(answer.length)
      this.#writer.raw(answer)
      this.#flushMuch()
    }
    return answer.length
  }

  /** Returns the answer's length. A large answer has its memory (withRoom). */
  answer(callId: number, { write, cells = [], bytes = 0, release, isPacked = false }: PackedAnswer): number {
    const compressor = this.#compressor
    const writer = this.#writer
    let start = writer.length
    try {
      if (!this.#socket.writable) return 0
      const isPlain = compressor === undefined || isPacked || cellBlockBytes(cells) === 0
      const packed = isPlain ? cells : [new CellBlock(compressor.compress(oneBlock(cells)))]
      start = this.#begin(HEAD_BYTES + Math.max(bytes, cellBlockBytes(packed)))
      writeResponse(writer, callId, write, packed)
    } catch (error) {
      // Nothing of it is sent: the next answer would begin within it.
      writer.length = start
      throw error
    } finally {
      release?.()
    }
    const length = writer.length - start
    this.#flushMuch()
    return length
  }

  /**
   * As `answer`, of a large one: in memory of its own, while others have their turns. The answers that are given meanwhile are sent before
   * it.
   */
  async inSteps(callId: number, answer: PackedAnswer): Promise<number> {
    const { write, writeInSteps = atOnceOf(write), cells = [], bytes = 0, release, isPacked = false } = answer
    try {
      if (!this.#socket.writable) return 0
      const ofCells = cellBlockBytes(cells)
      const compressor = ofCells === 0 || isPacked ? undefined : this.#compressor
      const packed = compressor === undefined ? cells : [new CellBlock(compressor.compress(oneBlock(cells)))]
      const writer = new MessageWriter(ownMemory(HEAD_BYTES + Math.max(bytes, cellBlockBytes(packed))))
      await manyATurn(responseInSteps(writer, callId, writeInSteps, packed), () => this.#checkIsAwaited())
      const { buffer, length } = writer
      this.flush()
      if (this.#socket.writable) this.#sendLater(buffer.subarray(0, length), buffer)
      return length
    } finally {
      release?.()
    }
  }

  /** Throws CALLER_GONE. */
  #checkIsAwaited(): void {
    if (!this.#socket.writable)
      throw new HBaseError('CALLER_GONE', 'the client does not wait for the answer any more')
  }

  /** Makes room for an answer; returns where it begins. */
  #begin(bytes: number): number {
    const writer = this.#writer
    if (writer.length === 0 && writer.buffer.length < bytes) {
      answerMemory.giveBack(writer.buffer)
      writer.buffer = answerMemory.take(bytes)
    }
    return writer.length
  }

  /** Sends the answers once all that is ready now has been answered. */
  flushSoon(): void {
    if (this.#flushIsDue) return
    this.#flushIsDue = true
    // Node hands on each record of TLS by itself, and settles promises between them: at the end of the turn the answers to all share one.
    if (this.#isEncrypted) {
      turnEnds.add(this.#flushNow)
      return
    }
    // Behind the promises that are settled now, so that answers to one commit of the log leave together; an immediate would come
    // a turn of the event loop later, and process.nextTick makes an object by some two thousand instructions.
    void SETTLED.then(this.#flushNow)
  }

  #flushMuch(): void {
    if (this.#writer.length >= TOGETHER_BYTES_MAX) this.flush()
  }

  /** Sends the answers that wait. */
  flush(): void {
    const writer = this.#writer
    const { length } = writer
    if (length === 0) return
    const socket = this.#socket
    const hadUnsent = socket.writableLength > 0
    const { buffer } = writer
    writer.length = 0
    writer.buffer = EMPTY
    if (!hadUnsent || length > LARGE_BYTES) this.#send(buffer, length, hadUnsent)
    else {
      // The client is slow to read: a small answer does not keep a whole buffer until then.
      const bytes = Buffer.from(buffer.subarray(0, length))
      answerMemory.giveBack(buffer)
      if (socket.writable) this.#sendLater(bytes, bytes)
    }
  }

  #send(buffer: Buffer, length: number, hadUnsent: boolean): void {
    const socket = this.#socket
    if (!socket.writable) {
      answerMemory.giveBack(buffer)
      return
    }
    if (this.#isEncrypted) {
      this.#encrypt(buffer, length, hadUnsent)
      return
    }
    socket.write(buffer.subarray(0, length))
    // The operating system mostly has all of it now, and the buffer is free.
    if (socket.writableLength === 0) answerMemory.giveBack(buffer)
    else this.#sendLater(EMPTY, buffer)
  }

  /** Where nothing is unsent, TLS makes records of the bytes within the write, although it says later that it has written them. */
  #encrypt(buffer: Buffer, length: number, hadUnsent: boolean): void {
    const bytes = buffer.subarray(0, length)
    this.#sendLater(bytes, hadUnsent ? buffer : bytes)
    if (!hadUnsent) answerMemory.giveBack(buffer)
  }

  /** Sends `bytes` behind what is unsent, and counts the memory until then. */
  #sendLater(bytes: Buffer, { length }: Buffer): void {
    const memory = this.#memory
    memory.noteStanding(length)
    this.#socket.write(bytes, () => memory.giveStanding(length))
  }
}

function atOnceOf(write: RpcAnswer['write']): NonNullable<RpcAnswer['writeInSteps']> {
  return function* (writer) {
    write(writer)
    yield
  }
}
