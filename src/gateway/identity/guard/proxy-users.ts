/** Rules for users who act for others, by user and address. Hadoop: ProxyUsers, DefaultImpersonationProvider, MachineList. */

import { lookup } from 'node:dns/promises'
import { HBaseError } from '../../../model/errors.ts'
import { AddressSet, isAddressOrRange, plainAddress } from '../../connections/address-set.ts'
import type { LoginPlace } from './login-place.ts'

/** The rule of one user who may act for others. Each list may be `*`: all. */
export interface ProxyRule {
  readonly users: readonly string[]
  readonly groups: readonly string[]
  /** Addresses, ranges such as 10.0.0.0/8, and host names. */
  readonly hosts: readonly string[]
}

/** The rules by the name of the acting user. */
export type ProxyRules = ReadonlyMap<string, ProxyRule>

/** The groups that a user is in. */
export type GroupsOf = (user: string) => readonly string[]

const ALL = '*'
const NO_GROUPS: GroupsOf = () => []

interface Hosts {
  readonly areAll: boolean
  readonly addresses: AddressSet
  readonly names: readonly string[]
}

export class ProxyUsers {
  readonly #rules: ProxyRules
  readonly #hosts: ReadonlyMap<string, Hosts>
  readonly #groupsOf: GroupsOf

  constructor(rules: ProxyRules, groupsOf: GroupsOf = NO_GROUPS) {
    this.#rules = rules
    this.#groupsOf = groupsOf
    this.#hosts = new Map([...rules].map(([user, { hosts }]) => [user, hostsOf(hosts)]))
  }

  /**
   * Throws ACCESS_DENIED where `real` may not act for `user` from that place, and ILLEGAL_ARGUMENT for an empty name. Behind a trusted proxy,
   * a rule may name the address of the client or of the proxy: either may be the acting user.
   */
  async check(
    real: string,
    user: string,
    { address, via }: Pick<LoginPlace, 'address' | 'via'>,
  ): Promise<void> {
    if (user === '') throw new HBaseError('ILLEGAL_ARGUMENT', 'Null user')
    const rule = this.#rules.get(real)
    if (rule === undefined || !this.#names(rule, user))
      throw new HBaseError('ACCESS_DENIED', `User: ${real} is not allowed to impersonate ${user}`)
    const hosts = this.#hosts.get(real)!
    if ((await includes(hosts, address)) || (via !== undefined && (await includes(hosts, via)))) return
    const reason = `Unauthorized connection for super-user: ${real} from IP ${address}`
    throw new HBaseError('ACCESS_DENIED', reason)
  }

  #names({ users, groups }: ProxyRule, user: string): boolean {
    if ([...users, ...groups].includes(ALL) || users.includes(user)) return true
    return groups.length > 0 && this.#groupsOf(user).some((group) => groups.includes(group))
  }
}

function hostsOf(hosts: readonly string[]): Hosts {
  return {
    areAll: hosts.includes(ALL),
    addresses: new AddressSet(hosts.filter(isAddressOrRange)),
    names: hosts.filter((host) => host !== ALL && !isAddressOrRange(host)),
  }
}

/** Whether a rule may have the text: an address, a range of addresses, or a host name. */
export function isHost(text: string): boolean {
  return text === ALL || isAddressOrRange(text) || /^[\w.:-]+$/.test(text)
}

async function includes({ areAll, addresses, names }: Hosts, client: string): Promise<boolean> {
  if (areAll) return true
  const address = plainAddress(client)
  if (addresses.has(address)) return true
  const found = await Promise.all(names.map(addressesOf))
  return found.flat().includes(address)
}

/** The addresses of a host name; none where it cannot be resolved now. */
async function addressesOf(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}
