import { HBaseError, isHBaseError } from '../../../model/errors.ts'

/** Characters of messages in one answer that are sent in full. */
const REPORTED_MAX = 1024 * 1024
const ABBREVIATED = 'as for other actions of this call, whose reasons are sent in full'

/**
 * Bounds the failures in one answer. A few bytes of a request may fail with a description of the whole table, and a request may have a
 * hundred thousand such parts. Beyond 1 MiB of messages, each further failure has its class and no reason of its own.
 */
export class SharedFailures {
  #left = REPORTED_MAX
  /** Failures without a reason of their own, by their Java class. */
  readonly #abbreviated = new Map<string, HBaseError>()

  /** The failure as the answer has it. */
  bounded(error: unknown): unknown {
    if (!isHBaseError(error)) return error
    const { code, javaClass, message } = error
    if (this.#left <= 0) {
      const known = this.#abbreviated.get(javaClass) ?? new HBaseError(code, ABBREVIATED, { javaClass })
      this.#abbreviated.set(javaClass, known)
      return known
    }
    this.#left -= message.length
    return error
  }
}
