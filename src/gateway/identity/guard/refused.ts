import { HBaseError } from '../../../model/errors.ts'

/** A client that has not shown who it is. What it hears does not tell whether the user or the password is wrong. */
export class Refused extends HBaseError {
  constructor(reason: string, cause?: unknown) {
    super('ACCESS_DENIED', reason, { cause })
  }
}
