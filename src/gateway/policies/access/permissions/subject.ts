/** Who asks, as permissions name him: a user and the groups that he is in. */

import { GROUP_PREFIX } from '../../../../model/permission.ts'

export interface Subject {
  /** Undefined: somebody without a name, who has no permission of his own. */
  readonly user: string | undefined
  /** His own name and those of his groups, each of these behind an `@`. */
  readonly names: readonly string[]
  readonly isSuperuser: boolean
}

export const SERVER: Subject = { user: 'Tidegate', names: [], isSuperuser: true }
const NOBODY: Subject = { user: undefined, names: [], isSuperuser: false }

/** By user, the groups that he is in. */
export type Memberships = ReadonlyMap<string, readonly string[]>

/** The most users that are remembered: a client of native RPC may name any. */
const KNOWN_MAX = 10_000

export class Subjects {
  readonly superusers: readonly string[]
  readonly #supers: ReadonlySet<string>
  #memberships: Memberships
  readonly #known = new Map<string, Subject>()

  /** `superusers`: users, and groups behind an `@`. */
  constructor(superusers: readonly string[], memberships: Memberships) {
    this.superusers = superusers
    this.#supers = new Set(superusers)
    this.#memberships = memberships
  }

  /** From now on the groups have other members. */
  regroup(memberships: Memberships): void {
    this.#memberships = memberships
    this.#known.clear()
  }

  groupsOf(user: string): readonly string[] {
    return this.#memberships.get(user) ?? []
  }

  of(user: string | undefined): Subject {
    if (user === undefined) return NOBODY
    const known = this.#known.get(user)
    if (known !== undefined) return known
    const groups = this.groupsOf(user)
    // A name that looks like a group's is none of its.
    const own = user.startsWith(GROUP_PREFIX) ? [] : [user]
    const names = [...own, ...groups.map((group) => GROUP_PREFIX + group)]
    const subject = { user, names, isSuperuser: names.some((name) => this.#supers.has(name)) }
    if (this.#known.size >= KNOWN_MAX) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(user, subject)
    return subject
  }
}
