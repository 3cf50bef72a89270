import { asDetached } from '../../model/detached.ts'
import { atOnce, type Steps } from '../../model/steps.ts'

/** Values of more bytes are decoded in steps. */
export const LONG_BYTES: number = 16 * 1024

/** Thrown where a message has a value that must be decoded first: the caller does that, and reads the message once more. */
export class Unread extends Error {
  override readonly name = 'Unread'
  readonly #values: LongValues
  readonly #at: number
  readonly #steps: Steps<unknown>

  constructor(values: LongValues, at: number, steps: Steps<unknown>) {
    super('a long value is to be decoded in steps')
    this.#values = values
    this.#at = at
    this.#steps = steps
  }

  /** Decodes the value, which the next reading finds. Throws what its decoder throws. */
  *decode(): Steps<void> {
    const steps = this.#steps
    this.#values.put(this.#at, asDetached(yield* steps))
  }
}

/** The long values of one message that were decoded in steps, by the place where they begin. */
export class LongValues {
  readonly #values = new Map<number, unknown>()

  put(at: number, value: unknown): void {
    this.#values.set(at, value)
  }

  /** Throws Unread. `decode` gets bytes of its own. */
  value<Value>(at: number, bytes: Buffer, decode: (bytes: Buffer) => Steps<Value>): Value {
    if (bytes.length <= LONG_BYTES) return atOnce(decode(bytes))
    if (!this.#values.has(at)) throw new Unread(this, at, decode(Buffer.from(bytes)))
    return this.#values.get(at) as Value
  }
}
