import type { HBaseError } from '../../../src/model/errors.ts'

/**
 * A failure that this store does not retry although its code is retryable: the request names a region that does not exist
 * (any more). The client has to read the catalog before its next attempt.
 */
export class FinalFailure extends Error {
  override readonly name = 'FinalFailure'
  readonly error: HBaseError

  constructor(error: HBaseError) {
    super(error.message, { cause: error })
    this.error = error
  }
}
