import { HBaseError, isHBaseError } from '../../../model/errors.ts'

/** Characters of failures in one answer that are told in full. */
const TOLD_MAX = 1024 * 1024
const UNTOLD = 'as others of this call, which are told in full'

/**
 * The failures of one call's parts. A few bytes of a request may fail with a description of the whole table, and there may be
 * a hundred thousand of them: beyond some text each has its class and no reason of its own.
 */
export class ToldFailures {
  #left = TOLD_MAX
  /** Failures that stand for the others, by their Java class. */
  readonly #untold = new Map<string, HBaseError>()

  told(error: unknown): unknown {
    if (!isHBaseError(error)) return error
    const { code, javaClass, message } = error
    if (this.#left <= 0) {
      const known = this.#untold.get(javaClass) ?? new HBaseError(code, UNTOLD, { javaClass })
      this.#untold.set(javaClass, known)
      return known
    }
    this.#left -= message.length
    return error
  }
}
