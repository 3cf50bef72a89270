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

  told(error: unknown): unknown {
    if (!isHBaseError(error)) return error
    if (this.#left <= 0) return new HBaseError(error.code, UNTOLD, { javaClass: error.javaClass })
    this.#left -= error.message.length
    return error
  }
}
