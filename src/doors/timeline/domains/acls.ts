/** Checks access by YARN's access control lists. */

import type { Call } from '../../../store/call.ts'
import type { StoredDomain } from './domain.ts'
import type { DomainTables } from './domain-tables.ts'

export interface AclSettings {
  /** YARN: yarn.acl.enable. */
  readonly enabled: boolean
  /** YARN: yarn.admin.acl, the users who may do everything. */
  readonly admins: string
}

/** A user name; undefined: the client named no user. */
export type User = string | undefined

/** True where a list like `user1,user2 group1` or `*` includes the user. Tidegate does not know groups and ignores them. */
export function isListed(list: string | undefined, user: string): boolean {
  if (list === undefined) return false
  if (list.trim() === '*') return true
  const [users = ''] = list.split(' ', 1)
  return users.split(',').some((name) => name.trim() === user || name.trim() === '*')
}

export class Acls {
  readonly #settings: AclSettings
  readonly #domains: DomainTables

  constructor(settings: AclSettings, domains: DomainTables) {
    this.#settings = settings
    this.#domains = domains
  }

  /** True where the user may see entities of the domain (`readers`) or put entities into it (`writers`). */
  async allows(user: User, access: 'readers' | 'writers', domainId: string, call: Call): Promise<boolean> {
    if (!this.#settings.enabled) return true
    if (user === undefined) return false
    const domain = await this.#domains.get(domainId, call)
    if (domain === undefined) return false
    return this.owns(user, domain) || isListed(domain[access], user)
  }

  /** True where the user may see and change the domain itself. */
  owns(user: User, domain: StoredDomain): boolean {
    if (!this.#settings.enabled) return true
    if (user === undefined) return false
    return domain.owner === user || isListed(this.#settings.admins, user)
  }
}
