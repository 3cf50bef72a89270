import { asDetached } from '../../model/detached.ts'
import { atOnce, type Steps } from '../../model/steps.ts'
import type { FieldReading } from './field-reading.ts'

/** Values and messages of more bytes are read in steps. */
export const LONG_BYTES: number = 16 * 1024

/** Thrown where a message takes too long to be read at once: the caller does these steps, and reads the message once more. */
export class Unread extends Error {
  override readonly name = 'Unread'
  /** Before the message is read on. They throw as decoders do. */
  readonly steps: Steps<void>

  constructor(steps: Steps<void>) {
    super('a long message is to be read in steps')
    this.steps = steps
  }
}

/** A message that is read to the field that begins at `at`. */
export interface BegunMessage<Reading> {
  readonly reading: Reading
  at: number
  /** All fields are read, and the work behind them has begun. */
  isSettled: boolean
}

/** The parts of one message that were read in steps, by the place where each begins, for the next time that the message is read. */
export class LongValues {
  readonly #values = new Map<number, unknown>()
  readonly #begun = new Map<number, BegunMessage<unknown>>()

  /** Throws Unread. `decode` gets bytes of its own. */
  value<Value>(at: number, bytes: Buffer, decode: (bytes: Buffer) => Steps<Value>): Value {
    if (bytes.length <= LONG_BYTES) return atOnce(decode(bytes))
    if (!this.#values.has(at)) throw new Unread(this.#decoded(at, decode(Buffer.from(bytes))))
    return this.#values.get(at) as Value
  }

  *#decoded(at: number, steps: Steps<unknown>): Steps<void> {
    this.#values.set(at, yield* asDetached(yield* steps))
  }

  /** The message that begins at `at`. */
  begun<Reading extends FieldReading>(at: number, make: () => Reading): BegunMessage<Reading> {
    const known = this.#begun.get(at) as BegunMessage<Reading> | undefined
    if (known !== undefined) return known
    const begun = { reading: make(), at, isSettled: false }
    this.#begun.set(at, begun)
    return begun
  }
}
