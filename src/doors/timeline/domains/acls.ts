/** Who may see and change what, by YARN's access control lists. */

import type { Call } from '../../../store/call.ts'
import type { StoredDomain } from './domain.ts'
import type { DomainTables } from './domain-tables.ts'

export interface AclSettings {
  /** YARN: yarn.acl.enable. */
  readonly enabled: boolean
  /** YARN: yarn.admin.acl, of users who may do everything. */
  readonly admins: string
}

/** A user; undefined: nobody has said who asks. */
export type User = string | undefined

/** Whether a list like `user1,user2 group1` or `*` names the user. Groups are known to nobody here, so none counts. */
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

  /** Whether the user may see entities of the domain (`readers`) or put them there (`writers`). */
  async allows(user: User, access: 'readers' | 'writers', domainId: string, call: Call): Promise<boolean> {
    if (!this.#settings.enabled) return true
    if (user === undefined) return false
    const domain = await this.#domains.get(domainId, call)
    if (domain === undefined) return false
    return this.owns(user, domain) || isListed(domain[access], user)
  }

  /** Whether the user may see and change the domain itself. */
  owns(user: User, domain: StoredDomain): boolean {
    if (!this.#settings.enabled) return true
    if (user === undefined) return false
    return domain.owner === user || isListed(this.#settings.admins, user)
  }
}
