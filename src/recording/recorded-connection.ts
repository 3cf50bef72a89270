/** Records one connection: its requests with their answers. */

import type { Watcher } from './handed-on.ts'
import { type Conversation, tooLarge, type Wire } from './protocol.ts'
import { exchangeLine, noteLine, startLine } from './tape.ts'
import { wireOf } from './wires.ts'

/** The recording to which connections write. */
export interface RecordedLines {
  /** Milliseconds since the recording began. */
  now(): number
  /** True where the protocol is that of the recording. */
  takes(wire: Wire): boolean
  line(kind: 'exchanges' | 'notes' | 'start', line: string): void
  /** True while lines wait to be written. */
  readonly isBehind: boolean
}

interface Asked {
  readonly id: number | undefined
  readonly at: number
  readonly request: Buffer
}

/** Approximate memory of a waiting request, beside its bytes. */
const ASKED_BYTES = 256

export class RecordedConnection implements Watcher {
  readonly #connection: number
  readonly #lines: RecordedLines
  readonly #bytesMax: number
  #begin: Buffer | undefined = Buffer.alloc(0)
  #wire: Wire | undefined
  #conversation: Conversation | undefined
  #needsStart = false
  /** The requests that wait for their answers. */
  readonly #asked: Asked[] = []
  #askedBytes = 0

  constructor(connection: number, lines: RecordedLines, bytesMax: number) {
    this.#connection = connection
    this.#lines = lines
    this.#bytesMax = bytesMax
  }

  get isBehind(): boolean {
    return this.#lines.isBehind
  }

  saw(side: 'request' | 'answer', bytes: Buffer): void {
    try {
      if (side === 'request') this.#sawRequest(bytes)
      else this.#sawAnswer(bytes)
    } catch (error) {
      this.#stop(`${(error as Error).message}; the rest of the connection is not recorded`)
    }
  }

  end(): void {
    try {
      const last = this.#conversation?.answers.end?.()
      if (last !== undefined) this.#answered(last)
      for (const asked of this.#asked.splice(0)) this.#keep(asked, null)
    } catch (error) {
      this.#stop(`${(error as Error).message}; its last messages are not recorded`)
    }
    this.#conversation = undefined
    this.#begin = undefined
  }

  #sawRequest(bytes: Buffer): void {
    if (this.#begin !== undefined) {
      this.#begin = Buffer.concat([this.#begin, bytes])
      const wire = wireOf(this.#begin)
      if (wire === 'more') return
      const begin = this.#begin
      this.#begin = undefined
      if (wire === undefined || !this.#lines.takes(wire)) {
        this.#stop('a login, TLS or another protocol: the connection is not recorded')
        return
      }
      this.#wire = wire
      this.#needsStart = wire.hasStart
      this.#conversation = wire.conversation(begin, this.#bytesMax) as Conversation
      this.#requests(this.#conversation.requests.push(begin))
      return
    }
    if (this.#conversation !== undefined) this.#requests(this.#conversation.requests.push(bytes))
  }

  #requests(messages: readonly Buffer[]): void {
    const wire = this.#wire!
    for (const message of messages) {
      this.#check(message)
      if (this.#needsStart) {
        this.#needsStart = false
        this.#lines.line('start', startLine({ connection: this.#connection, start: message }))
        continue
      }
      const request = Buffer.from(wire.redacted(message, 'request'))
      const asked = { id: wire.idOf(message, 'request'), at: this.#lines.now(), request }
      if (wire.isAnswered(message)) this.#wait(asked)
      else this.#keep(asked, null)
    }
  }

  #wait(asked: Asked): void {
    this.#askedBytes += asked.request.length + ASKED_BYTES
    // A single request may have as many bytes as a message.
    if (this.#asked.length > 0 && this.#askedBytes > this.#bytesMax)
      throw new Error(`more than ${this.#bytesMax} bytes of requests wait for their answers`)
    this.#asked.push(asked)
  }

  #sawAnswer(bytes: Buffer): void {
    if (this.#conversation === undefined) return
    for (const message of this.#conversation.answers.push(bytes)) this.#answered(message)
  }

  #answered(message: Buffer): void {
    this.#check(message)
    const wire = this.#wire!
    if (wire.isEvent(message)) return
    const id = wire.idOf(message, 'answer')
    const index = id === undefined ? 0 : this.#asked.findIndex((asked) => asked.id === id)
    const [asked] = this.#asked.splice(index, index < 0 ? 0 : 1)
    if (asked === undefined) return
    this.#askedBytes -= asked.request.length + ASKED_BYTES
    this.#keep(asked, Buffer.from(wire.redacted(message, 'answer')))
  }

  #check({ length }: Buffer): void {
    if (length > this.#bytesMax) throw tooLarge(this.#bytesMax)
  }

  #keep({ at, request }: Asked, answer: Buffer | null): void {
    const took = answer === null ? null : Math.round((this.#lines.now() - at) * 1000) / 1000
    const connection = this.#connection
    this.#lines.line('exchanges', exchangeLine({ connection, at, took, request, answer }))
  }

  #stop(note: string): void {
    this.#begin = undefined
    this.#conversation = undefined
    this.#asked.length = 0
    this.#lines.line('notes', noteLine(this.#connection, note))
  }
}
