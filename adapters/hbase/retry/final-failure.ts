import type { HBaseError } from '../../../src/model/errors.ts'

/**
 * What this store does not try again, though its code says that an attempt may succeed later: a request of a region that
 * is not there (any more). The client has to look at the catalog before its next attempt.
 */
export class FinalFailure extends Error {
  override readonly name = 'FinalFailure'
  readonly error: HBaseError

  constructor(error: HBaseError) {
    super(error.message, { cause: error })
    this.error = error
  }
}
