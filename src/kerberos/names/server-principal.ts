/** Principals of servers that settings state with `_HOST` for the host. Hadoop: SecurityUtil. */

import { lookup, lookupService } from 'node:dns/promises'
import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** The part of a setting that stands for the host of each server. */
const HOST_PATTERN = '_HOST'

/** Hadoop: SecurityUtil. Splits where a principal has a separator, as it does not know of escapes. */
function partsOf(pattern: string): readonly string[] {
  return pattern.split(/[/@]/)
}

/** Whether a principal names each server by its own host: `hbase/_HOST@REALM`. */
export function hasHostPattern(principal: string): boolean {
  const parts = partsOf(principal)
  return parts.length === 3 && parts[1] === HOST_PATTERN
}

/** `hbase/_HOST@REALM` for a host, whose name is put in in lower case. Any other principal is answered as it is. */
export function serverPrincipal(pattern: string, host: string): string {
  if (!hasHostPattern(pattern)) return pattern
  const [service, , realm] = partsOf(pattern)
  return `${service}/${host.toLowerCase()}@${realm}`
}

/** Asks the system's resolver; tests bring their own. */
export interface HostNames {
  /** The addresses of a name, at least one. */
  addressesOf(name: string): Promise<readonly string[]>
  /** The name of an address. */
  nameOf(address: string): Promise<string>
  /** The name of this machine. */
  own(): string
}

const SYSTEM_NAMES: HostNames = {
  addressesOf: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  nameOf: async (address) => (await lookupService(address, 0)).hostname,
  own: hostname,
}

/**
 * The name that a server's principal has for a host: that of its address, as Java's InetAddress.getCanonicalHostName. The name itself where its
 * address has none, or the name of another address. Empty and 0.0.0.0: this machine.
 */
export async function canonicalHost(host: string, names: HostNames = SYSTEM_NAMES): Promise<string> {
  const asked = host === '' || host === '0.0.0.0' || host === '::' ? names.own() : host
  try {
    const [address = asked] = isIP(asked) === 0 ? await names.addressesOf(asked) : [asked]
    const name = await names.nameOf(address)
    // The owner of an address can give it any name, but not each name this address.
    const isOwn = isIP(name) === 0 && (await names.addressesOf(name)).includes(address)
    return (isOwn ? name : asked).toLowerCase()
  } catch {
    return asked.toLowerCase()
  }
}
