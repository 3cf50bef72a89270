import { HBaseError, isHBaseError } from '../../../model/errors.ts'

/** Characters of failures in one answer that are told in full. */
const REPORTED_MAX = 1024 * 1024
const ABBREVIATED = 'as others of this call, which are told in full'

/**
 * The failures of one call's parts. A few bytes of a request may fail with a description of the whole table, and there may be
 * a hundred thousand of them: beyond some text each has its class and no reason of its own.
 */
export class SharedFailures {
  #left = REPORTED_MAX
  /** Failures that stand for the others, by their Java class. */
  readonly #unreported = new Map<string, HBaseError>()

  told(error: unknown): unknown {
    if (!isHBaseError(error)) return error
    const { code, javaClass, message } = error
    if (this.#left <= 0) {
      const known = this.#unreported.get(javaClass) ?? new HBaseError(code, ABBREVIATED, { javaClass })
      this.#unreported.set(javaClass, known)
      return known
    }
    this.#left -= message.length
    return error
  }
}
