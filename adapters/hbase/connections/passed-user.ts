/** The user name of a call that the cluster's servers get, so that their AccessController decides by it. */

import { HBaseError } from '../../../src/model/errors.ts'
import type { Call } from '../../../src/store/call.ts'

export interface UserPassing {
  /**
   * `caller`: the servers get the user's name alone and trust it. `proxy`: they also get the name of Tidegate's own user, and need a rule
   * that lets it act for others. HBase: hadoop.proxyuser.USER.hosts, .users and .groups.
   */
  readonly as: 'caller' | 'proxy'
  /** The most connections of passed users, to all servers together. */
  readonly connectionsMax: number
}

export const PASSED_CONNECTIONS_MAX = 1_000

/** The user to pass on; undefined: Tidegate's own. Throws ACCESS_DENIED for a call whose user cannot be passed on. */
export function passedUser(passing: UserPassing | undefined, call: Call): string | undefined {
  if (passing === undefined || call.isOwn) return undefined
  const user = call.principal?.user
  if (user === undefined || user === '')
    throw new HBaseError(
      'ACCESS_DENIED',
      'The cluster needs the name of a user, and the client has sent none',
    )
  // HBase takes such a name for a Kerberos principal, and may shorten it to another user's name.
  if (/[/@]/.test(user))
    throw new HBaseError(
      'ACCESS_DENIED',
      `The user ${user} cannot be passed on to the cluster: "/" and "@" have a meaning in HBase's names`,
    )
  return user
}
