import { isIP, isIPv4 } from 'node:net'
import { InvalidArgumentError } from 'commander'

const HOST_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?\.?$/
/** A last label like this is a part of an IPv4 address for the system: `0` is every interface, `127.1` is loopback. */
const NUMBER = /^(?:\d+|0[xX][0-9A-Fa-f]*)$/

/** The address for doors to bind. Throws InvalidArgumentError: an empty one would bind every interface. */
export function parseHost(text: string): string {
  if (isIP(text) !== 0) return text
  const lastLabel = text.replace(/\.$/, '').split('.').at(-1) ?? ''
  const isName = HOST_NAME.test(text) && text.length <= 253
  if (isName && (!NUMBER.test(lastLabel) || isIPv4(text))) return text
  throw new InvalidArgumentError(
    'It must be an IP address or a host name, without a port or brackets; 0.0.0.0 binds every IPv4 address, :: every address.',
  )
}

/** The host as in a URL: an IPv6 address in brackets. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
