/** Errors of clients that want to log in. */

import { HBaseError } from '../../../model/errors.ts'

/** The client has not shown who it is. The message does not say whether the user or the password is wrong. */
export class Refused extends HBaseError {
  constructor(reason: string, cause?: unknown) {
    super('ACCESS_DENIED', reason, { cause })
  }
}

/** The request names several users where one is allowed. */
export class UnclearLogin extends HBaseError {
  constructor(reason: string) {
    super('ILLEGAL_ARGUMENT', reason)
  }
}

/** A page of another site has sent the request through a user's browser, which added the user's login. */
export class ForeignPage extends HBaseError {
  constructor(reason: string) {
    super('ACCESS_DENIED', reason)
  }
}

/** The client has shown a ticket of Kerberos that does not count here. A request for another login would not help it. */
export class DeniedLogin extends HBaseError {
  constructor(reason: string, cause?: unknown) {
    super('ACCESS_DENIED', reason, { cause })
  }
}

/** The refusal of a login that is not looked at, since too many have failed. */
export function tooManyFailures(waitMs: number): HBaseError {
  return new HBaseError('THROTTLED', `too many failed logins: try again in ${Math.ceil(waitMs / 1000)} s`)
}
