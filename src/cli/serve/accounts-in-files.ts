/** The users and groups that the server's files name, for the console's page of users. No passwords and no keys. */

import type { ConsoleAccounts } from '../../doors/web/status/server-facts.ts'
import type { GuardSettings } from '../../gateway/identity/guard/guard.ts'
import { readUsers } from '../../gateway/identity/guard/passwords/users-file.ts'
import { readGroups } from '../../gateway/policies/access/permissions/groups-file.ts'
import type { AuthorizationSettings } from '../../gateway/policies/authorization.ts'
import { messageOf } from '../../model/message-of.ts'

/** Files that cannot be read are named in `troubles`. */
export function accountsInFiles(
  guard: GuardSettings | undefined,
  authorization: AuthorizationSettings | undefined,
): ConsoleAccounts {
  const troubles: string[] = []
  const read = <Content>(work: () => Content, otherwise: Content): Content => {
    try {
      return work()
    } catch (error) {
      troubles.push(messageOf(error))
      return otherwise
    }
  }
  const usersPath = guard?.users
  const users = usersPath === undefined ? undefined : read(() => [...readUsers(usersPath).keys()], [])
  const groupsPath = authorization?.groups
  const memberships = groupsPath === undefined ? [] : read(() => [...readGroups(groupsPath)], [])
  return {
    logins: guard && loginsOf(guard),
    users,
    memberships: memberships.map(([user, groups]) => ({ user, groups })),
    superusers: authorization?.superusers ?? [],
    troubles,
  }
}

function loginsOf({ users, tokens, certificates, kerberos }: GuardSettings): string[] {
  const ways = [
    users !== undefined && 'passwords',
    tokens !== undefined && 'tokens (JWT)',
    certificates && 'certificates',
    kerberos !== undefined && 'Kerberos',
  ]
  return ways.filter((way) => way !== false)
}
