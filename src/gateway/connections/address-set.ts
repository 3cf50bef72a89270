/** A set of IP addresses, and of ranges of addresses. */

import { BlockList, isIP } from 'node:net'

export class AddressSet {
  readonly #addresses = new BlockList()

  /** Throws RangeError for a text that is neither: see isAddressOrRange. */
  constructor(texts: readonly string[]) {
    for (const text of texts) {
      if (!isAddressOrRange(text)) throw new RangeError(`${text} is no address and no range of them`)
      const [address = '', bits] = text.split('/')
      const family = familyOf(address)!
      if (bits === undefined) this.#addresses.addAddress(address, family)
      else this.#addresses.addSubnet(address, Number(bits), family)
    }
  }

  /** `address`: as plainAddress returns it. */
  has(address: string): boolean {
    const family = familyOf(address)
    return family !== undefined && this.#addresses.check(address, family)
  }
}

/** True for texts such as 10.0.0.1, fd00::1 and 10.0.0.0/8. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = familyOf(address)
  if (family === undefined || bits === undefined) return family !== undefined
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv4' ? 32 : 128)
}

/** The address, with an IPv4 address that is written as one of IPv6 (`::ffff:10.0.0.1`) in its own form. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Undefined for other texts, and for addresses with a zone (fe80::1%eth0), which are valid on one machine only. */
function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 0) return undefined
  return family === 4 ? 'ipv4' : 'ipv6'
}
