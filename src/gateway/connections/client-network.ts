/** The part of an address by which clients are counted.*/

import { isIPv6 } from 'node:net'
import { plainAddress } from './address-set.ts'

const GROUPS = 8
/** The first groups of an IPv4 address that is written as one of IPv6. */
const MAPPED = ['0', '0', '0', '0', '0', 'ffff']
/** A client with an IPv6 address has the whole /64: providers give no less (RFC 6177), and the client chooses the rest. */
const NETWORK_GROUPS = 4

/** An IPv4 address as it is, the first 64 bits of an IPv6 address, and any other text as it is. */
export function clientNetwork(address: string): string {
  const plain = plainAddress(address)
  const [bare = '', zone] = plain.split('%')
  if (!isIPv6(bare)) return plain
  const groups = groupsOf(bare)
  if (groups.slice(0, MAPPED.length).join(':') === MAPPED.join(':')) return mappedAddress(groups)
  const network = groups.slice(0, NETWORK_GROUPS).join(':')
  return zone === undefined ? `${network}::/64` : `${network}::/64%${zone}`
}

function mappedAddress(groups: readonly string[]): string {
  const numbers = groups.slice(MAPPED.length).map((group) => Number.parseInt(group, 16))
  return numbers.flatMap((number) => [number >> 8, number & 0xff]).join('.')
}

/** The eight groups of the address without leading zeros. An IPv4 address at the end counts as two. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = groupsIn(head)
  if (tail === undefined) return before
  const after = groupsIn(tail)
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after]
}

function groupsIn(text: string): string[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16).toString(16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
  })
}
