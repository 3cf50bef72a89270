/** Tickets of Kerberos without a KDC, for tests of the doors: each counts once, and names its principal. */

import type { KerberosLogins, KerberosPlace } from '../../src/gateway/identity/guard/kerberos-logins.ts'
import { Refused } from '../../src/gateway/identity/guard/login-errors.ts'
import { type KerberosService, type Negotiated, UnfinishedNegotiation } from '../../src/kerberos/kerberos.ts'
import { type ErrorCode, HBaseError } from '../../src/model/errors.ts'
import { SaslFailure, type SaslServer } from '../../src/wire/sasl/sasl.ts'

/** A token that is the first of several. */
export const UNFINISHED = 'the first of two'

const TICKET = /^ticket (\d+) of (\S+)$/
let tickets = 0

export function ticketToken(principal: string): Buffer {
  tickets++
  return Buffer.from(`ticket ${tickets} of ${principal}`)
}

/** The header Authorization with a new ticket. */
export function ticket(principal: string): string {
  return `Negotiate ${ticketToken(principal).toString('base64')}`
}

export class FakeTickets implements KerberosLogins {
  /** The number of tickets that were looked at. */
  seen = 0
  readonly #places: ReadonlySet<KerberosPlace>
  readonly #taken = new Set<string>()
  readonly #service: KerberosService = {
    saslServer: (): SaslServer => {
      throw new Error('this test has no SASL')
    },
    negotiate: (token) => this.#negotiated(token),
    close: () => undefined,
  }

  constructor(places: readonly KerberosPlace[] = ['rest', 'thrift-http', 'web', 'timeline']) {
    this.#places = new Set(places)
  }

  serviceAt(place: KerberosPlace): KerberosService | undefined {
    return this.#places.has(place) ? this.#service : undefined
  }

  protectionsAt(): [] {
    return []
  }

  /** The part before the realm, of principals of EXAMPLE.ORG. */
  userOf(principal: string): string {
    const [, user] = /^([^/@]+)(?:\/[^@]+)?@EXAMPLE\.ORG$/.exec(principal) ?? []
    if (user === undefined)
      throw new Refused(`no rule of hadoop.security.auth_to_local names a user for ${principal}`)
    return user
  }

  async #negotiated(token: Buffer): Promise<Negotiated> {
    this.seen++
    const text = token.toString('latin1')
    if (text === UNFINISHED) throw new UnfinishedNegotiation()
    const [, number, principal] = TICKET.exec(text) ?? []
    if (number === undefined || principal === undefined) throw new SaslFailure('the ticket is damaged')
    if (this.#taken.has(number)) throw new SaslFailure('the ticket was shown before: a replay')
    this.#taken.add(number)
    return { principal, token: Buffer.from(`answer ${number}`) }
  }
}

/** Tickets that Kerberos does not look at, since too many wait. */
export class BusyTickets extends FakeTickets {
  readonly #code: ErrorCode

  constructor(code: ErrorCode) {
    super()
    this.#code = code
  }

  override serviceAt(place: KerberosPlace): KerberosService | undefined {
    const service = super.serviceAt(place)
    const negotiate = (): Promise<Negotiated> =>
      Promise.reject(new HBaseError(this.#code, '1024 logins by Kerberos wait: try again'))
    return service && { ...service, negotiate }
  }
}
