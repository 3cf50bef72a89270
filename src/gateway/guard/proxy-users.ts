/** Who may act for whom, and from where. Hadoop: ProxyUsers, DefaultImpersonationProvider, MachineList. */

import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { HBaseError } from '../../model/errors.ts'

/** Of one user who may act for others. Each list may be `*`: all. */
export interface ProxyRule {
  readonly users: readonly string[]
  readonly groups: readonly string[]
  /** Addresses, ranges as 10.0.0.0/8, and names of machines. */
  readonly hosts: readonly string[]
}

/** By user. */
export type ProxyRules = ReadonlyMap<string, ProxyRule>

/** The groups that a user is in. */
export type GroupsOf = (user: string) => readonly string[]

const ALL = '*'
const NO_GROUPS: GroupsOf = () => []

interface Hosts {
  readonly areAll: boolean
  readonly addresses: BlockList
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

  /** Throws ACCESS_DENIED where `real` may not act for `user` from that address, and ILLEGAL_ARGUMENT for nobody. */
  async check(real: string, user: string, address: string): Promise<void> {
    if (user === '') throw new HBaseError('ILLEGAL_ARGUMENT', 'Null user')
    const rule = this.#rules.get(real)
    if (rule === undefined || !this.#names(rule, user))
      throw new HBaseError('ACCESS_DENIED', `User: ${real} is not allowed to impersonate ${user}`)
    if (!(await includes(this.#hosts.get(real)!, address))) {
      const reason = `Unauthorized connection for super-user: ${real} from IP ${address}`
      throw new HBaseError('ACCESS_DENIED', reason)
    }
  }

  #names({ users, groups }: ProxyRule, user: string): boolean {
    if ([...users, ...groups].includes(ALL) || users.includes(user)) return true
    return groups.length > 0 && this.#groupsOf(user).some((group) => groups.includes(group))
  }
}

function hostsOf(hosts: readonly string[]): Hosts {
  const addresses = new BlockList()
  const names: string[] = []
  for (const host of hosts) {
    const [address = '', bits] = host.split('/')
    const family = familyOf(address)
    if (family === undefined) names.push(host)
    else if (bits === undefined) addresses.addAddress(address, family)
    else addresses.addSubnet(address, Number(bits), family)
  }
  return { areAll: hosts.includes(ALL), addresses, names }
}

/** Whether the text may stand in a rule: an address, a range of them, or a name of a machine. */
export function isHost(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  if (bits === undefined) return text === ALL || /^[\w.:-]+$/.test(text)
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
}

async function includes({ areAll, addresses, names }: Hosts, client: string): Promise<boolean> {
  if (areAll) return true
  const address = plain(client)
  const family = familyOf(address)
  if (family === undefined) return false
  if (addresses.check(address, family)) return true
  const found = await Promise.all(names.map(addressesOf))
  return found.flat().includes(address)
}

/** A name that nobody knows now has no addresses. */
async function addressesOf(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

/** An IPv4 address as a socket for both families tells it. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const family = isIP(address)
  if (family === 0) return undefined
  return family === 4 ? 'ipv4' : 'ipv6'
}
