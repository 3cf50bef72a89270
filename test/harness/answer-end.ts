/** How a load generator knows that an answer is whole. It decodes as little as it can: it must not be what is measured. */

import { EMPTY } from '../../src/model/bytes.ts'

/** Bytes of every answer; `framed`: each says its length in its first four bytes; `http`: an answer of HTTP/1.1. */
export type AnswerForm = number | 'framed' | 'http'

export interface AnswerEnd {
  /** Begins the next answer. */
  begin(): void
  /** True with the last chunk. Throws for more bytes than the answer has, and for an answer of HTTP that is an error. */
  take(chunk: Buffer): boolean
}

export function answerEnd(form: AnswerForm): AnswerEnd {
  if (form === 'http') return new HttpEnd()
  return form === 'framed' ? new FramedEnd() : new FixedEnd(form)
}

const FRAME_HEAD_BYTES = 4
const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n')

function isZero(missing: number): boolean {
  if (missing < 0) throw new Error(`an answer was ${-missing} bytes longer than expected`)
  return missing === 0
}

class FixedEnd implements AnswerEnd {
  readonly #bytes: number
  #missing = 0

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  begin(): void {
    this.#missing = this.#bytes
  }

  take(chunk: Buffer): boolean {
    this.#missing -= chunk.length
    return isZero(this.#missing)
  }
}

class FramedEnd implements AnswerEnd {
  /** Undefined once the length is known. */
  #head: Buffer | undefined
  #missing = 0

  begin(): void {
    this.#head = EMPTY
    this.#missing = 0
  }

  take(chunk: Buffer): boolean {
    this.#missing -= chunk.length
    if (this.#head !== undefined) {
      const head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
      this.#head = head
      if (head.length < FRAME_HEAD_BYTES) return false
      this.#missing += FRAME_HEAD_BYTES + head.readInt32BE(0)
      this.#head = undefined
    }
    return isZero(this.#missing)
  }
}

class HttpEnd implements AnswerEnd {
  /** Undefined once the headers are read. */
  #head: Buffer | undefined
  #missing = 0
  /** The end of what has arrived, of an answer in chunks. */
  #tail: Buffer | undefined

  begin(): void {
    this.#head = EMPTY
    this.#tail = undefined
  }

  take(chunk: Buffer): boolean {
    if (this.#head === undefined) return this.#isWhole(chunk)
    const head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
    const end = head.indexOf(HEAD_END)
    this.#head = end < 0 ? head : undefined
    if (end < 0) return false
    this.#readHeaders(head.toString('latin1', 0, end + 2))
    return this.#isWhole(head.subarray(end + HEAD_END.length))
  }

  #readHeaders(headers: string): void {
    if (headers.charAt(9) > '3') throw new Error(`an error for an answer: ${headers}`)
    const length = /\r\ncontent-length: *(\d+)/i.exec(headers)
    this.#missing = Number(length?.[1] ?? 0)
    if (/\r\ntransfer-encoding: *chunked/i.test(headers)) this.#tail = LINE_END
  }

  #isWhole(chunk: Buffer): boolean {
    if (this.#tail === undefined) {
      this.#missing -= chunk.length
      return isZero(this.#missing)
    }
    const bytes = chunk.length < LAST_CHUNK.length ? Buffer.concat([this.#tail, chunk]) : chunk
    this.#tail = bytes.subarray(-LAST_CHUNK.length)
    return this.#tail.equals(LAST_CHUNK)
  }
}
