/**
 * A Kerberos without a library and a KDC, for tests of the parts that use it: both sides of SASL GSSAPI in three steps, and a layer whose messages have
 * a number, a direction and a checksum. A client proves any principal that it names.
 */

import { crc32 } from 'node:zlib'
import type { KerberosLogins } from '../../src/gateway/identity/guard/kerberos-logins.ts'
import { Refused } from '../../src/gateway/identity/guard/login-errors.ts'
import type { KerberosLogin, KerberosService } from '../../src/kerberos/kerberos.ts'
import {
  PROTECTIONS,
  type Protection,
  type SaslExchange,
  SaslFailure,
  type SaslLayer,
  type SaslServer,
  type SaslStep,
} from '../../src/wire/sasl/sasl.ts'

/** Bytes that a layer adds to a message. */
export const FAKE_OVERHEAD = 9

export class FakeLayer implements SaslLayer {
  readonly protection: Exclude<Protection, 'authentication'>
  readonly messageBytesMax: number | undefined
  readonly #sends: number
  #sent = 0
  #received = 0

  /** `sends`: a byte for this side, 0 or 1. */
  constructor(
    protection: Exclude<Protection, 'authentication'>,
    sends: number,
    bytesMax: number | undefined,
  ) {
    this.protection = protection
    this.#sends = sends
    this.messageBytesMax = bytesMax === undefined ? undefined : bytesMax - FAKE_OVERHEAD
  }

  wrap(message: Buffer): Buffer {
    const token = Buffer.alloc(FAKE_OVERHEAD + message.length)
    token.writeInt32BE(this.#sent++, 0)
    token[4] = this.#sends
    message.copy(token, FAKE_OVERHEAD)
    if (this.protection === 'privacy') flip(token)
    token.writeUInt32BE(checksum(token), 5)
    return token
  }

  unwrap(token: Buffer): Buffer {
    if (token.length < FAKE_OVERHEAD || token.readUInt32BE(5) !== checksum(token))
      throw new SaslFailure('the checksum is wrong')
    if (token.readInt32BE(0) !== this.#received++ || token[4] === this.#sends)
      throw new SaslFailure('the message is out of order')
    const opened = Buffer.from(token)
    if (this.protection === 'privacy') flip(opened)
    return opened.subarray(FAKE_OVERHEAD)
  }
}

function flip(token: Buffer): void {
  for (let at = FAKE_OVERHEAD; at < token.length; at++) token[at]! ^= 0x5a
}

function checksum(token: Buffer): number {
  return crc32(token.subarray(FAKE_OVERHEAD), crc32(token.subarray(0, 5)))
}

/** The fields of the client's last message. */
export interface FakeClaim {
  readonly principal: string
  /** The name to act for; empty: none. */
  readonly authorized?: string
  readonly protection?: Protection
  /** The client's buffer in bytes. */
  readonly bytesMax?: number
}

class FakeServer implements SaslServer {
  authenticated = ''
  authorized = ''
  layer: SaslLayer | undefined
  readonly #protections: readonly Protection[]
  readonly #owner: FakeService
  #steps = 0

  constructor(owner: FakeService, protections: readonly Protection[]) {
    this.#owner = owner
    this.#protections = protections
    owner.open++
  }

  async step(token: Buffer): Promise<SaslStep> {
    this.#steps++
    this.#owner.asked++
    await this.#owner.pause?.()
    if (this.#steps === 1) {
      if (!token.subarray(0, 6).equals(Buffer.from('ticket')))
        throw new SaslFailure('the ticket is malformed')
      return { token: Buffer.from('server'), isDone: false }
    }
    if (this.#steps === 2) {
      if (token.length > 0) throw new SaslFailure('an empty message is expected')
      return { token: Buffer.from(this.#protections.join(',')), isDone: false }
    }
    const claim = JSON.parse(token.toString()) as FakeClaim
    const protection = claim.protection ?? 'authentication'
    if (!this.#owner.isLax && !this.#protections.includes(protection))
      throw new SaslFailure(`the client has chosen ${protection}`)
    this.authenticated = claim.principal
    this.authorized = claim.authorized ?? ''
    if (protection !== 'authentication')
      this.layer = this.#owner.layerOf(new FakeLayer(protection, 1, claim.bytesMax))
    return { token: undefined, isDone: true }
  }

  close(): void {
    this.#owner.open--
  }
}

export class FakeService implements KerberosService {
  /** Exchanges that are not closed. */
  open = 0
  /** Messages that were looked at. */
  asked = 0
  /** Each step waits for it. */
  pause: (() => Promise<void>) | undefined
  /** The layer of a login's server in place of the given one. */
  layerOf: (layer: SaslLayer) => SaslLayer = (layer) => layer
  /** True where the mechanism takes a protection that the server does not. */
  isLax = false

  saslServer(protections: readonly Protection[]): SaslServer {
    return new FakeServer(this, protections)
  }

  async negotiate(): Promise<never> {
    throw new SaslFailure('this Kerberos has no header')
  }

  close(): void {
    // Nothing is held.
  }
}

/** Logins by that service at each door. The user is the first part of a principal of the realm TEST. */
export function fakeLogins(service: FakeService, protections: readonly Protection[]): KerberosLogins {
  return {
    serviceAt: () => service,
    protectionsAt: () => protections,
    userOf: (principal) => {
      const user = /^([^/@]+)(?:\/[^@]+)?@TEST$/.exec(principal)?.[1]
      if (user === undefined) throw new Refused(`no rule names a user for the principal ${principal}`)
      return user
    },
  }
}

/** The client's side. */
export class FakeClient implements SaslExchange {
  layer: SaslLayer | undefined
  isClosed = false
  readonly #claim: FakeClaim
  readonly #ticketBytes: number
  readonly #wanted: readonly Protection[]
  #steps = 0

  /** `wanted`: the protections that the client takes. `ticketBytes`: length of its first message. */
  constructor(claim: FakeClaim, wanted: readonly Protection[] = PROTECTIONS, ticketBytes = 6) {
    this.#claim = claim
    this.#wanted = wanted
    this.#ticketBytes = ticketBytes
  }

  async step(token: Buffer): Promise<SaslStep> {
    this.#steps++
    if (this.#steps === 1) {
      const ticket = Buffer.alloc(this.#ticketBytes, 't')
      ticket.write('ticket')
      return { token: ticket, isDone: false }
    }
    if (this.#steps === 2) return { token: Buffer.alloc(0), isDone: false }
    const offered = token.toString().split(',')
    const protection = this.#claim.protection ?? this.#wanted.find((each) => offered.includes(each))
    if (protection === undefined) throw new SaslFailure(`the server takes ${token.toString()} alone`)
    if (protection !== 'authentication') this.layer = new FakeLayer(protection, 0, undefined)
    return { token: Buffer.from(JSON.stringify({ ...this.#claim, protection })), isDone: true }
  }

  close(): void {
    this.isClosed = true
  }
}

/** A login as that principal. `targets`: receives the servers that it logs in to. */
export function fakeLogin(principal: string, targets: string[] = []): KerberosLogin {
  return {
    principal,
    secondsLeft: 3600,
    trouble: undefined,
    saslClient: (target, protections) => {
      targets.push(target)
      return new FakeClient({ principal }, protections)
    },
    negotiate: async () => Buffer.alloc(0),
    close: () => undefined,
  }
}
