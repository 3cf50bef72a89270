/** The user of a call with the groups of the user, by the names that permissions have. */

import { GROUP_PREFIX } from '../../../../model/permission.ts'

export interface Subject {
  /** The name of the user; undefined: a client without a login, which has no permissions of its own. */
  readonly user: string | undefined
  /** The name of the user and those of the groups, which begin with `@`. */
  readonly names: readonly string[]
  readonly isSuperuser: boolean
}

export const SERVER: Subject = { user: 'Tidegate', names: [], isSuperuser: true }
const NO_USER: Subject = { user: undefined, names: [], isSuperuser: false }

/** The groups of each user, by the name of the user. */
export type Memberships = ReadonlyMap<string, readonly string[]>

/** Users that are remembered. Clients of native RPC may name any. */
const KNOWN_MAX = 10_000

export class Subjects {
  readonly superusers: readonly string[]
  readonly #supers: ReadonlySet<string>
  #memberships: Memberships
  readonly #known = new Map<string, Subject>()

  /** `superusers`: names of users, and of groups with an `@` before them. */
  constructor(superusers: readonly string[], memberships: Memberships) {
    this.superusers = superusers
    this.#supers = new Set(superusers)
    this.#memberships = memberships
  }

  /** Replaces the members of the groups. */
  regroup(memberships: Memberships): void {
    this.#memberships = memberships
    this.#known.clear()
  }

  groupsOf(user: string): readonly string[] {
    return this.#memberships.get(user) ?? []
  }

  of(user: string | undefined): Subject {
    if (user === undefined) return NO_USER
    const known = this.#known.get(user)
    if (known !== undefined) return known
    const groups = this.groupsOf(user)
    // A user with a name like a group's does not have the permissions of that group.
    const own = user.startsWith(GROUP_PREFIX) ? [] : [user]
    const names = [...own, ...groups.map((group) => GROUP_PREFIX + group)]
    const subject = { user, names, isSuperuser: names.some((name) => this.#supers.has(name)) }
    if (this.#known.size >= KNOWN_MAX) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(user, subject)
    return subject
  }
}
