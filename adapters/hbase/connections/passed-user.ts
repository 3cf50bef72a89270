/** The user that the cluster's servers are told for a call, so that their AccessController decides by him. */

import { HBaseError } from '../../../src/model/errors.ts'
import type { Call } from '../../../src/store/call.ts'

export interface UserPassing {
  /**
   * `caller`: the servers are told the user alone, and believe it. `proxy`: they are told Tidegate's own user, too, and need a rule
   * that lets it act for others. HBase: hadoop.proxyuser.USER.hosts, .users and .groups.
   */
  readonly as: 'caller' | 'proxy'
  /** Connections of passed users, to all servers. */
  readonly connectionsMax: number
}

export const PASSED_CONNECTIONS_MAX = 1_000

/** Undefined: Tidegate's own user. Throws ACCESS_DENIED for a call whose user cannot be passed on. */
export function passedUser(passing: UserPassing | undefined, call: Call): string | undefined {
  if (passing === undefined || call.isOwn) return undefined
  const user = call.principal?.user
  if (user === undefined || user === '')
    throw new HBaseError('ACCESS_DENIED', 'The cluster has to be told a user, and the client has named none')
  // HBase takes such a name for one of Kerberos, and may cut it short to the name of somebody else.
  if (/[/@]/.test(user))
    throw new HBaseError(
      'ACCESS_DENIED',
      `The user ${user} cannot be passed on to the cluster: "/" and "@" have a meaning in HBase's names`,
    )
  return user
}
