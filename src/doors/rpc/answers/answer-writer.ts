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
import { roomOf } from '../../../wire/rpc/scattered-block.ts'
import { LARGE_BYTES, type RpcAnswer } from '../contract/rpc-service.ts'
import { javaException } from '../messages/exceptions.ts'
import { AnswerMemory } from './answer-memory.ts'
import { AT_ONCE_BYTES_MAX, type ClientOutput } from './client-output.ts'
import type { PackedAnswer } from './packed-answer.ts'
import { TurnEnds } from './turn-ends.ts'

/** Length of the waiting answers, in bytes, at which they are sent before the turn of the event loop ends. */
const TOGETHER_BYTES_MAX = 256 * 1024
/** Room for the parts of an answer beside its cells, in bytes. Most answers need no more. */
const HEAD_BYTES = 4096

const SETTLED: Promise<void> = Promise.resolve()
const turnEnds = new TurnEnds()

/** Shared by all connections of the process. */
const answerMemory = new AnswerMemory()

/** Gathers the answers of one connection and sends them together. */
export class AnswerWriter {
  readonly #output: ClientOutput
  readonly #isEncrypted: boolean
  readonly #memory: MemoryBudget
  readonly #compressor: CellBlockCompressor | undefined
  /** Holds the waiting answers. It has no buffer while none waits. */
  readonly #writer = new MessageWriter(EMPTY)
  #flushIsDue = false
  readonly #flushNow = (): void => {
    this.#flushIsDue = false
    this.flush()
  }

  constructor(output: ClientOutput, memory: MemoryBudget, compressor: CellBlockCompressor | undefined) {
    this.#output = output
    this.#isEncrypted = output.encrypted === true
    this.#memory = memory
    this.#compressor = compressor
  }

  /** Writes an exception as the answer to a call. Returns the answer's length in bytes, 0 where the connection has ended. */
  exception(callId: number, error: unknown): number {
    if (!this.#output.writable) return 0
    const before = this.#begin(HEAD_BYTES)
    writeExceptionResponse(this.#writer, callId, javaException(error))
    return this.#writer.length - before
  }

  /** Writes an answer that is encoded already. Returns its length in bytes. */
  encoded(answer: Buffer): number {
    if (this.#output.writable) {
      this.#begin(answer.length)
      this.#writer.raw(answer)
      this.#flushMuch()
    }
    return answer.length
  }

  /** Writes an answer. Returns its length in bytes, 0 where the connection has ended. A large answer must have its memory (readyAnswer). */
  answer(callId: number, { write, cells = [], bytes = 0, release, isPacked = false }: PackedAnswer): number {
    const compressor = this.#compressor
    const writer = this.#writer
    let start = writer.length
    try {
      if (!this.#output.writable) return 0
      const isPlain = compressor === undefined || isPacked || cellBlockBytes(cells) === 0
      const packed = isPlain ? cells : [new CellBlock(compressor.compress(oneBlock(cells)))]
      start = this.#begin(HEAD_BYTES + Math.max(bytes, roomOf(packed)))
      writeResponse(writer, callId, write, packed)
    } catch (error) {
      // Drops what was written of it: otherwise the next answer would begin within it.
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
   * Writes a large answer in a buffer of its own and in steps, between which other calls have their turns. Answers to these are sent
   * before it. Returns the length in bytes.
   */
  async inSteps(callId: number, answer: PackedAnswer): Promise<number> {
    const { write, writeInSteps = atOnceOf(write), cells = [], bytes = 0, release, isPacked = false } = answer
    try {
      if (!this.#output.writable) return 0
      const ofCells = cellBlockBytes(cells)
      const compressor = ofCells === 0 || isPacked ? undefined : this.#compressor
      const packed = compressor === undefined ? cells : [new CellBlock(compressor.compress(oneBlock(cells)))]
      const writer = new MessageWriter(ownMemory(HEAD_BYTES + Math.max(bytes, cellBlockBytes(packed))))
      await manyATurn(responseInSteps(writer, callId, writeInSteps, packed), () => this.#checkIsAwaited())
      const { buffer, length } = writer
      this.flush()
      if (this.#output.writable) this.#sendLater(buffer.subarray(0, length), buffer)
      return length
    } finally {
      release?.()
    }
  }

  /** Throws CALLER_GONE where the client has hung up. */
  #checkIsAwaited(): void {
    if (!this.#output.writable)
      throw new HBaseError('CALLER_GONE', 'the client does not wait for the answer any more')
  }

  /** Makes room for an answer; returns its offset in the buffer. */
  #begin(bytes: number): number {
    const writer = this.#writer
    if (writer.length === 0 && writer.buffer.length < bytes) {
      answerMemory.giveBack(writer.buffer)
      writer.buffer = answerMemory.take(bytes)
    }
    return writer.length
  }

  /** Sends the waiting answers once all calls that are ready now have been answered. */
  flushSoon(): void {
    if (this.#flushIsDue) return
    this.#flushIsDue = true
    // Node hands on each TLS record by itself, and settles promises in between. At the end of the turn, all answers share one record.
    if (this.#isEncrypted) {
      turnEnds.add(this.#flushNow)
      return
    }
    // A microtask runs after the promises that are settled now, so that answers to one commit of the log leave together. An immediate
    // would come a turn of the event loop later; process.nextTick costs some two thousand instructions for its object.
    void SETTLED.then(this.#flushNow)
  }

  #flushMuch(): void {
    if (this.#writer.length >= TOGETHER_BYTES_MAX) this.flush()
  }

  /** Sends the waiting answers now. */
  flush(): void {
    const writer = this.#writer
    const { length } = writer
    if (length === 0) return
    const output = this.#output
    const hadUnsent = output.writableLength > 0
    const { buffer } = writer
    writer.length = 0
    writer.buffer = EMPTY
    if (!hadUnsent || length > LARGE_BYTES) this.#send(buffer, length, hadUnsent)
    else {
      // The client is slow to read. A small answer gets a copy, so that it does not keep a whole buffer meanwhile.
      const bytes = Buffer.from(buffer.subarray(0, length))
      answerMemory.giveBack(buffer)
      if (output.writable) this.#sendLater(bytes, bytes)
    }
  }

  #send(buffer: Buffer, length: number, hadUnsent: boolean): void {
    const output = this.#output
    if (!output.writable) {
      answerMemory.giveBack(buffer)
      return
    }
    if (this.#isEncrypted) {
      this.#encrypt(buffer, length, hadUnsent)
      return
    }
    output.write(buffer.subarray(0, length))
    // Mostly the operating system has taken all of it, and the buffer is free.
    if (output.writableLength === 0) answerMemory.giveBack(buffer)
    else this.#sendLater(EMPTY, buffer)
  }

  /** Where nothing is unsent, the bytes are encrypted during the write: the buffer is free before the write's callback runs. */
  #encrypt(buffer: Buffer, length: number, hadUnsent: boolean): void {
    const bytes = buffer.subarray(0, length)
    const { atOnceBytesMax = AT_ONCE_BYTES_MAX } = this.#output
    const isFree = !hadUnsent && length <= atOnceBytesMax
    if (isFree) {
      this.#sendLater(bytes, bytes)
      answerMemory.giveBack(buffer)
    } else this.#sendLater(bytes, buffer, () => answerMemory.giveBack(buffer))
  }

  /** Queues `bytes` in the output. The buffer's memory counts until they are sent. */
  #sendLater(bytes: Buffer, { length }: Buffer, sent?: () => void): void {
    const memory = this.#memory
    memory.noteStanding(length)
    this.#output.write(bytes, () => {
      memory.giveStanding(length)
      sent?.()
    })
  }
}

function atOnceOf(write: RpcAnswer['write']): NonNullable<RpcAnswer['writeInSteps']> {
  return function* (writer) {
    write(writer)
    yield
  }
}
