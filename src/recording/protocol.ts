/** The part of a wire protocol that recording and replay have to know: where messages end, which belong together, and what varies. */

export type ProtocolName = 'http' | 'thrift' | 'rpc' | 'zookeeper'

/** Cuts one direction of a connection into messages. */
export interface Cutter {
  /** The messages that are whole with these bytes. Throws where they are none of the protocol. */
  push(bytes: Buffer): Buffer[]
  /** The last message, of which only the connection's end tells that it is whole. */
  end?(): Buffer | undefined
}

/** A connection's two directions. */
export interface Conversation {
  readonly requests: Cutter
  readonly answers: Cutter
}

export interface Wire {
  readonly name: ProtocolName
  /**
   * A client begins with these bytes. `more`: too few to tell; undefined: with something that is not recorded, a login say. `bytesMax`: of a
   * message. A longer one makes `push` throw once it is known to be longer, and at the latest while more bytes of it wait.
   */
  conversation(begin: Buffer, bytesMax?: number): Conversation | 'more' | undefined
  /** The first message of a connection is no request, and has no answer. */
  readonly hasStart: boolean
  /** Names the request among those under way; undefined: answers come in the order of the requests. */
  idOf(message: Buffer, side: 'request' | 'answer'): number | undefined
  /** Whether the server answers it. */
  isAnswered(request: Buffer): boolean
  /** Answers that nobody has asked for are not kept. */
  isEvent(answer: Buffer): boolean
  /** Without secrets. */
  redacted(message: Buffer, side: 'request' | 'answer'): Buffer
  /** The same for requests that ask the same. Of redacted requests. */
  keyOf(request: Buffer): string
  /** A recorded answer as the answer to this request, which asks the same as the recorded one. */
  answerTo(request: Buffer, recorded: { readonly request: Buffer; readonly answer: Buffer }): Buffer
  /** The answer where the recording has none; undefined: the connection ends. */
  refusal(request: Buffer): Buffer | undefined
  /** The answer without what varies from server to server and from time to time. */
  masked(answer: Buffer): Buffer
}

/** Bytes of a message where no lower bound is stated, as the length of a frame says it. */
export const MESSAGE_BYTES_MAX = 0x3fffffff

export function tooLarge(bytesMax: number): Error {
  return new Error(`a message of more than ${bytesMax} bytes`)
}

export const REFUSAL = 'the recording has no such request'

/**
 * Bytes that wait for more. They are copied once and, as the memory doubles, about once more: not with each piece of a large message.
 * Memory is never written twice, so that views of messages stay good.
 */
export class Gathered {
  readonly #bytesMax: number
  #memory: Buffer = Buffer.alloc(0)
  #start = 0
  #end = 0
  #needed = 0
  #isTooMuch = false

  /** `bytesMax`: of what may wait. */
  constructor(bytesMax: number = MESSAGE_BYTES_MAX) {
    this.#bytesMax = bytesMax
  }

  /** All bytes that wait, with these; undefined: too few. Throws where more wait, or are needed, than may. */
  push(bytes: Buffer): Buffer | undefined {
    if (this.#isTooMuch) throw tooLarge(this.#bytesMax)
    this.#append(bytes)
    return this.#end - this.#start < this.#needed ? undefined : this.whole()
  }

  whole(): Buffer {
    return this.#memory.subarray(this.#start, this.#end)
  }

  /** The end of what waited still waits. `needed`: with fewer bytes there is nothing to look at. */
  keep({ length }: Buffer, needed: number): void {
    this.#start = this.#end - length
    this.#needed = needed
    this.#isTooMuch = Math.max(length, needed) > this.#bytesMax
  }

  #append(bytes: Buffer): void {
    const length = this.#end - this.#start
    if (length === 0) {
      this.#memory = bytes
      this.#start = 0
      this.#end = bytes.length
      return
    }
    if (this.#end + bytes.length > this.#memory.length) {
      const grown = Buffer.allocUnsafeSlow(2 * (length + bytes.length))
      this.#memory.copy(grown, 0, this.#start, this.#end)
      this.#memory = grown
      this.#start = 0
      this.#end = length
    }
    bytes.copy(this.#memory, this.#end)
    this.#end += bytes.length
  }
}

/** Messages behind their int32 length, which stays with them. */
export class FrameCutter implements Cutter {
  readonly #gathered: Gathered
  #waiting: Buffer = Buffer.alloc(0)

  constructor(bytesMax: number = MESSAGE_BYTES_MAX) {
    this.#gathered = new Gathered(bytesMax)
  }

  push(bytes: Buffer): Buffer[] {
    const gathered = this.#gathered.push(bytes)
    if (gathered === undefined) return []
    this.#waiting = gathered
    const messages = this.#cut()
    const missing = this.#waiting.length < 4 ? 4 : 4 + this.#waiting.readInt32BE(0)
    this.#gathered.keep(this.#waiting, missing)
    return messages
  }

  #cut(): Buffer[] {
    const messages: Buffer[] = []
    for (;;) {
      if (this.#waiting.length < 4) return messages
      const length = this.#waiting.readInt32BE(0)
      if (length < 0) throw new Error(`a message of ${length} bytes`)
      if (this.#waiting.length < 4 + length) return messages
      messages.push(this.#waiting.subarray(0, 4 + length))
      this.#waiting = this.#waiting.subarray(4 + length)
    }
  }
}

const TIME_DIGITS = /(?<!\d)1\d{12}(?!\d)/g

/** Milliseconds of 2017 and later as int64 begin with 0, 0, 1 and at least this. */
const TIME_FOURTH_MIN = 0x5a

/** Bytes with times of cells and servers taken out: they differ wherever the server has put them in. */
export function withoutTimes(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = 0; at + 8 <= copy.length; at++) {
    if (copy[at] !== 0 || copy[at + 1] !== 0 || copy[at + 2] !== 1 || copy[at + 3]! < TIME_FOURTH_MIN)
      continue
    copy.fill(0, at, at + 8)
    at += 7
  }
  return Buffer.from(copy.toString('latin1').replaceAll(TIME_DIGITS, '(a time)'), 'latin1')
}
