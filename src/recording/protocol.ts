/** The properties of a wire protocol that recording and replay need: the ends of messages, which ones belong together, and which bytes vary. */

export type ProtocolName = 'http' | 'thrift' | 'rpc' | 'zookeeper'

/** Cuts one direction of a connection into messages. */
export interface Cutter {
  /** The messages that these bytes complete. Throws where the bytes do not follow the protocol. */
  push(bytes: Buffer): Buffer[]
  /** The last message, where it extends to the end of the connection. */
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
   * The conversation of a client that begins with these bytes. `more`: too few bytes to decide; undefined: another protocol, or a
   * beginning that is not recorded, such as a login. `bytesMax`: the most bytes of a message. `push` throws once a message is known to
   * be longer, at the latest when more bytes of it wait.
   */
  conversation(begin: Buffer, bytesMax?: number): Conversation | 'more' | undefined
  /** True: the first message of a connection is no request, and has no answer. */
  readonly hasStart: boolean
  /** The id of a request, or of the request that an answer belongs to; undefined: answers come in the order of the requests. */
  idOf(message: Buffer, side: 'request' | 'answer'): number | undefined
  /** True where the server answers the request. */
  isAnswered(request: Buffer): boolean
  /** True for an answer to no request, which is not recorded. */
  isEvent(answer: Buffer): boolean
  /** The message without secrets. */
  redacted(message: Buffer, side: 'request' | 'answer'): Buffer
  /** A key that is equal for equivalent requests. The request must be redacted. */
  keyOf(request: Buffer): string
  /** The recorded answer, adapted to this request, which is equivalent to the recorded one. */
  answerTo(request: Buffer, recorded: { readonly request: Buffer; readonly answer: Buffer }): Buffer
  /** The answer to a request that the recording does not have; undefined: the connection ends. */
  refusal(request: Buffer): Buffer | undefined
  /** The answer without the bytes that vary between servers and over time. */
  masked(answer: Buffer): Buffer
}

/** The most bytes of a message, by the length of a frame, where no lower limit is set. */
export const MESSAGE_BYTES_MAX = 0x3fffffff

export function tooLarge(bytesMax: number): Error {
  return new Error(`a message of more than ${bytesMax} bytes`)
}

export const REFUSAL = 'the recording has no such request'

/**
 * The bytes of an incomplete message. They are copied once and, as the memory doubles, about once more, not for each piece of a large
 * message. Memory is never overwritten, so views of messages stay valid.
 */
export class Gathered {
  readonly #bytesMax: number
  #memory: Buffer = Buffer.alloc(0)
  #start = 0
  #end = 0
  #needed = 0
  #isTooMuch = false

  /** `bytesMax`: the most bytes that may wait. */
  constructor(bytesMax: number = MESSAGE_BYTES_MAX) {
    this.#bytesMax = bytesMax
  }

  /** Adds bytes. All waiting bytes; undefined: still too few. Throws where more than `bytesMax` bytes wait or are needed. */
  push(bytes: Buffer): Buffer | undefined {
    if (this.#isTooMuch) throw tooLarge(this.#bytesMax)
    this.#append(bytes)
    return this.#end - this.#start < this.#needed ? undefined : this.whole()
  }

  whole(): Buffer {
    return this.#memory.subarray(this.#start, this.#end)
  }

  /** Keeps only the end of the waiting bytes, as long as the given buffer. `needed`: `push` returns undefined for fewer bytes. */
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

/** Cuts messages behind their int32 length, which remains part of them. */
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

/** The bytes without timestamps that a server has set, in binary or in digits. */
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
