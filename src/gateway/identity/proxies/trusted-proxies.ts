/**
 * Proxies that are trusted to name the client of a request. Any client can send the headers X-Forwarded-For and X-Forwarded-Proto: they count
 * only on connections of these proxies.
 */

import type { RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { AddressSet, plainAddress } from '../../connections/address-set.ts'
import { ConnectionOrigin } from '../../connections/connection-origin.ts'
import type { HttpRequest } from '../../connections/http-request.ts'
import { noteForwarded } from './request-origin.ts'

const SHOWN_MAX = 60

export class TrustedProxies {
  readonly #addresses: AddressSet

  /** `addresses`: IP addresses, and ranges such as 10.0.0.0/8. */
  constructor(addresses: readonly string[]) {
    this.#addresses = new AddressSet(addresses)
  }

  /** The listener, before which the origin of each request is noted. `refused`: called for a request with unreadable headers. */
  before(listener: RequestListener, refused: () => void): RequestListener {
    return (incoming, outgoing) => {
      const reason = this.note(incoming)
      if (reason === undefined) {
        listener(incoming, outgoing)
        return
      }
      refused()
      outgoing.writeHead(400, { 'content-type': 'text/plain', connection: 'close' }).end(`${reason}\n`)
    }
  }

  /** Notes the origin. Returns a reason to refuse the request where the headers are unreadable: the client cannot be guessed. */
  note(incoming: HttpRequest): string | undefined {
    const proxy = plainAddress(ConnectionOrigin.of(incoming.socket).address ?? '')
    if (!this.#addresses.has(proxy)) return undefined
    // Node joins headers of one name with commas.
    const { 'x-forwarded-for': chain, 'x-forwarded-proto': scheme } = incoming.headers
    const isEncrypted = scheme === undefined ? undefined : encryptionOf(String(scheme))
    if (scheme !== undefined && isEncrypted === undefined)
      return `X-Forwarded-Proto of the proxy ${proxy} is not http and not https: ${shown(String(scheme))}`
    const address = chain === undefined ? proxy : this.#client(String(chain))
    if (address === undefined)
      return `X-Forwarded-For of the proxy ${proxy} has a client that is no address: ${shown(String(chain))}`
    noteForwarded(incoming, { address, isEncrypted, proxy })
    return undefined
  }

  /**
   * The last address that is not a trusted proxy's; where all are, the first. Each proxy appends its client; the addresses before that
   * may be the client's own invention. Undefined where an address from there on is malformed.
   */
  #client(chain: string): string | undefined {
    let end = chain.length
    for (;;) {
      const comma = chain.lastIndexOf(',', end - 1)
      const address = addressOf(chain.slice(comma + 1, end).trim())
      if (address === undefined || comma < 0 || !this.#addresses.has(address)) return address
      end = comma
    }
  }
}

/** The address in one element of the header. Some proxies append the client's port: 10.0.0.1:4711, [fd00::1]:4711. */
function addressOf(text: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|(\d+\.[\d.]+))(?::\d{1,5})?$/.exec(text) ?? []
  const address = plainAddress(bracketed ?? plain ?? text)
  return isIP(address) === 0 || address.includes('%') ? undefined : address
}

function encryptionOf(scheme: string): boolean | undefined {
  const word = scheme.toLowerCase()
  return word === 'https' || (word === 'http' ? false : undefined)
}

function shown(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text
}
